import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldNames } from '../support/call.js';
import { eventually } from '../support/eventually.js';
import { beginTransaction, untilWaitsForLock } from '../support/locks.js';
import { DEMO_PASSWORD, startTestServer, type TestServer } from '../support/test-server.js';

const AUTHENTICATION = '/api/v2/authentication';
const REFUSED = { code: 401, message: 'Bad or invalid authentication' };
const HOME = '127.0.0.5';

let server: TestServer;
let admin: string, bruno: string, sysadmin: string;
let path: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('alice.martin');
  bruno = await server.signIn('bruno.keller');
  sysadmin = await server.signIn('sysadmin');
  path = await pathOf(bruno);
  await server.database.query(
    `UPDATE parameters SET value = '127.0.0.0/8' WHERE key LIKE '%ExternalAuthenticationAction%'`,
  );
  await eventually(async () =>
    expect((await server.call('/api/v2', { from: HOME })).status).toBe(200),
  );
});
afterAll(() => server.close());

const pathOf = async (token: string) => {
  const { body } = await server.call(AUTHENTICATION, { token });
  return `/api/v2${body.user.uri as string}/api-keys`;
};
const make = (body: object, token = bruno, to = path) =>
  server.call(to, { method: 'POST', token, body });
const signIn = (login: string, password: string, from = '127.0.0.1') =>
  server.call(AUTHENTICATION, { method: 'POST', body: { login, password }, from });
const shown = { lastUseDate: null, lastUseAddress: null };

describe('POST /api/v2/directory/users/{id}/api-keys', () => {
  it('makes a named key and shows it once', async () => {
    const answer = await make({ name: 'Portal' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'Portal',
      prefix: (answer.body.key as string).slice(0, 12),
      permissions: null,
      expiration: null,
      addresses: null,
      creationDate: expect.stringMatching(/^\d{4}-.*Z$/),
      ...shown,
      key: expect.stringMatching(/^ppk_[A-Za-z0-9_-]{43}$/),
    });
    const list = await server.call(path, { token: bruno });
    const { key, ...kept } = answer.body as Record<string, unknown>;
    expect(list.body).toContainEqual(kept);
    expect(list.text).not.toContain(key);
    const stored = await server.database.query('SELECT k::text AS line FROM api_keys k');
    const trail = await server.database.query('SELECT a::text AS line FROM audit a');
    for (const { line } of [...stored, ...trail]) expect(line).not.toContain(key);
  });

  it('cuts its expiration to milliseconds, as resources do', async () => {
    for (const [expiration, stored] of Object.entries({
      '2030-01-01T00:00:00.9999Z': '2030-01-01T00:00:00.999Z',
      '9999-12-31T23:59:59.9999Z': '9999-12-31T23:59:59.999Z',
    })) {
      const { status, body } = await make({ name: 'Cut', expiration });
      expect([status, body.expiration]).toEqual([201, stored]);
      await server.call(`${path}/${body.id}`, { method: 'DELETE', token: bruno });
    }
  });

  it.each([
    [{}, ['name']],
    [{ name: '' }, ['name']],
    [{ name: 7 }, ['name']],
    [{ name: 'x'.repeat(101) }, ['name']],
    [{ name: 'a', expiration: 'tomorrow' }, ['expiration']],
    [{ name: 'a', expiration: '2020-01-01T00:00:00.000Z' }, ['expiration']],
    [{ name: 'a', addresses: 'localhost' }, ['addresses']],
    [{ name: 'a', addresses: ' , ' }, ['addresses']],
    [{ name: 'a', addresses: { toString: 1 } }, ['addresses']],
    [
      { name: null, expiration: 5, addresses: [], scope: 'x' },
      ['scope', 'name', 'expiration', 'addresses'],
    ],
  ])('refuses %j naming %j', async (body, names) => {
    const answer = await make(body);
    expect(answer.status).toBe(400);
    expect(fieldNames(answer)).toEqual(names);
  });

  it('allows twenty a user', async () => {
    const chloe = await server.signIn('chloe.lefevre');
    const to = await pathOf(chloe);
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, at) => make({ name: `key ${at}` }, chloe, to)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(20).fill(201), ...Array(5).fill(409)]);
    expect(answers.find(({ status }) => status === 409)!.body).toEqual({
      code: 409,
      message: 'A user can have at most 20 API keys',
    });
    const page = await server.call(`${to}?range=15-10&sorter=-name&filters=name:contains:key`, {
      token: chloe,
      headers: { Prefer: 'count=exact' },
    });
    expect(page.body).toHaveLength(5);
    expect(page.headers['x-total-count']).toBe('20');
  });

  it('lets people create their own keys and administrators those of others, except of sysadmin', async () => {
    expect((await make({ name: 'by admin' }, admin)).status).toBe(201);
    const chloe = await server.signIn('chloe.lefevre');
    expect((await make({ name: 'by another' }, chloe)).status).toBe(403);
    const ofSysadmin = await pathOf(sysadmin);
    expect((await make({ name: 'taken over' }, admin, ofSysadmin)).status).toBe(403);
    expect((await make({ name: 'own' }, sysadmin, ofSysadmin)).status).toBe(201);
  });
});

describe('POST /api/v2/authentication with an API key as password', () => {
  const keyOf = async (options: object = {}, token = bruno, to = path) =>
    (await make({ name: 'key', ...options }, token, to)).body as { id: string; key: string };

  it('issues each of many concurrent sign-ins the token of its own user', async () => {
    const owners: [string, string][] = [];
    for (const [login, token] of [
      ['alice.martin', admin],
      ['bruno.keller', bruno],
    ] as const)
      owners.push([login, (await keyOf({}, token, await pathOf(token))).key]);
    const attempts = owners.flatMap(([login], at) =>
      owners.flatMap(([, key], of) => Array(4).fill({ login, key, isRight: at === of })),
    ) as { login: string; key: string; isRight: boolean }[];
    const outcomes = await Promise.all(
      attempts.map(async ({ login, key }) => {
        const { status, body } = await signIn(login, key);
        if (status !== 200) return [status, body];
        const session = await server.call(AUTHENTICATION, { token: String(body.token) });
        return [status, String(session.body.user.uri)];
      }),
    );
    const [{ ids }] = (await server.database.query(
      `SELECT jsonb_object_agg(login, '/directory/users/' || id) AS ids FROM users`,
    )) as [{ ids: Record<string, string> }];
    expect(outcomes).toEqual(
      attempts.map(({ login, isRight }) => (isRight ? [200, ids[login]] : [401, REFUSED])),
    );
  });

  it('lets the others of a batch sign in when the row of one account is locked', async () => {
    const { key } = await keyOf();
    const { key: other } = await keyOf({}, admin, await pathOf(admin));
    await signIn('bruno.keller', key);
    await server.database.query('BEGIN');
    await server.database.query(
      `SELECT FROM sign_ins JOIN users u ON u.id = user_id WHERE login = 'bruno.keller' FOR UPDATE OF sign_ins`,
    );
    const [held, free] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => signIn('bruno.keller', key))),
      Promise.all(Array.from({ length: 8 }, () => signIn('alice.martin', other))),
    ]);
    await server.database.query('ROLLBACK');
    expect(held.map(({ status }) => status)).toEqual(Array(8).fill(503));
    expect(free.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  it('is refused when the user is deleted at the same moment', async () => {
    const [{ id }] = (await server.database.query(
      `INSERT INTO users (login, last_name, title, status) VALUES ('leaving', 'L', 'L', 1) RETURNING id::text`,
    )) as [{ id: string }];
    const { key } = await keyOf({}, admin, `/api/v2/directory/users/${id}/api-keys`);
    await beginTransaction(server);
    await server.database.query('DELETE FROM users WHERE id = $1', [id]);
    const answer = signIn('leaving', key);
    await untilWaitsForLock(server);
    await server.database.query('COMMIT');
    expect((await answer).body).toEqual(REFUSED);
  });

  it('answers a token, and keeps the last use', async () => {
    const { id, key } = await keyOf();
    const answer = await signIn('Bruno.KELLER', key, HOME);
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['token', 'expiration']]);
    const me = await server.call('/api/v2/directory/users/me', { token: answer.body.token });
    expect(me.body.login).toBe('bruno.keller');
    const list = await server.call(`${path}?filters=id:eq:${id}`, { token: bruno });
    expect(list.body[0]).toMatchObject({
      lastUseAddress: HOME,
      lastUseDate: expect.stringMatching(/Z$/),
    });
  });

  it('refuses a key for another login, a changed key, a key as token, and a token as password', async () => {
    const { key } = await keyOf();
    const token = await server.signIn('bruno.keller');
    const other = key.endsWith('A') ? 'B' : 'A';
    for (const [login, password] of [
      ['alice.martin', key],
      ['nobody', key],
      ['bruno.keller', key.slice(0, -1)],
      ['bruno.keller', key.slice(0, -1) + other],
      ['bruno.keller', key.toUpperCase()],
      ['bruno.keller', ` ${key}`],
      ['bruno.keller', token],
    ] as const) {
      const answer = await signIn(login, password);
      expect([answer.status, answer.body]).toEqual([401, REFUSED]);
    }
    expect((await server.call('/api/v2/directory/users/me', { token: key })).status).toBe(401);
  });

  it('accepts a key only from the addresses of the key', async () => {
    const { key } = await keyOf({ addresses: '127.0.0.5, 10.0.0.0/8' });
    expect((await signIn('bruno.keller', key, HOME)).status).toBe(200);
    expect((await signIn('bruno.keller', key)).body).toEqual(REFUSED);
  });

  it('ends with its expiration, and so does its token', async () => {
    const expiration = new Date(Date.now() + 60_000).toISOString();
    const { id, key } = await keyOf({ expiration });
    const { token, expiration: end } = (await signIn('bruno.keller', key)).body;
    expect(end).toBe(expiration.replace(/\.\d+Z$/, 'Z'));
    await server.database.query(`UPDATE api_keys SET expiration = now() WHERE id = $1`, [id]);
    expect((await signIn('bruno.keller', key)).body).toEqual(REFUSED);
    expect((await server.call(AUTHENTICATION, { token })).status).toBe(200);
  });

  it('is deleted together with the tokens that it issued, at once', async () => {
    const { id, key } = await keyOf();
    const { token } = (await signIn('bruno.keller', key)).body;
    expect((await server.call(AUTHENTICATION, { token })).status).toBe(200);
    const answer = await server.call(`${path}/${id}`, { method: 'DELETE', token: bruno });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await server.call(AUTHENTICATION, { token })).status).toBe(401);
    expect((await server.call(AUTHENTICATION, { token: bruno })).status).toBe(200);
    expect((await signIn('bruno.keller', key)).body).toEqual(REFUSED);
    for (const keyId of [id, 'x', '0', '1e3'])
      expect(
        (await server.call(`${path}/${keyId}`, { method: 'DELETE', token: bruno })).status,
      ).toBe(404);
  });

  it('is refused while its user is locked, except from addresses that used it before', async () => {
    const { key } = await keyOf();
    expect((await signIn('bruno.keller', key, HOME)).status).toBe(200);
    await server.database.query(
      `UPDATE sign_ins SET failures = 10, locked_until = now() + interval '1 hour' FROM users u WHERE u.id = user_id AND login = 'bruno.keller'`,
    );
    expect((await signIn('bruno.keller', key, '127.0.0.77')).body).toEqual(REFUSED);
    expect((await signIn('bruno.keller', key, HOME)).status).toBe(200);
    await server.database.query('UPDATE sign_ins SET failures = 0, locked_until = NULL');
  });

  it('counts wrong API keys as failed sign-ins', async () => {
    const wrong = `ppk_${'x'.repeat(43)}`;
    for (let time = 0; time < 10; time++) await signIn('bruno.keller', wrong, '127.0.0.78');
    expect((await signIn('bruno.keller', DEMO_PASSWORD, '127.0.0.78')).body).toEqual(REFUSED);
    await server.database.query('UPDATE sign_ins SET failures = 0, locked_until = NULL');
  });

  it('keeps the failure count of its user when a key signs in', async () => {
    const { key } = await keyOf();
    await signIn('bruno.keller', 'wrong', '127.0.0.79');
    await signIn('bruno.keller', key, '127.0.0.80');
    const [row] = await server.database.query(
      `SELECT failures FROM sign_ins s JOIN users u ON u.id = s.user_id WHERE login = 'bruno.keller'`,
    );
    expect(row).toEqual({ failures: 1 });
  });

  it('refuses keys of inactive users, and of sysadmin from outside its allowlist', async () => {
    const { key } = await keyOf({}, sysadmin, await pathOf(sysadmin));
    expect((await signIn('sysadmin', key)).status).toBe(200);
    expect((await signIn('sysadmin', key, HOME)).body).toEqual(REFUSED);
    const own = await keyOf();
    const status = (value: number) =>
      server.database.query(`UPDATE users SET status = $1 WHERE login = 'bruno.keller'`, [value]);
    await status(0);
    expect((await signIn('bruno.keller', own.key)).body).toEqual(REFUSED);
    await status(1);
    expect((await signIn('bruno.keller', own.key)).status).toBe(200);
  });
});
