import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/test-server.js';

let server: TestServer;
let admin: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('alice.martin');
});
afterAll(() => server.close());

const IMPORTS = '/api/v2/administration/imports';

interface Options {
  token?: string | undefined;
  type?: string;
  query?: string;
}

/** Sends a file of users, unless another kind is named. */
function load(lines: string[], { token = admin, type = 'text/csv', query = '' }: Options = {}) {
  return server.call(`${IMPORTS}/users${query}`, {
    method: 'POST',
    token,
    headers: { 'Content-Type': type },
    body: Buffer.from(lines.join('\r\n')),
  });
}

const usersLike = (login: string) =>
  server.database.query(`SELECT login, last_name FROM users WHERE login LIKE $1 ORDER BY login`, [
    login,
  ]);

/** Ends the recent proof of a session. */
async function oldSession(): Promise<string> {
  const token = await server.signIn('alice.martin');
  await server.database.query(
    `UPDATE tokens SET proof_date = proof_date - interval '301 seconds'
     WHERE user_id = (SELECT id FROM users WHERE login = 'alice.martin')`,
  );
  return token;
}

const HEADER = 'login;lastName;email;status;manager;groups';
const DRY = '?dryRun=true';

/** What is wrong with BAD_LINES. */
const FAULTS = [
  {
    line: 3,
    name: 'lastName',
    message: 'is required',
    code: 'required',
    parameters: {},
  },
  {
    line: 3,
    name: 'login',
    message: 'must not hold blanks or invisible characters',
    code: 'invisible-characters',
    parameters: {},
  },
  {
    line: 3,
    name: 'email',
    message: 'must be an e-mail address',
    code: 'not-an-email',
    parameters: {},
  },
  {
    line: 3,
    name: 'manager',
    message: "there is no user 'nobody'",
    code: 'unknown-name',
    parameters: { noun: 'user', value: 'nobody' },
  },
  {
    line: 4,
    name: 'line',
    message: 'has 2 cells, the header has 6',
    code: 'bad-cell-count',
    parameters: { count: 2, expected: 6 },
  },
  {
    line: 5,
    name: 'status',
    message: 'must be 0, 1, 2 or 3',
    code: 'not-one-of',
    parameters: { choices: [0, 1, 2, 3] },
  },
  {
    line: 6,
    name: 'login',
    message: 'is that of line 2',
    code: 'same-row',
    parameters: { first: 2 },
  },
  {
    line: 7,
    name: 'login',
    message: 'is the system administrator, who is not imported',
    code: 'sysadmin-imported',
    parameters: {},
  },
];
const BAD_LINES = [
  HEADER,
  'bad.good;Good;;;;',
  '"bad one";;nomail;;nobody;',
  'bad.short;Short',
  'bad.status;Status;;9;;',
  'BAD.good;Again;;;;',
  'sysadmin;Admin;;;;',
];
const REFUSAL = {
  code: 400,
  message: expect.stringMatching(/lastName, login, email, manager, line, status/),
  fields: FAULTS,
};

describe('POST /api/v2/administration/imports/{kind}', () => {
  it.each(['', DRY])('names every fault of every line and imports nothing%s', async (query) => {
    const { status, body } = await load(BAD_LINES, { query });
    expect([status, body]).toEqual([400, REFUSAL]);
    expect(await usersLike('bad%')).toEqual([]);
  });

  it('answers the results of a dry run without writing anything', async () => {
    const lines = [HEADER, 'dry.one;One;;;;', 'dry.two;Two;;;dry.one;HIRING'];
    const before = await server.database.query('SELECT count(*) FROM audit');
    const counts = { lines: 2, created: 2, updated: 0, unchanged: 0, createdIds: [] };
    for (const _ of [1, 2]) {
      const { status, body } = await load(lines, { query: DRY });
      expect([status, body]).toEqual([200, counts]);
    }
    expect(await usersLike('dry%')).toEqual([]);
    expect(await server.database.query('SELECT count(*) FROM audit')).toEqual(before);
  });

  it('imports a file as a whole, with a line of the audit trail for each row', async () => {
    const lines = [HEADER, 'whole.two;Two;;;whole.one;HIRING', 'whole.one;One;;;;'];
    const { status, body } = await load(lines);
    const ids = await server.database.query<{ id: string }>(
      `SELECT id::text FROM users WHERE login LIKE 'whole%' ORDER BY login DESC`,
    );
    const createdIds = ids.map(({ id }) => id);
    const counts = { lines: 2, created: 2, updated: 0, unchanged: 0 };
    expect([status, body]).toEqual([200, { ...counts, createdIds }]);
    const shown = await server.call(`/api/v2/directory/users/${createdIds[0]!}`, { token: admin });
    expect(shown.body).toMatchObject({
      status: 2,
      manager: { reference: 'whole.one' },
      groups: [{ reference: 'HIRING' }],
    });
    const again = await load([HEADER, 'whole.one;Uno;;;;', 'whole.two;Two;;;whole.one;HIRING']);
    expect(again.body).toEqual({
      ...{ lines: 2, created: 0, updated: 1, unchanged: 1 },
      createdIds: [],
    });
    const audit = await server.database.query(
      `SELECT action, actor_login, object_uri, before, after FROM audit
       WHERE object_uri LIKE '/directory/users%' ORDER BY id DESC LIMIT 5`,
    );
    const of = (action: string, uri: string, before: unknown, after: unknown) => ({
      action,
      actor_login: 'alice.martin',
      object_uri: `/directory/users${uri}`,
      before,
      after,
    });
    const [two, one] = createdIds;
    expect(audit).toEqual([
      of('import', '', null, { lines: 2, created: 0, updated: 1, unchanged: 1 }),
      of('update', `/${one}`, { lastName: 'One' }, { lastName: 'Uno' }),
      of('import', '', null, counts),
      of('create', `/${one}`, null, expect.objectContaining({ login: 'whole.one', groups: [] })),
      of(
        'create',
        `/${two}`,
        null,
        expect.objectContaining({ manager: 'whole.one', groups: ['HIRING'] }),
      ),
    ]);
  });

  it('reads JSON lines, and older spreadsheets', async () => {
    const json = await load(['{"login":"json.one","lastName":"Ö"}'], {
      type: 'application/x-ndjson',
    });
    expect(json.body).toMatchObject({ created: 1 });
    const latin = await server.call(`${IMPORTS}/users`, {
      method: 'POST',
      token: admin,
      headers: { 'Content-Type': 'text/csv' },
      body: Buffer.from('login,lastName\njson.two,Ü\n', 'latin1'),
    });
    expect(latin.body).toMatchObject({ created: 1 });
    expect(await usersLike('json%')).toEqual([
      { login: 'json.one', last_name: 'Ö' },
      { login: 'json.two', last_name: 'Ü' },
    ]);
  });

  it('refuses unknown columns, unless it is to ignore them', async () => {
    const lines = ['login,lastName,shoeSize', 'shoe.one,One,43'];
    const { status, body } = await load(lines);
    const why = expect.stringMatching(/^line 1: unknown columns shoeSize; known: login, /);
    const field = { name: 'body', code: 'unreadable-file', parameters: { why } };
    expect([status, body]).toMatchObject([400, { fields: [field] }]);
    const ignored = await load(lines, { query: `${DRY}&ignoreUnknown=true` });
    expect([ignored.status, ignored.body]).toMatchObject([200, { created: 1 }]);
  });

  it.each([
    ['no file', [], 400, { fields: [{ name: 'body', code: 'empty' }] }],
    [
      'too many lines',
      ['login', ...Array.from({ length: 10_001 }, (_, at) => `x${at}`)],
      400,
      { fields: [{ name: 'body', code: 'too-many-lines', parameters: { max: 10_000 } }] },
    ],
  ])('rejects %s', async (_, lines, status, body) => {
    const answer = await load(lines);
    expect([answer.status, answer.body]).toMatchObject([status, body]);
  });

  it('refuses a file of more than 2 MiB, other media types, bad parameters, and unknown kinds', async () => {
    const large = await load(['login', 'x'.repeat(2 ** 21)]);
    expect(large.status).toBe(413);
    expect((await load(['{}'], { type: 'application/json' })).status).toBe(415);
    const bad = await load([HEADER], { query: '?dryRun=perhaps' });
    expect([bad.status, bad.body]).toMatchObject([
      400,
      { fields: [{ name: 'dryRun', code: 'not-a-boolean' }] },
    ]);
    const unknown = await server.call(`${IMPORTS}/absences`, { method: 'POST', token: admin });
    expect(unknown.status).toBe(404);
  });

  it.each(['bruno.keller', 'process.engine'])('answers 403 to %s', async (login) => {
    const token = await server.signIn(login);
    for (const query of ['', DRY]) {
      const { status, body } = await load([HEADER, 'plain.one;One;;;;'], { token, query });
      expect([status, body]).toMatchObject([403, { reason: 'missing-permission' }]);
    }
    expect(await usersLike('plain%')).toEqual([]);
  });

  it('asks for a recent sign-in before users get rights, but not for a dry run', async () => {
    const token = await oldSession();
    const lines = ['login,lastName,administrator', 'proof.one,One,true'];
    const refused = await load(lines, { token });
    expect([refused.status, refused.body]).toMatchObject([
      401,
      { reason: 'recent-sign-in-required' },
    ]);
    expect(await usersLike('proof%')).toEqual([]);
    expect((await load(lines, { token, query: DRY })).body).toMatchObject({ created: 1 });
    const groups = await server.call(`${IMPORTS}/groups`, {
      method: 'POST',
      token,
      headers: { 'Content-Type': 'text/csv' },
      body: Buffer.from('reference,label\nNO-PROOF,No proof\n'),
    });
    expect([groups.status, groups.body]).toMatchObject([200, { created: 1 }]);
  });

  it('rejects a value that another row has, and imports no part of the file', async () => {
    const tasks = [
      'reference,title,application,source,externalId',
      'T-1,One,LEAVE,ENGINE,a',
      'T-2,Two,LEAVE,ENGINE,a',
    ];
    const source = await server.call('/api/v2/process/sources', {
      method: 'POST',
      token: await server.signIn('alice.martin'),
      body: { reference: 'ENGINE', label: 'Engine' },
    });
    expect(source.status).toBe(201);
    for (const query of [DRY, '']) {
      const { status, body } = await server.call(`${IMPORTS}/tasks${query}`, {
        method: 'POST',
        token: admin,
        headers: { 'Content-Type': 'text/csv' },
        body: Buffer.from(tasks.join('\n')),
      });
      expect([status, body]).toMatchObject([409, { reason: 'conflicting' }]);
    }
    const rows = await server.database.query(`SELECT FROM tasks WHERE reference LIKE 'T-_'`);
    expect(rows).toEqual([]);
  });
});
