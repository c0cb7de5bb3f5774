import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { fieldNames, query } from '../support/call.js';
import { eventually } from '../support/eventually.js';
import {
  type Call,
  DEMO_PASSWORD,
  startTestServer,
  type TestServer,
} from '../support/test-server.js';

const USERS = '/api/v2/directory/users';
const PASSWORD = 'Correct-Horse-2026';
const OTHER = 'Battery-Staple-2027';
const THIRD = 'Paper-Lantern-2028';

let server: TestServer;
let admin: string, sysadmin: string;
const ids: Record<string, string> = {};
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('alice.martin');
  sysadmin = await server.signIn('sysadmin');
  for (const login of [
    'alice.martin',
    'bruno.keller',
    'chloe.lefevre',
    'adele.ashdown',
    'sysadmin',
  ])
    ids[login] = (
      await server.call(USERS + query({ filters: `login:eq:${login}` }), { token: admin })
    ).body[0].id as string;
});
afterAll(() => server.close());

const call = (method: string, path: string, token: string, body?: unknown, more: Call = {}) =>
  server.call(path, { method, token, body, ...more });
const isAlive = async (token: string) =>
  (await server.call('/api/v2/authentication', { token })).status === 200;

describe('PUT /api/v2/directory/users/{id}/password', () => {
  const path = (login: string) => `${USERS}/${ids[login]}/password`;

  it('changes the caller’s password when the current one is given, and ends their other tokens', async () => {
    const [here, elsewhere] = [
      await server.signIn('chloe.lefevre'),
      await server.signIn('chloe.lefevre'),
    ];
    const wrong = await call('PUT', path('chloe.lefevre'), here, {
      currentPassword: 'wrong',
      password: PASSWORD,
    });
    expect([wrong.status, fieldNames(wrong)]).toEqual([400, ['currentPassword']]);
    const missing = await call('PUT', path('chloe.lefevre'), here, { password: PASSWORD });
    expect([missing.status, fieldNames(missing)]).toEqual([400, ['currentPassword']]);
    const body = { currentPassword: DEMO_PASSWORD, password: PASSWORD };
    const answer = await call('PUT', path('chloe.lefevre'), here, body);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await isAlive(here)).toBe(true);
    expect(await isAlive(elsewhere)).toBe(false);
    expect(await server.signIn('chloe.lefevre', PASSWORD)).toBeDefined();
    await expect(server.signIn('chloe.lefevre')).rejects.toThrow('401');
  });

  it('reports every rule that the new password breaks, history included', async () => {
    const token = await server.signIn('chloe.lefevre', PASSWORD);
    const again = await call('PUT', path('chloe.lefevre'), token, {
      currentPassword: PASSWORD,
      password: DEMO_PASSWORD,
    });
    expect([again.status, again.body.errors]).toEqual([400, ['history']]);
    await server.database.query(
      `INSERT INTO parameters (key, value) VALUES ('security.Password.length', '40')`,
    );
    await eventually(async () => {
      const both = await call('PUT', path('chloe.lefevre'), admin, { password: PASSWORD });
      expect(both.body.errors).toEqual(['length', 'history']);
    });
    await server.database.query(`DELETE FROM parameters WHERE key = 'security.Password.length'`);
    await eventually(async () => {
      const rules = await server.call('/api/v2/directory/password-rules');
      expect(rules.body.length).toBe(12);
    });
  });

  it('names each rule of passwords by the code of its error', async () => {
    const { body } = await server.call('/api/v2/directory/password-rules');
    const flags = { lowercase: true, uppercase: true, number: true, 'special-char': true };
    expect(body).toEqual({ length: 12, ...flags, history: 5 });
  });

  it.each([
    ['Correct-Horse-②', []],
    ['Correct-Horse-٢', []],
    ['CorrectHorse1™', ['special-char']],
    [`Ab1-${'e\u0301'.repeat(7)}`, ['length']],
  ])('checks the rules on the NFKC form of a password: %s', async (password, errors) => {
    const answer = await call('PUT', path('adele.ashdown'), admin, { password });
    expect(answer.body?.errors ?? []).toEqual(errors);
    if (errors.length === 0)
      expect(await server.signIn('adele.ashdown', password.normalize('NFKC'))).toBeDefined();
  });

  it('lets administrators set the password of others, except that of sysadmin', async () => {
    const bruno = await server.signIn('bruno.keller');
    const body = { currentPassword: null, password: OTHER };
    expect((await call('PUT', path('alice.martin'), bruno, body)).status).toBe(403);
    expect((await call('PUT', path('bruno.keller'), admin, body)).status).toBe(204);
    expect(await isAlive(bruno)).toBe(false);
    expect((await call('PUT', path('sysadmin'), admin, body)).status).toBe(403);
    const patch = [{ op: 'replace', path: '/password', value: OTHER }];
    expect((await call('PATCH', `${USERS}/${ids.sysadmin}`, admin, patch)).status).toBe(403);
    expect((await call('PATCH', `${USERS}/${ids.sysadmin}`, sysadmin, patch)).body).toEqual({
      code: 403,
      message:
        'Change your own password with PUT /api/v2/directory/users/{id}/password, with the current one',
    });
    expect((await call('PUT', `${USERS}/999999/password`, admin, body)).status).toBe(404);
  });

  it('reports every rule that an empty password breaks, as everywhere', async () => {
    const empty = await call('PUT', path('bruno.keller'), admin, { password: '' });
    const codes = ['length', 'lowercase', 'uppercase', 'number', 'special-char'];
    expect([empty.status, empty.body]).toEqual([
      400,
      { code: 400, message: 'The password does not meet the password rules', errors: codes },
    ]);
    const created = await call('POST', USERS, admin, {
      login: 'empty',
      lastName: 'E',
      password: '',
    });
    expect(created.body).toEqual(empty.body);
  });

  it('checks the current password of a reset too, when it is given', async () => {
    const body = { currentPassword: 'wrong', password: PASSWORD };
    const refused = await call('PUT', path('bruno.keller'), admin, body);
    expect(refused.body).toEqual({
      code: 400,
      message: 'Invalid: currentPassword',
      fields: [{ name: 'currentPassword', message: 'is not the current password' }],
    });
    await expect(server.signIn('bruno.keller', PASSWORD)).rejects.toThrow('401');
    const given = { currentPassword: OTHER, password: PASSWORD };
    expect((await call('PUT', path('bruno.keller'), admin, given)).status).toBe(204);
    expect(await server.signIn('bruno.keller', PASSWORD)).toBeDefined();
  });

  it.each([
    [{}, ['password']],
    [{ password: null }, ['password']],
    [{ password: 7 }, ['password']],
    [{ password: 'x'.repeat(129) }, ['password']],
    [{ password: PASSWORD, currentPassword: 7 }, ['currentPassword']],
    [{ password: PASSWORD, other: 1 }, ['other']],
    [[], ['body']],
  ])('refuses the body %j', async (body, names) => {
    const answer = await call('PUT', path('bruno.keller'), admin, body);
    expect([answer.status, fieldNames(answer)]).toEqual([400, names]);
  });
});

describe('GET, DELETE /api/v2/directory/users/{id}/tokens', () => {
  const path = () => `${USERS}/${ids['alice.martin']}/tokens`;

  it('lists sessions like any list, never the token, and ends one or all', async () => {
    const [one, two] = [await server.signIn('alice.martin'), await server.signIn('alice.martin')];
    const listed = await call('GET', `${path()}?sorter=-id&range=0-2`, one);
    expect(listed.status).toBe(200);
    expect(listed.body).toHaveLength(2);
    expect(listed.body[0]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      creationDate: expect.stringMatching(/\.\d{3}Z$/),
      expiration: expect.stringMatching(/\.\d{3}Z$/),
      address: '127.0.0.1',
      lastUseDate: null,
      userAgent: null,
      agent: null,
    });
    expect(listed.text).not.toContain(two);
    const ended = await call('DELETE', `${path()}/${listed.body[0].id}`, one);
    expect(ended.status).toBe(204);
    expect(await isAlive(two)).toBe(false);
    expect((await call('DELETE', `${path()}/${listed.body[0].id}`, one)).status).toBe(404);
    expect((await call('DELETE', path(), one)).status).toBe(204);
    expect(await isAlive(one)).toBe(false);
    admin = await server.signIn('alice.martin');
  });

  it('answers 403 to other people', async () => {
    const token = await server.signIn('bruno.keller', PASSWORD);
    for (const method of ['GET', 'DELETE'])
      expect((await call(method, path(), token)).status).toBe(403);
    expect((await call('GET', `${USERS}/${ids.sysadmin}/tokens`, admin)).status).toBe(403);
    expect((await call('GET', `${path()}?filters=hash:isempty`, admin)).status).toBe(400);
  });
});

describe('me in the routes of an account', () => {
  const ME = `${USERS}/me`;

  it('stands for the caller, with the rules of their own account', async () => {
    const sophie = await server.signIn('sophie.bohm');
    const { id } = (await call('GET', ME, sophie)).body as { id: string };
    const mine = (method: string, path: string, body?: unknown, more: Call = {}) =>
      call(method, `${ME}/${path}`, sophie, body, more);
    for (const path of ['tokens', 'api-keys', 'identities']) {
      const own = await call('GET', `${USERS}/${id}/${path}`, sophie);
      const answer = await mine('GET', path);
      expect([answer.status, answer.body]).toEqual([200, own.body]);
    }
    const key = await mine('POST', 'api-keys', { name: 'mine' });
    expect(key.status).toBe(201);
    expect((await mine('DELETE', `api-keys/${key.body.id}`)).status).toBe(204);
    const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
    const headers = { 'Content-Type': 'image/png' };
    const stored = await mine('PUT', 'photo', await picture.png().toBuffer(), { headers });
    expect(stored.status).toBe(204);
    expect((await mine('GET', 'photo')).status).toBe(200);
    expect((await mine('DELETE', 'photo')).status).toBe(204);
    const refused = await mine('PUT', 'password', { password: OTHER });
    expect([refused.status, fieldNames(refused)]).toEqual([400, ['currentPassword']]);
    expect((await mine('POST', 'invitation')).status).toBe(403);
  });

  it('answers 401 without a token, and is not an id with which the user can be deleted', async () => {
    const body = { login: 'me.admin', lastName: 'Me', password: PASSWORD, administrator: true };
    expect((await call('POST', USERS, admin, body)).status).toBe(201);
    const own = await server.signIn('me.admin', PASSWORD);
    for (const path of [ME, `${ME}/`]) expect((await call('DELETE', path, own)).status).toBe(404);
    expect((await call('GET', ME, own)).status).toBe(200);
    expect((await server.call(`${ME}/tokens`)).status).toBe(401);
  });
});

describe('invitations', () => {
  const use = (body: unknown) =>
    server.call('/api/v2/directory/invitations', { method: 'POST', body });
  let id: string;
  beforeAll(async () => {
    const made = await call('POST', USERS, admin, { login: 'invited.one', lastName: 'One' });
    id = made.body.id as string;
    expect(made.body.status).toBe(2);
  });
  const invite = async () => {
    const answer = await call('POST', `${USERS}/${id}/invitation`, admin);
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body)).toEqual(['code', 'expiration']);
    return answer.body.code as string;
  };

  it('give a first password by a code that works once', async () => {
    const [old, code] = [await invite(), await invite()];
    expect(fieldNames(await use({ code: old, password: PASSWORD }))).toEqual(['code']);
    const weak = await use({ code, password: 'weak' });
    expect([weak.status, weak.body.errors]).toEqual([
      400,
      ['length', 'uppercase', 'number', 'special-char'],
    ]);
    expect((await use({ code, password: PASSWORD })).status).toBe(204);
    expect(await server.signIn('invited.one', PASSWORD)).toBeDefined();
    expect(fieldNames(await use({ code, password: OTHER }))).toEqual(['code']);
  });

  const check = (code: string) =>
    server.call('/api/v2/directory/invitations/check', { method: 'POST', body: { code } });

  it('name their holder to the page that accepts them, as often as it asks', async () => {
    const code = await invite();
    for (let round = 0; round < 2; round++) {
      const { status, body } = await check(code);
      expect([status, body]).toEqual([
        200,
        {
          purpose: 'invitation',
          login: 'invited.one',
          title: 'One',
          locale: 'en',
          expiration: expect.any(String),
        },
      ]);
    }
    expect(fieldNames(await check(`${code}x`))).toEqual(['code']);
    await call('DELETE', `${USERS}/${id}/invitation`, admin);
    expect(fieldNames(await check(code))).toEqual(['code']);
  });

  it('unlock the account whose password they set', async () => {
    const code = await invite();
    await server.database.query(
      `INSERT INTO sign_ins (user_id, failures, locked_until) VALUES ($1, 9, now() + interval '1 hour')
       ON CONFLICT (user_id) DO UPDATE SET failures = 9, locked_until = excluded.locked_until`,
      [id],
    );
    expect((await use({ code, password: THIRD })).status).toBe(204);
    expect(await server.signIn('invited.one', THIRD)).toBeDefined();
  });

  it('end after 72 hours', async () => {
    const code = await invite();
    await server.database.query(
      `UPDATE invitations SET expiration = expiration - interval '72 hours'`,
    );
    expect(fieldNames(await check(code))).toEqual(['code']);
    expect(fieldNames(await use({ code, password: OTHER }))).toEqual(['code']);
  });

  it.each([
    ['/email', 'moved@portal.example'],
    ['/login', 'invited.renamed'],
    ['/administrator', true],
    ['/processEngine', true],
  ])('are void once an administrator changes %s', async (path, value) => {
    const body = { login: `void${path.slice(1)}`, lastName: 'Void', email: 'typo@portal.example' };
    const user = await call('POST', USERS, admin, body);
    const userPath = `${USERS}/${user.body.id as string}`;
    const { code } = (await call('POST', `${userPath}/invitation`, admin)).body as { code: string };
    const patch = (to: string, content: unknown) =>
      call('PATCH', userPath, admin, [{ op: 'replace', path: to, value: content }]);
    expect((await patch('/lastName', 'Other')).status).toBe(200);
    expect((await check(code)).status).toBe(200);
    expect((await patch(path, value)).status).toBe(200);
    expect(fieldNames(await check(code))).toEqual(['code']);
    expect(fieldNames(await use({ code, password: OTHER }))).toEqual(['code']);
  });

  it('can be created by administrators only, for users who may become active', async () => {
    const token = await server.signIn('invited.one', THIRD);
    expect((await call('POST', `${USERS}/${id}/invitation`, token)).status).toBe(403);
    expect((await call('POST', `${USERS}/${ids.sysadmin}/invitation`, admin)).status).toBe(403);
    await server.database.query('UPDATE users SET status = 3 WHERE id = $1', [id]);
    expect((await call('POST', `${USERS}/${id}/invitation`, admin)).status).toBe(409);
  });
});
