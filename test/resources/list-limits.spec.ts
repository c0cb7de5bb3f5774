import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATORS as EVERY_OPERATOR } from '../../src/resources/attributes/operators.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const USERS = '/api/v2/directory/users?range=0-1&sorter=id';
const TOO_LONG = 'add a filter that few items match, such as eq or starts';

let server: TestServer;
let admin: string;
let fold: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('alice.martin');
  await server.database.query(
    `INSERT INTO users (login, last_name, title, nick_name, description) VALUES ('slow.one', 'Slow', 'Slow One', 'slowpoke', 'slöwpoke')`,
  );
  const [row] = await server.database.query<{ sql: string }>(
    `SELECT pg_get_functiondef('fold(text)'::regprocedure) AS sql`,
  );
  fold = row!.sql;
});
afterAll(() => server.close());

/** Makes each comparison with the nickname or the description of one user take so long, as if there were a million users. */
const delay = (seconds: number, texts = 'sl_wpoke') =>
  server.database.query(
    fold.replace(
      /BEGIN\s/,
      `BEGIN IF lower(value) LIKE '${texts}' THEN PERFORM pg_sleep(${seconds}); END IF; `,
    ),
  );

const counted = (path: string) =>
  server.call(path, { token: admin, headers: { Prefer: 'count=exact' } });

/** The ids of users by filters, of those who have never signed in, and of those who have. */
async function idsOf(...filters: string[]): Promise<string[]> {
  const query = filters.map((filter) => `&filters=${encodeURIComponent(filter)}`).join('');
  const path = `/api/v2/directory/users?range=0-500&sorter=id${query}`;
  const { body } = await server.call(path, { token: admin });
  return (body as { id: string }[]).map(({ id }) => id);
}

describe('lastLoginDate', () => {
  it('is filtered by the last sign-in, and finds people who have never signed in', async () => {
    const dates = ['2024-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z'];
    await server.database.query(
      `INSERT INTO sign_ins (user_id, last_login_date) SELECT id, ('{${dates.join()}}'::timestamptz[])[place]
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM users WHERE login IN ('slow.one', 'sysadmin')) AS two
       ON CONFLICT (user_id) DO UPDATE SET last_login_date = excluded.last_login_date`,
    );
    const rows = await server.database.query<{ id: string; date: string | null }>(
      `SELECT u.id::text, s.last_login_date AS date FROM users u LEFT JOIN sign_ins s ON s.user_id = u.id ORDER BY u.id`,
    );
    const expected = (holds: (date: string | undefined) => boolean): string[] =>
      rows.filter(({ date }) => holds(date ?? undefined)).map(({ id }) => id);
    const [first] = dates as [string, string];
    const none = expected((date) => date === undefined);
    expect([none.length > 20, none.length < rows.length - 2]).toEqual([true, true]);
    expect(await idsOf('lastLoginDate:isempty')).toEqual(none);
    const some = expected((date) => date !== undefined);
    expect(await idsOf('lastLoginDate:isnotempty')).toEqual(some);
    expect(await idsOf(`lastLoginDate:eq:${first}`)).toEqual(expected((date) => date === first));
    expect(await idsOf(`lastLoginDate:neq:${first}`)).toEqual(expected((date) => date !== first));
    const after = expected((date) => date !== undefined && date > first);
    expect(await idsOf(`lastLoginDate:gt:${first}`)).toEqual(after);
    const until = expected((date) => date !== undefined && date <= first);
    expect(await idsOf(`lastLoginDate:lte:${first}`)).toEqual(until);
  });

  it.each(['lastLoginDate', 'description'])('does not sort, like long texts: %s', async (name) => {
    const { body } = await server.call('/api/v2/directory/users/attributes', { token: admin });
    const attributes = body as { name: string; sortable: boolean }[];
    expect(attributes.find((one) => one.name === name)).toMatchObject({ sortable: false });
    const sortable = attributes.filter((one) => one.sortable).map((one) => one.name);
    const answer = await server.call(`/api/v2/directory/users?sorter=-${name}`, { token: admin });
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: sorter',
        fields: [
          { name: 'sorter', message: `cannot sort by '${name}'; sortable: ${sortable.join(', ')}` },
        ],
      },
    ]);
  });
});

describe('a long text', () => {
  const start = 'The first forty characters are all alike';
  const texts = [null, '', 'Alike', start, `${start} a`, `${start} B`, `${start} bc`, 'Z', 'Ærø'];
  beforeAll(() =>
    server.database.query(
      `INSERT INTO users (login, last_name, title, description)
       SELECT 'long.' || place, 'Long', 'Long', text FROM unnest($1::text[]) WITH ORDINALITY AS t(text, place)`,
      [texts],
    ),
  );

  it.each<[string, (text: string | null) => boolean]>([
    [`eq:${start.toUpperCase()} b`, (text) => text === `${start} B`],
    [`neq:${start} b`, (text) => text !== `${start} B`],
    [
      `gt:${start} a`,
      (text) =>
        (text !== null && ['B', 'bc'].some((end) => text === `${start} ${end}`)) || text === 'Z',
    ],
    [`gte:${start} a`, (text) => text !== null && (text.startsWith(`${start} `) || text === 'Z')],
    [`lt:${start} b`, (text) => ['', 'Alike', start, `${start} a`, 'Ærø'].includes(text!)],
    [`lte:${start}`, (text) => ['', 'Alike', start, 'Ærø'].includes(text!)],
    [`starts:${start} B`, (text) => text === `${start} B` || text === `${start} bc`],
    ['starts:the FIRST', (text) => text?.startsWith(start) ?? false],
    ['contains:alike B', (text) => text === `${start} B` || text === `${start} bc`],
    ['ends:C', (text) => text === `${start} bc`],
    ['ends:ro', (text) => text === 'Ærø'],
    ['notcontains:like', (text) => !text?.includes('like')],
    ['isempty', (text) => text === null || text === ''],
    ['isnotempty', (text) => text !== null && text !== ''],
  ])('is filtered by its index and its whole length: %s', async (filter, holds) => {
    const rows = await server.database.query<{ id: string; text: string | null }>(
      `SELECT id::text, description AS text FROM users WHERE login LIKE 'long.%' ORDER BY id`,
    );
    const expected = rows.filter(({ text }) => holds(text)).map(({ id }) => id);
    expect(await idsOf('login:starts:long.', `description:${filter}`)).toEqual(expected);
  });
});

describe('operators that an attribute does not support', () => {
  const BEGINNING = 'eq, neq, in, starts, isempty, isnotempty';
  const CONTENT = 'eq, neq, in, starts, contains, isempty, isnotempty';
  const TASKS = '/api/v2/process/tasks';
  const AUDIT = '/api/v2/administration/audit';
  const refusal = (name: string, operator: string, allowed: string) =>
    `'${name}' does not accept the operator '${operator}'; allowed: ${allowed}`;

  it.each([
    [TASKS, 'link', BEGINNING],
    [TASKS, 'externalId', BEGINNING],
    [TASKS, 'description', BEGINNING],
    ['/api/v2/content/documents', 'downloadUrl', BEGINNING],
    [AUDIT, 'requestId', BEGINNING],
    [AUDIT, 'callerRequestId', BEGINNING],
    ['/api/v2/content/documents', 'description', CONTENT],
    ['/api/v2/content/documents', 'keywords', CONTENT],
    ['/api/v2/content/news', 'summary', CONTENT],
    ['/api/v2/content/news', 'body', CONTENT],
    ['/api/v2/content/faqs', 'answer', CONTENT],
    ['/api/v2/content/faqs', 'keywords', CONTENT],
    ['/api/v2/content/customers', 'description', CONTENT],
  ])('are a 400 that names the others: %s, %s', async (path, name, allowed) => {
    const described = await server.call(`${path}/attributes`, { token: admin });
    const attributes = described.body as { name: string; operators: string[] }[];
    const { operators } = attributes.find((one) => one.name === name)!;
    expect(operators.join(', ')).toBe(allowed);
    const answers: unknown[] = [];
    const expected: unknown[] = [];
    for (const operator of EVERY_OPERATOR) {
      const value = operator.startsWith('is') ? '' : ':x';
      const { status, body } = await server.call(`${path}?filters=${name}:${operator}${value}`, {
        token: admin,
      });
      answers.push([operator, status, status === 200 ? null : body]);
      const message = refusal(name, operator, allowed);
      const fault = {
        code: 400,
        message: 'Invalid: filters',
        fields: [{ name: 'filters', message }],
      };
      expected.push(operators.includes(operator) ? [operator, 200, null] : [operator, 400, fault]);
    }
    expect(answers).toEqual(expected);
  });

  it('are rejected in views and saved filters, and stored ones report their unreadable filters', async () => {
    const message = refusal('externalId', 'contains', BEGINNING);
    const filters = ['externalId:contains:47'];
    const send = (method: string, path: string, body?: unknown) =>
      server.call(`/api/v2/process${path}`, { method, token: admin, body });
    const [tile] = await server.database.query<{ id: string }>(
      `SELECT id::text FROM applications WHERE type = 'PROCESS' ORDER BY id LIMIT 1`,
    );
    const stored = { label: 'By part', filters: ['externalId:starts:47'] };
    for (const [path, more, column] of [
      ['/views', { application: `/navigation/applications/${tile!.id}` }, 'views'],
      ['/task-filters', {}, 'task_filters'],
    ] as const) {
      const refused = await send('POST', path, { ...stored, ...more, filters });
      const fields = [{ name: 'filters', message }];
      expect([refused.status, refused.body]).toEqual([
        400,
        { code: 400, message: 'Invalid: filters', fields },
      ]);
      const { body } = await send('POST', path, { ...stored, ...more });
      const { id } = body as { id: string };
      await server.database.query(`UPDATE ${column} SET filters = $1 WHERE id = $2`, [filters, id]);
      const records = await send('GET', `${path}/${id}/records`);
      const what = column === 'views' ? 'view' : 'filter';
      expect([records.status, records.body]).toEqual([
        409,
        { code: 409, message: `The ${what} cannot be executed: ${message}` },
      ]);
    }
  });
});

describe('the outcome of a task', () => {
  const TASKS = '/api/v2/process/tasks?range=0-10&filters=title:starts:outcome-';
  const texts = [null, '', 'Approve', 'RÉJECT', 'reject 50%', 'a_b', 'Straße'];
  beforeAll(async () => {
    // The scan in the order of the list gives up before it finds the last ones.
    await server.database.query(
      `INSERT INTO tasks (title, application_id, outcome)
       SELECT 'outcome-' || place, (SELECT min(id) FROM applications), CASE WHEN place <= 6000 THEN 'return' ELSE ($1::text[])[place - 6000] END
       FROM generate_series(1, 6000 + $2::integer) AS place`,
      [texts, texts.length],
    );
    await server.database.query('ANALYZE tasks');
  });

  it.each<[string, string, string[]]>([
    ['contains:REJ', 'id', ['RÉJECT', 'reject 50%']],
    ['contains:%', 'id', ['reject 50%']],
    ['contains:_', '-id', ['a_b']],
    ['contains:nowhere', 'id', []],
    ['ends:ject', 'id', ['RÉJECT']],
    ['ends:SSE', 'id', ['Straße']],
    ['notcontains:r', 'id', [null!, '', 'a_b']],
    ['notcontains:RETURN', '-id', [...texts].reverse() as string[]],
  ])('is found among its few values: %s', async (filter, sorter, expected) => {
    const path = `${TASKS}&sorter=${sorter}&filters=${encodeURIComponent(`outcome:${filter}`)}`;
    const { status, body, headers } = await counted(path);
    const found = (body as { outcome: string | null }[]).map(({ outcome }) => outcome);
    expect([status, found, headers['x-total-count']]).toEqual([
      200,
      expected,
      String(expected.length),
    ]);
  });
});

describe('a list that takes long', () => {
  it('has its count within a second, or comes without it', async () => {
    const path = `${USERS}&filters=description:notcontains:x&filters=login:neq:nobody`;
    const link = `<${USERS.replace('?range=0-1&', '?')}&filters=description:notcontains:x&filters=login:neq:nobody&range=`;
    const quick = await counted(path);
    const total = Number(quick.headers['x-total-count']);
    expect([quick.status, total > 30, quick.headers['preference-applied']]).toEqual([
      200,
      true,
      'count=exact',
    ]);
    await delay(1.2);
    const slow = await counted(path);
    expect([slow.status, slow.body]).toEqual([200, quick.body]);
    expect(slow.headers).not.toHaveProperty('x-total-count');
    expect(slow.headers).not.toHaveProperty('preference-applied');
    expect(slow.headers.link).toBe(`${link}0-1>; rel="first", ${link}1-1>; rel="next"`);
  });

  it('answers 400 that names its filters, or its order, when PostgreSQL cannot read it in time', async () => {
    await delay(6);
    const answers = await Promise.all([
      counted(`${USERS}&filters=description:ends:k&filters=login:neq:nobody`),
      counted('/api/v2/directory/users?sorter=nickName,-login'),
    ]);
    const refusal = (name: string, what: string) => ({
      code: 400,
      message: `Invalid: ${name}`,
      fields: [{ name, message: `the list takes too long ${what}; ${TOO_LONG}` }],
    });
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [400, refusal('filters', `with 'description:ends', 'login:neq'`)],
      [400, refusal('sorter', `sorted by 'nickName', 'login'`)],
    ]);
  });

  it('knows without reading a row that a required value is never empty', async () => {
    // Reading a row by any of its names takes longer than a list may.
    await delay(6, 'slow%');
    const names = 'login lastName title status locale creationDate administrator label reference';
    for (const name of names.split(' ')) {
      const path = `${USERS}&filters=nickName:notcontains:x&filters=${name}:isempty`;
      const { status, body, headers } = await counted(path);
      expect([name, status, body, headers['x-total-count']]).toEqual([name, 200, [], '0']);
      const all = `/api/v2/directory/users?range=0-50&sorter=-id&filters=${name}:isnotempty`;
      expect([name, (await server.call(all, { token: admin })).status]).toEqual([name, 200]);
    }
  });
});
