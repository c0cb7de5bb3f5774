import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { openEvents } from '../support/event-stream.js';
import { query } from '../support/call.js';
import { servedResources } from '../support/server-resources.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** The operator `in`: one of several values (docs/api-contract.md#filters). */

const TASKS = '/api/v2/process/tasks';
const USERS = '/api/v2/directory/users';
const GROUPS = '/api/v2/directory/groups';
const APPLICATIONS = '/api/v2/navigation/applications';
const VIEWS = '/api/v2/process/views';

type Item = Record<string, unknown> & { id: string; uri: string };
interface Described {
  name: string;
  type: string;
  operators: string[];
}

let writing: WritingServer;
let team: Item, falcon: Item, expenses: Item, leave: Item;

beforeAll(async () => {
  writing = await startWritingServer();
  const { create, server } = writing;
  team = await create(GROUPS, { label: 'Team', reference: 'TEAM' });
  // A user with the login of a group.
  await create(USERS, { login: 'team', lastName: 'Team', status: 1 });
  const byReference = async (name: string) =>
    (await writing.call('GET', `${APPLICATIONS}/${name}`)).body as Item;
  [expenses, leave] = [await byReference('EXPENSES'), await byReference('LEAVE')];
  falcon = await create(APPLICATIONS, {
    ...{ title: 'Falcon', reference: 'FALCON', type: 'PROCESS', audience: ['alice.martin'] },
  });
  for (const [title, application, more] of [
    ['a,b', 'EXPENSES', { group: 'TEAM' }],
    ['a\\b', 'LEAVE', { assignee: 'bruno.keller', status: 'done' }],
    ['É', 'FALCON', { assignee: 'bruno.keller' }],
    ['e', 'TRAVEL', { assignee: 'chloe.lefevre', status: 'cancelled' }],
  ] as const)
    await create(TASKS, { title, application, priority: 77, ...more });
  await server.database.query(
    `UPDATE tasks SET outcome = CASE WHEN id % 2 = 0 THEN 'Approve' ELSE 'Réject' END, description = repeat('long text ', 9) || id % 3
     WHERE id % 3 > 0`,
  );
});
afterAll(() => writing.close());

/** The objects that filters find, in the order of their ids. */
async function found(path: string, filters: string[], more: object = {}): Promise<Item[]> {
  const parameters = { range: '0-500', sorter: 'id', filters, ...more };
  const { status, body, headers } = await writing.call('GET', path + query(parameters), undefined, {
    headers: { Prefer: 'count=exact' },
  });
  expect([status, body]).toEqual([200, expect.any(Array)]);
  expect(headers['x-total-count']).toBe(String((body as Item[]).length));
  return body as Item[];
}
const titles = async (...filters: string[]): Promise<unknown[]> =>
  (await found(TASKS, ['priority:eq:77', ...filters])).map(({ title }) => title);
const escaped = (text: string): string => text.replace(/[\\,]/g, '\\$&');

describe('in', () => {
  it('is an operator of every attribute that takes eq', () => {
    const attributes = servedResources().flatMap((resource) => [...resource.attributes.values()]);
    const wrong = attributes.filter(
      ({ operators }) => operators.includes('in') !== operators.includes('eq'),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it.each([
    ['users', USERS],
    ['tasks', TASKS],
    ['applications', APPLICATIONS],
    ['documents', '/api/v2/content/documents'],
    ['audit entries', '/api/v2/administration/audit'],
  ])(
    'finds for every attribute of %s the rows that eq finds for any of the values',
    async (_, path) => {
      const { body } = await writing.call('GET', `${path}/attributes`);
      const items = await found(path, []);
      let compared = 0;
      for (const { name, operators } of body as Described[]) {
        if (!operators.includes('in')) continue;
        const texts = items.flatMap((item) => [item[name]].flat()).flatMap(textsOf);
        const [first, last] = [texts[0], texts.at(-1)];
        if (first === undefined || first === '' || last === '') continue;
        const any = [first, last!].map((value) => `${name}:eq:${value}`);
        const expected = (await found(path, any, { filterMode: 'or' })).map(({ id }) => id);
        const values = [first, last!].map(escaped);
        const each = (await found(path, [`${name}:in:${values.join(',')}`])).map(({ id }) => id);
        expect([name, each]).toEqual([name, expected]);
        const one = (await found(path, [`${name}:in:${values[0]}`])).map(({ id }) => id);
        const alone = (await found(path, [`${name}:eq:${first}`])).map(({ id }) => id);
        expect([name, one]).toEqual([name, alone]);
        if (expected.length > 0) compared++;
      }
      expect(compared).toBeGreaterThan(5);
    },
  );

  it('separates values by commas, with a backslash before those of a value', async () => {
    expect(await titles('title:in:A\\,B,e')).toEqual(['a,b', 'É', 'e']);
    expect(await titles('title:in:a\\\\b')).toEqual(['a\\b']);
    expect(await titles('title:in:a,b')).toEqual([]);
  });

  it('takes ids, URIs and names of links, also mixed', async () => {
    const mixed = `application:in:${expenses.id},${leave.uri},FALCON`;
    expect(await titles(mixed)).toEqual(['a,b', 'a\\b', 'É']);
    expect(await titles('assignee:in:BRUNO.KELLER,chloe.lefevre')).toEqual(['a\\b', 'É', 'e']);
    expect(await titles('assignee:eq:bruno.keller')).toEqual(['a\\b', 'É']);
    expect(await titles('assignee:neq:bruno.keller')).toEqual(['a,b', 'e']);
    expect(await titles('group:in:TEAM,nothing')).toEqual(['a,b']);
  });

  it('finds nothing by a name of nothing, as by an id of nothing', async () => {
    expect(await titles('application:in:nothing,999999')).toEqual([]);
    expect(await titles('application:eq:nothing')).toEqual([]);
    expect(await titles('application:eq:expenses')).toEqual([]);
    expect(await titles('application:neq:nothing')).toHaveLength(4);
  });

  it('compares a URI with the links of its kind, and a name with those of each kind', async () => {
    const seen = { type: 'LINK', link: '/x' };
    const { create } = writing;
    await create(APPLICATIONS, { ...seen, title: 'For groups', audience: [team.uri] });
    const { body: user } = await writing.call('GET', `${USERS}/team`);
    await create(APPLICATIONS, { ...seen, title: 'For people', audience: [user.uri] });
    const seenBy = async (value: string) =>
      (await found(APPLICATIONS, [`audience:${value}`])).map(({ title }) => title);
    expect(await seenBy('in:team,TEAM')).toEqual(['For groups', 'For people']);
    expect(await seenBy('eq:TEAM')).toEqual(['For groups', 'For people']);
    expect(await seenBy(`in:${team.uri},/directory/groups/${user.id}`)).toEqual(['For groups']);
    expect(await seenBy(`eq:/directory/groups/${user.id}`)).toEqual([]);
    expect(await seenBy(`in:${team.id},${user.uri}`)).toEqual(['For groups', 'For people']);
    expect(await seenBy(`eq:${team.id}`)).toEqual(['For groups']);
  });

  it('does not find objects by name that are hidden from the caller', async () => {
    const task = (filter: string, token: string) =>
      writing.call('GET', TASKS + query({ filters: ['title:eq:É', filter] }), undefined, { token });
    for (const filter of ['application:in:FALCON,LEAVE', 'application:eq:FALCON']) {
      expect((await task(filter, writing.admin)).body).toHaveLength(1);
      expect((await task(filter, writing.bruno)).body).toEqual([]);
    }
    expect((await task('application:neq:FALCON', writing.bruno)).body).toHaveLength(1);
  });
});

/** The values of an attribute as filters write them. */
const textsOf = (value: unknown): string[] => {
  if (value === null || value === undefined) return [];
  const one = value as Item | string | number | boolean;
  return [typeof one === 'object' ? one.uri : String(one)];
};

describe('a 400 for a filter by in', () => {
  const hundred = Array.from({ length: 100 }, (_, n) => n + 1).join(',');
  const notLink = 'must be an id, a URI such as /directory/users/1 or a name';
  it.each([
    ['status:in', 'empty', 'needs-a-value-or-isempty'],
    ['status:in:', 'empty', 'needs-a-value-or-isempty'],
    ['uri:in:', 'without a value', 'needs-a-value'],
    ['status:in:open,', 'with a blank at the end', 'empty-value'],
    ['status:in:,open', 'with a blank at the beginning', 'empty-value'],
    ['title:in:a\\b', 'with a backslash before a letter', 'bad-escape'],
    ['title:in:a\\', 'with a backslash at the end', 'bad-escape'],
    [`id:in:${hundred},101`, 'of 101 values', 'too-many-filter-values'],
    [`title:in:a,${'b'.repeat(257)}`, 'of a value that is too long', 'too-many-characters'],
  ])('names the fault: %s', async (filter, _, code) => {
    const { status, body } = await writing.call('GET', TASKS + query({ filters: filter }));
    expect([status, body.fields]).toMatchObject([400, [{ name: 'filters', code }]]);
  });

  it('does not come for 100 values', async () => {
    expect((await found(TASKS, [`id:in:${hundred}`])).length).toBeGreaterThan(0);
  });

  it.each([
    ['priority:in:1,x,y', 'priority:in:x: must be a whole number'],
    ['status:in:open,gone', "status:in:gone: must be 'open', 'done' or 'cancelled'"],
    ['dueDate:in:@now', /^dueDate:in:@now: must be a timestamp/],
    ['dueDate:in:2026-01-01T00:00:00Z,@now', /^dueDate:in:@now: must be a timestamp/],
    ['id:in:1,-1', 'id:in:-1: must be an id, a positive whole number'],
    ['assignee:in:1,/directory/groups/1', `assignee:in:/directory/groups/1: ${notLink}`],
    ['assignee:in:007,1', `assignee:in:007: ${notLink}`],
    ['closedBy:in:1,@me', `closedBy:in:@me: ${notLink}`],
    ['assignee:in:@me', /^assignee: use assignee with @me/],
    ['assignee:in:1,@me', /^assignee: use assignee with @me/],
    ['group:in:@mygroups', /^group: use assignee with @me/],
  ])('names the invalid value: %s', async (filter, message) => {
    const { status, body } = await writing.call('GET', TASKS + query({ filters: filter }));
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect([status, body.fields]).toMatchObject([400, [{ name: 'filters', message: expected }]]);
  });
});

describe('a stored filter by in', () => {
  it.each([
    ['open and done tasks', () => 'status:in:open,done'],
    ['two applications', () => `application:in:${expenses.id},${leave.id}`],
    ['applications by name', () => 'application:in:EXPENSES,TRAVEL'],
    ['a hidden application', () => `application:in:${expenses.id},${falcon.id}`],
    ['people by login', () => 'assignee:in:bruno.keller,chloe.lefevre'],
  ])('counts %s in the inbox as its records do, and in the stream', async (_, filterOf) => {
    const { call, bruno, server } = writing;
    const as = { token: bruno };
    const filters = [filterOf()];
    const path = '/api/v2/process/task-filters';
    const made = await call('POST', path, { label: 'In', filters }, as);
    expect(made.status).toBe(201);
    const { id, uri } = made.body as Item;
    const records = `${path}/${id}/records?range=0-500`;
    const stream = await openEvents(server.port, as);
    try {
      for (const more of [0, 1]) {
        if (more > 0) await waitForBruno();
        const { body } = await call('GET', records, undefined, as);
        expect((body as Item[]).length).toBeGreaterThan(0);
        const count = (body as Item[]).length;
        const offered = await call('GET', `${TASKS}/waiting/filters`, undefined, as);
        expect(offered.body).toMatchObject([{ uri, count, problem: null }]);
        await eventually(() => expect(numbersIn(stream)[uri]).toBe(count));
      }
    } finally {
      stream.close();
      await call('DELETE', `${path}/${id}`, undefined, as);
    }
  });

  it.each([
    ['of status', 'status:in:open,done'],
    ['of one status', 'status:in:open'],
    ['of people by login', 'assignee:in:bruno.keller,chloe.lefevre'],
  ])('counts a tile by its view %s in the stream as the indicator does', async (_, filter) => {
    const { call, create, bruno, server } = writing;
    const view = await create(VIEWS, {
      ...{ label: 'In', application: expenses.uri, filters: [filter], columns: ['title'] },
    });
    const change = [{ op: 'replace', path: '/view', value: view.uri }];
    const tile = `${APPLICATIONS}/${expenses.id}`;
    const changed = await call('PATCH', tile, change);
    expect([changed.status, changed.text]).toEqual([200, expect.anything()]);
    const path = `/navigation/workplace/apps/indicator${query({ applicationUri: expenses.uri })}`;
    const counted = async () => {
      const answer = await call('GET', path, undefined, { token: bruno });
      return (answer.body as { count: number }).count;
    };
    const before = await counted();
    expect(before).toBeGreaterThan(0);
    const stream = await openEvents(server.port, { token: bruno });
    try {
      const shown = () => numbersIn(stream, 'applications')[expenses.uri];
      await eventually(() => expect(shown()).toBe(before));
      await waitForBruno();
      await eventually(async () => expect(await counted()).toBe(before + 1));
      await eventually(() => expect(shown()).toBe(before + 1));
    } finally {
      stream.close();
    }
  });

  it('counts as demanding in a shared filter if it names linked objects', async () => {
    const share = (...filters: string[]) => {
      const body = { label: 'Shared', filters, filterMode: 'or', sharedWithEveryone: true };
      return writing.call('POST', '/api/v2/process/task-filters', body);
    };
    const names = Array.from({ length: 6 }, (_, n) => `assignee:in:a${n},b${n}`);
    expect((await share(...names)).body.fields).toMatchObject([{ name: 'filters' }]);
    const byId = await share(...names.map((_, n) => `assignee:in:1,/directory/users/${n + 1}`));
    expect(byId.status).toBe(201);
    await writing.call('DELETE', `/api/v2${(byId.body as Item).uri}`);
  });

  it('follows the user who has the login in it', async () => {
    const { call, create, bruno, server } = writing;
    const { id } = await create(USERS, { login: 'first', lastName: 'First', status: 1 });
    await create(TASKS, { title: 'Named', application: 'EXPENSES', assignee: 'bruno.keller' });
    await server.database.query(`UPDATE tasks SET closed_by_id = $1 WHERE title = 'Named'`, [id]);
    const body = { label: 'Named', filters: ['closedBy:in:first,second'] };
    const made = await call('POST', '/api/v2/process/task-filters', body, { token: bruno });
    const { uri } = made.body as Item;
    const stream = await openEvents(server.port, { token: bruno });
    try {
      await eventually(() => expect(numbersIn(stream)[uri]).toBe(1));
      const rename = [{ op: 'replace', path: '/login', value: 'third' }];
      expect((await call('PATCH', `${USERS}/${id}`, rename)).status).toBe(200);
      await eventually(() => expect(numbersIn(stream)[uri]).toBe(0));
    } finally {
      stream.close();
    }
  });
});

/** Creates a task that waits for Bruno. */
const waitForBruno = (): Promise<unknown> =>
  writing.create(TASKS, { title: 'One more', application: 'EXPENSES', assignee: 'bruno.keller' });

/** The numbers that a stream has sent: the last full set with the changes behind it. */
const numbersIn = (
  stream: Awaited<ReturnType<typeof openEvents>>,
  of: 'filters' | 'applications' = 'filters',
): Record<string, number | null> =>
  stream.messages.reduce<Record<string, number | null>>((all, { event, data }) => {
    const numbers = ((data ?? {}) as Record<string, Record<string, number | null>>)[of];
    return event === 'counters' ? { ...numbers } : { ...all, ...numbers };
  }, {});
