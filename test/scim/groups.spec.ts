import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WritingServer } from '../support/writing-server.js';
import {
  connect,
  type Connector,
  error,
  patchOf,
  PROVIDERS,
  startScimServer,
} from './connector.js';

/** Groups, bulks, the log and the dry run of SCIM (docs/scim.md). */

type Json = Record<string, unknown>;

let portal: WritingServer & Connector;
let scim: Connector['scim'];
let people: string[];

beforeAll(async () => {
  portal = await startScimServer();
  ({ scim } = portal);
  people = [];
  for (let n = 0; n < 8; n++) people.push(await made('Users', { userName: `member.${n}` }));
});
afterAll(() => portal.close());

const query = <T extends Json>(text: string, values?: unknown[]) =>
  portal.server.database.query<T>(text, values);

async function made(kind: string, body: object): Promise<string> {
  const answer = await scim('POST', `/${kind}`, body);
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return String(answer.body.id);
}

const of = (...members: number[]) => members.map((n) => ({ value: people[n] }));
const patch = (id: string, ...operations: object[]) =>
  scim('PATCH', `/Groups/${id}`, patchOf(...operations));

/** The numbers of the members of a group. */
async function membersOf(id: string): Promise<number[]> {
  const rows = await query<{ user: string }>(
    'SELECT user_id::text AS user FROM group_members WHERE group_id = $1',
    [id],
  );
  return rows.map(({ user }) => people.indexOf(user)).sort();
}

describe('a group', () => {
  it('is created, found without its members, and its name is taken', async () => {
    const { status, body } = await scim('POST', '/Groups', {
      displayName: 'Staff',
      externalId: 'G-1',
      members: of(0, 1),
    });
    expect([status, body]).toMatchObject([
      201,
      {
        displayName: 'Staff',
        externalId: 'G-1',
        members: [{ value: people[0], type: 'User' }, {}],
      },
    ]);
    const filter = encodeURIComponent('displayName eq "STAFF"');
    const { body: list } = await scim('GET', `/Groups?excludedAttributes=members&filter=${filter}`);
    expect(list).toMatchObject({ totalResults: 1, Resources: [{ displayName: 'Staff' }] });
    expect((list.Resources as Json[])[0]).not.toHaveProperty('members');
    const again = await scim('POST', '/Groups', { displayName: 'staff' });
    expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness']);
    const user = (await scim('GET', `/Users/${people[0]}`)).body;
    expect(user.groups).toMatchObject([{ value: body.id, display: 'Staff' }]);
  });

  it.each<[name: string, operation: (n: typeof of) => object, left: number[]]>([
    ['Entra ID: Add', () => ({ op: 'Add', path: 'members', value: of(3) }), [0, 1, 2, 3]],
    [
      'Entra ID: Remove with a list of values',
      () => ({ op: 'Remove', path: 'members', value: of(1) }),
      [0, 2],
    ],
    [
      'RFC 7644: remove by a filter',
      () => ({ op: 'remove', path: `members[value eq "${people[1]}"]` }),
      [0, 2],
    ],
    ['RFC 7644: replace', () => ({ op: 'replace', path: 'members', value: of(2, 3) }), [2, 3]],
    ['RFC 7644: remove all', () => ({ op: 'remove', path: 'members' }), []],
    ['Okta: no path', () => ({ op: 'replace', value: { displayName: 'Renamed' } }), [0, 1, 2]],
    ['members without a path', () => ({ op: 'add', value: { members: of(4) } }), [0, 1, 2, 4]],
    ['one that is a member', () => ({ op: 'add', path: 'members', value: of(0) }), [0, 1, 2]],
    ['one that is none', () => ({ op: 'remove', path: 'members', value: of(5) }), [0, 1, 2]],
  ])('takes %s', async (name, operation, left) => {
    const id = await made('Groups', { displayName: name, members: of(0, 1, 2) });
    const { status, text } = await patch(id, operation(of));
    expect([status, text]).toEqual([204, '']);
    expect(await membersOf(id)).toEqual(left);
  });

  it.each<[name: string, operation: object]>([
    ['an empty list to remove', { op: 'remove', path: 'members', value: [] }],
    ['an unknown member', { op: 'add', path: 'members', value: [{ value: '999999' }] }],
    ['a group as a member', { op: 'add', path: 'members', value: [{ value: '1', type: 'Group' }] }],
    ['a filter that is no id', { op: 'remove', path: 'members[display sw "M"]' }],
    ['null to remove', { op: 'remove', path: 'members', value: null }],
    ['an id without a path', { op: 'replace', value: { id: '1' } }],
    ['an unknown path', { op: 'replace', path: 'owner', value: 'x' }],
    ['no name', { op: 'remove', path: 'displayName' }],
  ])('refuses %s, and applies nothing', async (name, operation) => {
    const id = await made('Groups', { displayName: name, members: of(0, 1) });
    const answer = await patch(id, { op: 'add', path: 'members', value: of(6) }, operation);
    expect([answer.status, typeof answer.body.scimType]).toEqual([400, 'string']);
    expect(await membersOf(id)).toEqual([0, 1]);
  });

  it('is audited as the members routes are, and told to the journal', async () => {
    const id = await made('Groups', { displayName: 'Audited' });
    await patch(id, { op: 'add', path: 'members', value: of(0) });
    await patch(id, { op: 'add', path: 'members', value: of(0, 1, 2) });
    const lines = await query<Json>(
      `SELECT action, after FROM audit WHERE object_uri = $1 AND action <> 'create' ORDER BY id`,
      [`/directory/groups/${id}`],
    );
    expect(lines).toEqual([
      { action: 'add-member', after: { member: `/directory/users/${people[0]}` } },
      {
        action: 'add-member',
        after: { members: [`/directory/users/${people[1]}`, `/directory/users/${people[2]}`] },
      },
    ]);
    const changes = await query('SELECT 1 FROM changes WHERE $1 = ANY (principals)', [people[2]]);
    expect(changes.length).toBeGreaterThan(0);
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect((await scim('GET', `/Groups/${id}`)).status).toBe(404);
  });

  it('has the right members after 16 patches at once', async () => {
    const id = await made('Groups', { displayName: 'Busy', members: of(0, 1, 2, 3) });
    const one = (n: number) =>
      n % 2 === 0
        ? patch(id, { op: 'Add', path: 'members', value: of(4 + (n % 4)) })
        : patch(id, { op: 'Remove', path: 'members', value: of(n % 4) });
    const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => one(n)));
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(204));
    expect(await membersOf(id)).toEqual([0, 2, 4, 6]);
  });

  it('is replaced, with its members where they are given', async () => {
    const id = await made('Groups', { displayName: 'Replaced', members: of(0, 1) });
    const put = (body: object) => scim('PUT', `/Groups/${id}`, body);
    expect((await put({ displayName: 'Replaced 2' })).status).toBe(200);
    expect(await membersOf(id)).toEqual([0, 1]);
    expect((await put({ displayName: 'Replaced 2', members: of(2) })).status).toBe(200);
    expect(await membersOf(id)).toEqual([2]);
  });
});

describe('a group that the provider does not manage', () => {
  it('is changed, and not deleted', async () => {
    const { id } = await portal.create('/api/v2/directory/groups', { label: 'Own' });
    const refused = await scim('DELETE', `/Groups/${id}`);
    const detail = 'The group is not managed by this provider, which can change but not delete it';
    expect([refused.status, refused.body]).toEqual([403, error(403, detail)]);
    expect((await patch(id, { op: 'add', path: 'members', value: of(0) })).status).toBe(204);
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204);
  });

  it('shows and changes the members whom the provider sees', async () => {
    const { id } = await portal.create('/api/v2/directory/groups', { label: 'Mixed' });
    const other = await connect(portal, 'second');
    const { body: foreign } = await other.scim('POST', '/Users', { userName: 'of.second' });
    const [service] = await query<{ id: string }>(
      `SELECT id::text FROM users WHERE login = 'second'`,
    );
    const hidden = [String(foreign.id), service!.id];
    for (const member of [...hidden, people[0]])
      await query('INSERT INTO group_members (group_id, user_id) VALUES ($1, $2)', [id, member]);
    const { body } = await scim('GET', `/Groups/${id}`);
    expect(body.members).toMatchObject([{ value: people[0] }]);
    const filter = encodeURIComponent(`members.value eq "${hidden[0]}"`);
    expect((await scim('GET', `/Groups?filter=${filter}`)).body.totalResults).toBe(0);
    expect((await scim('PUT', `/Groups/${id}`, body)).status).toBe(200);
    const values = hidden.map((value) => ({ value }));
    expect((await patch(id, { op: 'add', path: 'members', value: values })).status).toBe(204);
    expect((await patch(id, { op: 'remove', path: 'members', value: values })).status).toBe(204);
    expect((await patch(id, { op: 'remove', path: 'members' })).status).toBe(204);
    const left = await query<{ user: string }>(
      'SELECT user_id::text AS user FROM group_members WHERE group_id = $1 ORDER BY user_id',
      [id],
    );
    expect(left.map(({ user }) => user).sort()).toEqual(hidden.sort());
  });
});

describe('a bulk', () => {
  it('runs its operations in order, and stops at the given number of errors', async () => {
    const { status, body } = await scim('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      failOnErrors: 1,
      Operations: [
        { method: 'POST', path: '/Users', bulkId: 'u', data: { userName: 'bulk.user' } },
        {
          method: 'POST',
          path: '/Groups',
          bulkId: 'g',
          data: { displayName: 'Bulk', members: [{ value: 'bulkId:u' }] },
        },
        { method: 'DELETE', path: '/Users/999999' },
        { method: 'POST', path: '/Users', bulkId: 'v', data: { userName: 'bulk.never' } },
      ],
    });
    expect([status, (body.Operations as Json[]).map((one) => one.status)]).toEqual([
      200,
      ['201', '201', '404'],
    ]);
    expect(body.Operations).toMatchObject([
      { bulkId: 'u', location: expect.stringContaining('/scim/v2/Users/') },
      {},
      { response: error(404, 'Not found') },
    ]);
    const [group] = await query<{ count: number }>(
      `SELECT count(*)::integer FROM group_members m JOIN groups g ON g.id = m.group_id WHERE g.label = 'Bulk'`,
    );
    expect(group).toEqual({ count: 1 });
  });

  it('refuses what follows when its provider is deactivated while it runs', async () => {
    const { id, scim: other } = await connect(portal, 'ended');
    await query(`CREATE FUNCTION end_provider() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN UPDATE providers SET active = false WHERE id = ${id}; RETURN NULL; END $$`);
    await query(`CREATE TRIGGER end_provider AFTER INSERT ON users FOR EACH ROW
      WHEN (NEW.login = 'ended.first') EXECUTE FUNCTION end_provider()`);
    const operation = (userName: string) => ({
      method: 'POST',
      path: '/Users',
      data: { userName },
    });
    const { body } = await other('POST', '/Bulk', {
      Operations: [operation('ended.first'), operation('ended.second')],
    });
    await query('DROP FUNCTION end_provider CASCADE');
    expect(body.Operations).toMatchObject([
      { status: '201' },
      {
        status: '403',
        response: error(403, 'The account is the service account of no active SCIM provider'),
      },
    ]);
  });
});

describe('a bulk whose caller changes while it runs', () => {
  /** The results of three operations, of which the first deletes rows of the account. */
  async function outcomesAfter(statement: string, login: string): Promise<unknown> {
    const { scim: other } = await connect(portal, login);
    await query(`CREATE FUNCTION revoke() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN ${statement} WHERE user_id = (SELECT id FROM users WHERE login = '${login}'); RETURN NULL; END $$`);
    await query(`CREATE TRIGGER revoke AFTER INSERT ON users FOR EACH ROW
      WHEN (NEW.login = '${login}.first') EXECUTE FUNCTION revoke()`);
    const operations = ['first', 'second', 'third'].map((one) => ({
      ...{ method: 'POST', path: '/Users', data: { userName: `${login}.${one}` } },
    }));
    const { body } = await other('POST', '/Bulk', { Operations: operations });
    await query('DROP FUNCTION revoke CASCADE');
    return body.Operations;
  }

  it('goes on with the key where the token has ended', async () => {
    const done = { status: '201' };
    expect(await outcomesAfter('DELETE FROM tokens', 'renewed')).toMatchObject([done, done, done]);
  });

  it.each([
    ['DELETE FROM api_keys', 401, 'Bad or invalid authentication'],
    [
      'DELETE FROM role_assignments',
      403,
      'You have no access to this endpoint or resource: it needs scim:provision',
    ],
  ])('refuses what follows: %s', async (statement, status, message) => {
    const refused = { status: String(status), response: error(status, message) };
    expect(await outcomesAfter(statement, `revoked.${status}`)).toMatchObject([
      { status: '201' },
      refused,
      refused,
    ]);
  });
});

describe('lists that are too long', () => {
  it('are a 413', async () => {
    const operation = { method: 'DELETE', path: '/Users/1' };
    const { status, body } = await scim('POST', '/Bulk', {
      Operations: new Array(1001).fill(operation),
    });
    expect([status, body]).toEqual([413, error(413, 'an array has more than 1000 items')]);
  });

  it('end a page of groups before its count, but not one without members', async () => {
    const label = 'Crowd';
    const groups: string[] = [];
    for (let n = 0; n < 3; n++) groups.push(await made('Groups', { displayName: `${label} ${n}` }));
    await query(`INSERT INTO users (login, last_name, title, status)
      SELECT 'crowd.' || n, 'Crowd', 'Crowd', 1 FROM generate_series(1, 5001) AS n`);
    await query(
      `INSERT INTO group_members (group_id, user_id)
        SELECT g, id FROM users, unnest($1::bigint[]) AS g WHERE login LIKE 'crowd.%'`,
      [groups],
    );
    const page = async (parameters: string) => {
      const filter = encodeURIComponent(`displayName sw "${label}"`);
      const { body } = await scim('GET', `/Groups?filter=${filter}&${parameters}`);
      const { totalResults, itemsPerPage, Resources } = body as Json & { Resources: Json[] };
      const members = Resources.map(({ members }) => (members as unknown[] | undefined)?.length);
      return { totalResults, itemsPerPage, members };
    };
    const all = { totalResults: 3 };
    expect(await page('startIndex=1')).toEqual({ ...all, itemsPerPage: 1, members: [5001] });
    expect(await page('startIndex=2')).toEqual({ ...all, itemsPerPage: 1, members: [5001] });
    const sorted = await scim('GET', '/Groups?count=0&sortBy=nonsense');
    expect([sorted.status, sorted.body.scimType]).toEqual([400, 'invalidFilter']);
    const without = [undefined, undefined, undefined];
    expect(await page('excludedAttributes=members')).toEqual({
      ...all,
      itemsPerPage: 3,
      members: without,
    });
  });
});

describe('a patch of the name of a group', () => {
  it('takes no name of another group', async () => {
    const id = await made('Groups', { displayName: 'First name' });
    await made('Groups', { displayName: 'Second name' });
    const name = (value: string) => patch(id, { op: 'replace', path: 'displayName', value });
    const refused = await name('second NAME');
    expect([refused.status, refused.body.scimType]).toEqual([409, 'uniqueness']);
    expect((await name('First name')).status).toBe(204);
  });
});

describe('the log and the dry run', () => {
  const log = async () =>
    (await portal.call('GET', `${PROVIDERS}/${portal.id}/requests?sorter=-id&range=0-5`))
      .body as Json[];

  it('keeps calls with body and answer, without secrets', async () => {
    await scim('POST', '/Users', { userName: 'logged', password: 'Secret-Word-1' });
    await scim('POST', '/Users', { userName: 'logged' });
    const [second, first] = await log();
    expect(second).toMatchObject({ method: 'POST', path: '/scim/v2/Users', status: 409 });
    expect(first).toMatchObject({ status: 201, dryRun: false });
    expect(first!.body).toBe('{"userName":"logged","password":"…"}');
    expect(JSON.parse(String(second!.answer))).toMatchObject({ scimType: 'uniqueness' });
    const path = `${PROVIDERS}/${portal.id}/requests`;
    expect((await portal.call('GET', path, undefined, { token: portal.bruno })).status).toBe(404);
  });

  it('keeps no password of a patch, and cuts lists', async () => {
    const Operations = [{ op: 'replace', path: 'password', value: 'Secret-Word-2' }];
    await scim('PATCH', `/Users/${people[0]}`, { Operations });
    const data = { Operations: [{ ...Operations[0], path: 'urn:x:passwordHash' }] };
    const bulk = { method: 'PATCH', path: `/Users/${people[0]}`, data };
    await scim('POST', '/Bulk', { Operations: [bulk] });
    await scim('PATCH', `/Users/${people[0]}`, { Operations: Array(102).fill({ op: 'x' }) });
    const [cut, second, first] = await log();
    expect(first!.body).toBe('{"Operations":[{"op":"replace","path":"password","value":"…"}]}');
    expect(second!.body).not.toContain('Secret');
    expect(cut!.body).toMatch(/,"… and 2 more"\]\}$/);
  });

  it('keeps no address that may have a secret', async () => {
    await scim('GET', `/Users?filter=${encodeURIComponent('password eq "Secret-Word-3"')}`);
    const [last] = await log();
    expect(last).toMatchObject({ path: '/scim/v2/Users?…', status: 400 });
    expect(JSON.stringify(last)).not.toContain('Secret-Word');
  });

  it('answers as usual when the call cannot be logged', async () => {
    await query(
      `ALTER TABLE provider_requests ADD CONSTRAINT unlogged CHECK (body NOT LIKE '%unlogged%')`,
    );
    expect((await scim('POST', '/Users', { userName: 'unlogged' })).status).toBe(201);
    await query('ALTER TABLE provider_requests DROP CONSTRAINT unlogged');
  });

  it('checks everything and keeps nothing', async () => {
    const path = `${PROVIDERS}/${portal.id}`;
    const set = (value: boolean) =>
      portal.call('PATCH', path, [{ op: 'replace', path: '/dryRun', value }]);
    expect((await set(true)).status).toBe(200);
    const { status, body } = await scim('POST', '/Users', { userName: 'dry', title: 'T' });
    expect([status, body.title]).toEqual([201, 'T']);
    expect((await scim('GET', `/Users/${String(body.id)}`)).status).toBe(404);
    expect((await scim('POST', '/Users', { userName: 'logged' })).status).toBe(409);
    expect((await log()).some(({ dryRun }) => dryRun)).toBe(true);
    await set(false);
    await portal.call('PATCH', path, [{ op: 'replace', path: '/active', value: false }]);
    expect((await scim('GET', '/Users')).status).toBe(403);
  });
});
