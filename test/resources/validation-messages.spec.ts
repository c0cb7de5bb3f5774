import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** What a 400 says about each invalid field: one message, which names the rule and the value at fault. */

const USERS = '/api/v2/directory/users';
const ORGANIZATIONS = '/api/v2/directory/organizations';
const VIEWS = '/api/v2/process/views';
const APPLICATIONS = '/api/v2/navigation/applications';
const FAVOURITES = `${USERS}/me/favourites`;

let writing: WritingServer;
let call: WritingServer['call'];
beforeAll(async () => {
  writing = await startWritingServer();
  ({ call } = writing);
});
afterAll(() => writing.close());

/** The messages of a 400, each after the name of its field. */
async function messagesOf(method: string, path: string, body?: unknown): Promise<string[]> {
  const answer = await call(method, path, body);
  expect(answer.status).toBe(400);
  const fields = answer.body.fields as { name: string; message: string }[];
  return fields.map(({ name, message }) => `${name}: ${message}`);
}

describe('an invalid value in a body', () => {
  const user = (values: object) => ['POST', USERS, { login: 'a', lastName: 'b', ...values }];
  const key = (values: object) => ['POST', `${USERS}/me/api-keys`, { name: 'k', ...values }];

  it.each<[string, unknown[], string[]]>([
    ['of another type', user({ login: 1 }), ['login: must be a string of at most 100 characters']],
    [
      'that is a longer text',
      user({ nickName: 'x'.repeat(101) }),
      ['nickName: must be a string of at most 100 characters'],
    ],
    [
      'that is a longer password',
      user({ password: 'Aa1!'.repeat(40) }),
      ['password: must be a string of at most 128 characters'],
    ],
    ['of blanks alone', user({ lastName: ' \t ' }), ['lastName: is required']],
    ['that is empty', user({ login: '' }), ['login: is required']],
    [
      'that is no boolean',
      user({ administrator: 'yes' }),
      ['administrator: must be true or false'],
    ],
    [
      'whose year has five digits in UTC',
      [
        'POST',
        '/api/v2/process/tasks',
        { title: 't', application: '1', dueDate: '9999-12-31T23:59:59.999-01:00' },
      ],
      ['dueDate: must lie in the years 0001 to 9999 (UTC)'],
    ],
    [
      'that is an id as a number',
      user({ organization: 9, manager: { id: 9 } }),
      [
        'organization: must be an id or a URI such as /directory/organizations/1; an id is a text: "9"',
        'manager: must be an id or a URI such as /directory/users/1; an id is a text: "9"',
      ],
    ],
    [
      'that names two objects',
      user({ organization: { uri: '/directory/organizations/9', id: '10' } }),
      ['organization: has an id and a uri that name different objects'],
    ],
    [
      'with several bad links',
      [
        'POST',
        APPLICATIONS,
        {
          title: 't',
          type: 'LINK',
          categories: ['1', '999', 'x', 7],
          audience: ['/directory/groups/9999', '9998'],
        },
      ],
      [
        'categories: [3] must be an id or a URI such as /navigation/categories/1; an id is a text: "7"',
        "categories: there is no category 'x'",
        'categories: there is no /navigation/categories/999',
        'audience: there is no /directory/groups/9999',
        'audience: there is no object with the id 9998',
      ],
    ],
    [
      'that is a bad favourite',
      ['PUT', FAVOURITES, { applications: ['1', 'x'] }],
      ["applications: there is no application 'x'"],
    ],
    [
      'without an address',
      key({ addresses: '' }),
      ['addresses: must hold at least one address; null means no limit'],
    ],
    ['that is missing', key({ name: null }), ['name: is required']],
    [
      'in a body of fixed shape',
      key({ name: 1 }),
      ['name: must be a string of at most 100 characters'],
    ],
    [
      'without the current password',
      ['PUT', `${USERS}/me/password`, { password: 'Correct-Horse-2026' }],
      ['currentPassword: is required'],
    ],
  ])('%s', async (_, [method, path, body], expected) => {
    const { body: me } = await call('GET', `${USERS}/me`);
    const own = String(path)
      .replace('/me/api-keys', `/${me.id}/api-keys`)
      .replace('/me/password', `/${me.id}/password`);
    expect(await messagesOf(String(method), own, body)).toEqual(expected);
  });
});

describe('a 400 of a write', () => {
  it('names every invalid attribute of a view, whatever else is invalid', async () => {
    const body = {
      label: 'v',
      application: '1',
      filterMode: 'xor',
      columns: ['nothing', 'title', 'never'],
      filters: ['nothing:eq:1'],
      sorter: 'nothing,title,never',
    };
    expect(await messagesOf('POST', VIEWS, body)).toEqual([
      "filterMode: must be 'and' or 'or'",
      expect.stringMatching(
        /^columns: unknown attribute 'nothing', 'never'; known: id, uri, reference, /,
      ),
      expect.stringMatching(/^filters: unknown attribute 'nothing'; filterable: id, /),
      expect.stringMatching(/^sorter: cannot sort by 'nothing', 'never'; sortable: id, /),
    ]);
  });

  it('names every invalid attribute of a view with too many columns and filters', async () => {
    const body = {
      label: 'v',
      application: '1',
      columns: Array(51).fill('title'),
      filters: Array(21).fill('title:isempty'),
    };
    expect(await messagesOf('POST', VIEWS, body)).toEqual([
      'columns: must be an array of at most 50 attribute names',
      'filters: must be an array of at most 20 filters',
    ]);
  });

  it('names every invalid attribute of an application, whatever else is invalid', async () => {
    const body = { title: 't', type: 'PAGE', view: '1' };
    expect(await messagesOf('POST', APPLICATIONS, body)).toEqual([
      "type: must be 'PROCESS' or 'LINK'",
      'view: must be a view of this application',
    ]);
  });
});

describe('an invalid parameter of a list', () => {
  it.each([
    ['filters=', ["filters: '' must be <attribute>:<operator>:<value>"]],
    ['filters=label', ["filters: 'label' must be <attribute>:<operator>:<value>"]],
    [
      'filters=label:eq:',
      ['filters: label:eq: needs a value; to find empty values use label:isempty'],
    ],
    [
      'filters=id:eq:x&filters=id:eq:y',
      [
        'filters: id:eq:x: must be an id, a positive whole number',
        'filters: id:eq:y: must be an id, a positive whole number',
      ],
    ],
    ['sorter=', [expect.stringMatching(/^sorter: must name an attribute; sortable: id, /)]],
    ['sorter=a,b', [expect.stringMatching(/^sorter: cannot sort by 'a', 'b'; sortable: id, /)]],
  ])('%s', async (query, expected) => {
    expect(await messagesOf('GET', `${ORGANIZATIONS}?${query}`)).toEqual(expected);
  });

  it('gets 400 from a call without parameters', async () => {
    expect(await messagesOf('GET', `${USERS}/me?range=0-5`)).toEqual([
      'range: unknown parameter; this call takes none',
    ]);
  });
});
