import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../support/eventually.js';
import { servedResources } from '../support/server-resources.js';
import { idOf, uriOf } from '../support/id-of.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/**
 * Authorization comes before any other work: a caller without the right gets the same answer for every body,
 * even while another transaction holds the lock of the row.
 */
const without = (permission: string) => ({
  code: 403,
  message: `You have no access to this endpoint or resource: it needs ${permission}`,
});

const USERS = '/api/v2/directory/users';

let server: TestServer;
let holder: pg.Client;
let bruno: string, chloe: string, admin: string;
const ids: Record<string, string> = {};
beforeAll(async () => {
  server = await startTestServer();
  holder = new pg.Client(server.database.connection);
  await holder.connect();
  bruno = await server.signIn('bruno.keller');
  chloe = await server.signIn('chloe.lefevre');
  admin = await server.signIn('alice.martin');
  const rows = await server.database.query<{ login: string; id: string }>(
    'SELECT login, id::text FROM users',
  );
  for (const { login, id } of rows) ids[login] = id;
  // Of these the demonstration has none.
  await server.database.query(`INSERT INTO sources (label) VALUES ('Engine')`);
  await server.database.query(
    `INSERT INTO task_filters (label, owner_id) SELECT 'Overdue', id FROM users WHERE login = 'alice.martin'`,
  );
  await server.database.query(`INSERT INTO endpoints (label, mode) VALUES ('Engine', 'pull')`);
  await server.database.query(`INSERT INTO providers (label, kind) VALUES ('Staff', 'scim')`);
  await server.database.query(
    `INSERT INTO absences (user_id, substitute_id, start_date, end_date)
     SELECT (SELECT id FROM users WHERE login = 'chloe.lefevre'), (SELECT id FROM users WHERE login = 'alice.martin'), now(), now() + interval '1 day'`,
  );
  // The test writes more than the limit of a minute allows.
  await server.database.query(
    `INSERT INTO parameters (key, value) VALUES ('security.Throttle.writes', '100000')`,
  );
  const sysadmin = await server.signIn('sysadmin');
  const path = '/api/v2/administration/parameters/com.platform.security.Throttle.writes';
  await eventually(async () =>
    expect((await server.call(path, { token: sysadmin })).body.value).toBe(100_000),
  );
});
afterAll(async () => {
  await holder.end();
  await server.close();
});

/** The patch of 9.5 KB that once stopped the process for more than a second. */
function expensivePatch(): object[] {
  const value = { x: Array.from({ length: 990 }, () => []), b: {} };
  const operations: object[] = [{ op: 'add', path: '/description', value }];
  for (let at = 0; at < 5; at++)
    operations.push({ op: 'copy', from: '/description/x', path: `/description/x/${at}` });
  for (let at = 6; at < 100; at++)
    operations.push({ op: 'copy', from: '/description/x', path: `/description/b/c${at}` });
  return operations;
}

const BODIES: [string, unknown][] = [
  ['a change', [{ op: 'replace', path: '/description', value: 'x' }]],
  ['no change', []],
  ['no patch', { description: 'x' }],
  ['null', null],
  ['broken JSON', '{"a":'],
  ['an unknown attribute', [{ op: 'add', path: '/nothing', value: 1 }]],
  ['a reference to nothing', [{ op: 'replace', path: '/manager', value: '999999' }]],
  ['a reference to something', [{ op: 'replace', path: '/manager', value: '1' }]],
  ['a failed test', [{ op: 'test', path: '/label', value: 'another' }]],
  ['a large one', 'x'.repeat(70_000)],
  ['an expensive patch', expensivePatch()],
];

const waitingLocks = () =>
  server.database.query(
    `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
     WHERE d.datname = current_database() AND NOT granted`,
  );

describe.each(['PUT', 'PATCH', 'DELETE'])('%s of what the caller may not write', (method) => {
  it.each(BODIES)('answers 403 without waiting for the lock: %s', async (_, body) => {
    await holder.query('BEGIN');
    await holder.query(`SELECT 1 FROM organizations WHERE reference = 'SALES' FOR UPDATE`);
    const path = `/api/v2${await uriOf(server, 'organizations', 'SALES')}`;
    const answer = await server.call(path, { method, token: bruno, body });
    const waiting = await waitingLocks();
    await holder.query('ROLLBACK');
    expect([answer.status, answer.body, waiting]).toEqual([
      403,
      without(`organizations:${method === 'DELETE' ? 'delete' : 'change'}`),
      [],
    ]);
  });
});

describe.each(servedResources().map(({ name, ref }) => [name, ref] as const))(
  'writing %s without the right',
  (name, { uri, table }) => {
    // Everybody creates absences and filters of their own.
    const isOwn = ['absences', 'task-filters'].includes(name);
    const methods = ['POST', 'PUT', 'PATCH', 'DELETE'].slice(isOwn ? 1 : 0);
    it.each(methods)(
      'answers %s alike whatever the body holds, without waiting for a lock',
      async (method) => {
        await holder.query('BEGIN');
        const { rows } = await holder.query<{ id: string }>(
          `SELECT id FROM ${table} ${name === 'users' ? `WHERE login = 'alice.martin'` : ''} LIMIT 1 FOR UPDATE`,
        );
        const path = `/api/v2${uri}${method === 'POST' ? '' : `/${rows[0]!.id}`}`;
        const answers = new Set<string>();
        for (const [, body] of BODIES) {
          const answer = await server.call(path, { method, token: bruno, body });
          answers.add(`${answer.status} ${answer.text}`);
        }
        const waiting = await waitingLocks();
        await holder.query('ROLLBACK');
        expect([[...answers], waiting]).toEqual([
          [
            expect.stringMatching(
              /^40[34] \{"code":40[34],"message":"[^"]+","reason":"[\w-]+","parameters":\{("permission":"[\w:-]+")?\}\}$/,
            ),
          ],
          [],
        ]);
      },
    );
  },
);

describe("credentials and settings of another user's account", () => {
  it.each([
    ['PUT', 'password', { password: 'Battery-Staple-2027' }],
    ['PUT', 'password', '{"password":'],
    ['PUT', 'password', { password: 7, other: 1 }],
    ['POST', 'api-keys', { name: 'k' }],
    ['POST', 'api-keys', { name: 7 }],
    ['POST', 'api-keys', 'x'],
    ['POST', 'invitation', { any: 'thing' }],
    ['PUT', 'photo', 'no picture'],
  ])('is closed whatever is sent: %s %s %j', async (method, name, body) => {
    const path = `${USERS}/${ids['chloe.lefevre']}/${name}`;
    const answer = await server.call(path, { method, token: bruno, body });
    const action = { invitation: 'invite', photo: 'change' }[name] ?? 'set-credentials';
    expect([answer.status, answer.body]).toEqual([403, without(`users:${action}`)]);
  });
});

describe('one’s own password in PUT and PATCH', () => {
  const failures = async (id: string) =>
    (await server.database.query(`SELECT failures FROM sign_ins WHERE user_id = ${id}`))[0];

  const REFUSED = {
    code: 403,
    message:
      'Change your own password with PUT /api/v2/directory/users/{id}/password, with the current one',
  };

  it.each(['Portal-Demo-2026', 'Wrong-Guess-0001', 'weak', '', 7, ['weak']])(
    'gets the same answer, which does not reveal whether it is right: %j',
    async (value) => {
      const path = `${USERS}/${ids['bruno.keller']}`;
      const before = await failures(ids['bruno.keller']!);
      const body = [{ op: 'add', path: '/password', value }];
      const answer = await server.call(path, { method: 'PATCH', token: bruno, body });
      expect([answer.status, answer.body]).toEqual([403, REFUSED]);
      expect(await failures(ids['bruno.keller']!)).toEqual(before);
    },
  );

  it.each([
    ['PATCH', [{ op: 'add', path: '/password', value: 'Thief-Owns-This-1!' }]],
    ['PATCH', [{ op: 'replace', path: '', value: { password: 'Thief-Owns-This-1!' } }]],
    ['PUT', { login: 'alice.martin', lastName: 'Martin', password: 'Thief-Owns-This-1!' }],
  ])('is refused for administrators too: %s %j', async (method, body) => {
    const path = `${USERS}/${ids['alice.martin']}`;
    const answer = await server.call(path, { method, token: admin, body });
    expect([answer.status, answer.body]).toEqual([403, REFUSED]);
    expect(await server.signIn('alice.martin')).toBeDefined();
  });
});

describe('attributes that an owner may not write', () => {
  it('are refused alike whether the linked object exists or not', async () => {
    const made = await server.call('/api/v2/process/tasks', {
      method: 'POST',
      token: admin,
      body: {
        title: 'Own task',
        application: await idOf(server, 'applications', 'LEAVE'),
        assignee: ids['bruno.keller'],
      },
    });
    const path = `/api/v2/process/tasks/${made.body.id as string}`;
    const refused = { code: 403, message: 'You may not change: application' };
    const travel = await idOf(server, 'applications', 'TRAVEL');
    for (const value of [travel, '99999', 'nonsense', null]) {
      const body = [{ op: 'replace', path: '/application', value }];
      const patched = await server.call(path, { method: 'PATCH', token: bruno, body });
      expect([value, patched.status, patched.body]).toEqual([value, 403, refused]);
      const put = { ...made.body, application: value };
      const replaced = await server.call(path, { method: 'PUT', token: bruno, body: put });
      expect([value, replaced.status, replaced.body]).toEqual([value, 403, refused]);
    }
  });
});

describe('the account of sysadmin', () => {
  it('lets only sysadmin change its photo and groups', async () => {
    const refused = {
      code: 403,
      message: 'Only the system administrator may change this account',
    };
    const photo = `${USERS}/${ids.sysadmin}/photo`;
    const [group] = await server.database.query<{ id: string }>('SELECT id FROM groups LIMIT 1');
    const member = `/api/v2/directory/groups/${group!.id}/members/${ids.sysadmin}`;
    for (const [method, path] of [
      ['PUT', photo],
      ['DELETE', photo],
      ['PUT', member],
      ['DELETE', member],
    ] as const)
      expect([method, path, (await server.call(path, { method, token: admin })).body]).toEqual([
        method,
        path,
        refused,
      ]);
    const sysadmin = await server.signIn('sysadmin');
    expect((await server.call(member, { method: 'PUT', token: sysadmin })).status).toBe(204);
  });
});

describe('locks', () => {
  it('on the row of one user do not delay sign-ins', async () => {
    const keyOf = async (token: string, login: string) =>
      (
        await server.call(`${USERS}/${ids[login]}/api-keys`, {
          method: 'POST',
          token,
          body: { name: 'k' },
        })
      ).body.key as string;
    const keys = {
      'bruno.keller': await keyOf(bruno, 'bruno.keller'),
      'chloe.lefevre': await keyOf(chloe, 'chloe.lefevre'),
    };
    await holder.query('BEGIN');
    // The lock of a deletion, the strongest lock that any statement takes.
    await holder.query(`SELECT 1 FROM users WHERE login = 'bruno.keller' FOR UPDATE`);
    await holder.query(`SELECT 1 FROM sign_ins WHERE user_id = ${ids['bruno.keller']} FOR UPDATE`);
    const signIn = (login: keyof typeof keys) =>
      server.call('/api/v2/authentication', {
        method: 'POST',
        body: { login, password: keys[login] },
      });
    const held = [signIn('bruno.keller'), signIn('bruno.keller')];
    const others = await Promise.all([1, 2, 3, 4].map(() => signIn('chloe.lefevre')));
    // The answers arrived while the lock was still held.
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await holder.query('ROLLBACK');
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
  });
});
