import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountService } from '../../src/directory/account.service.js';
import { idOf } from '../support/id-of.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Accounts of programs, their keys, and the tokens of people that they get (docs/api-contract.md#service-accounts). */

const API = '/api/v2';
const ACCOUNTS = `${API}/directory/service-accounts`;
const USERS = `${API}/directory/users`;
const EXCHANGE = `${API}/authentication/token-exchange`;

type Json = Record<string, unknown>;

let server: TestServer;
let alice: string;
let bruno: string;
beforeAll(async () => {
  server = await startTestServer();
  alice = await server.signIn('alice.martin');
  bruno = await server.signIn('bruno.keller');
});
afterAll(() => server.close());

const call = (method: string, path: string, body?: unknown, token = alice) =>
  server.call(path, { method, token, body });

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

const missing = (permission: string) => ({
  code: 403,
  message: `You have no access to this endpoint or resource: it needs ${permission}`,
  reason: 'missing-permission',
  parameters: { permission },
});

/** A role with these permissions, everywhere or in a scope. */
async function give(user: string, permissions: string[], scope: Json = {}): Promise<void> {
  const role = await call('POST', `${API}/directory/roles`, { label: 'Test', permissions });
  const given = { user, role: role.body.uri, ...scope };
  expect((await call('POST', `${API}/directory/role-assignments`, given)).status).toBe(201);
}

/** A service account with a role, a key and a token. */
async function makeAccount(login: string, permissions: string[], options: Json = {}) {
  const { scope = {}, key = {}, ...more } = options as { scope?: Json; key?: Json };
  const made = await call('POST', ACCOUNTS, { login, title: login, ...more });
  expect(made.status).toBe(201);
  const path = `${API}${made.body.uri as string}`;
  if (permissions.length > 0) await give(login, permissions, scope);
  const created = await makeKey(path, key);
  return { path, id: String(made.body.id), key: created, token: await signIn(login, created.key) };
}

async function makeKey(path: string, options: Json = {}) {
  const body = { name: 'Key', expiration: inDays(30), ...options };
  const { status, body: created } = await call('POST', `${path}/api-keys`, body);
  expect([status, created]).toMatchObject([201, { name: 'Key' }]);
  return created as { id: string; key: string; prefix: string; expiration: string };
}

async function signIn(login: string, key: string): Promise<string> {
  const { status, body } = await server.call(`${API}/authentication`, {
    method: 'POST',
    body: { login, password: key },
  });
  expect(status).toBe(200);
  return String(body.token);
}

describe('a service account', () => {
  it('is written and read as a resource of its own', async () => {
    const account = { login: 'portal', title: 'Portal', description: 'Ours', callsPerMinute: 60 };
    const { status, body } = await call('POST', ACCOUNTS, account);
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        uri: `/directory/service-accounts/${String(body.id)}`,
        reference: 'portal',
        label: 'Portal',
        ...account,
        status: 1,
        creationDate: expect.any(String),
        modificationDate: expect.any(String),
        lastLoginDate: null,
      },
    ]);
    const path = `${ACCOUNTS}/portal`;
    const renamed = [{ op: 'replace', path: '/title', value: 'Our portal' }];
    expect((await call('PATCH', path, renamed)).body).toMatchObject({ title: 'Our portal' });
    const taken = await call('POST', ACCOUNTS, { login: 'bruno.keller', title: 'Bruno' });
    expect([taken.status, taken.body.reason]).toEqual([409, 'taken']);
    const person = await call('GET', `${ACCOUNTS}/bruno.keller`);
    expect(person.status).toBe(404);
    expect((await call('DELETE', path)).status).toBe(204);
  });

  it('is not written by people without the permission', async () => {
    const refused = await call('POST', ACCOUNTS, { login: 'x', title: 'X' }, bruno);
    expect([refused.status, refused.body]).toEqual([403, missing('service-accounts:create')]);
  });

  it('appears neither among the people nor in their searches', async () => {
    const { id } = await makeAccount('invisible', []);
    const listed = await server.call(`${USERS}?filters=login:eq:invisible`, {
      token: alice,
      headers: { Prefer: 'count=exact' },
    });
    expect([listed.body, listed.headers['x-total-count']]).toEqual([[], '0']);
    const search = '/navigation/search/workplace?searchName=workplace_searchUsers';
    const found = await call('GET', `${search}&searchField=quickSearch&query=invisible`);
    expect(found.body).toMatchObject({ type: 'success', data: [] });
    expect((await call('GET', `${USERS}/${id}`)).body).toMatchObject({ login: 'invisible' });
    const session = await call('GET', `${ACCOUNTS}?filters=login:eq:invisible`);
    expect(session.body).toMatchObject([{ login: 'invisible' }]);
  });

  it('has neither a password nor an invitation, and is not written as a user', async () => {
    const { id } = await makeAccount('closed', []);
    const refused = {
      code: 403,
      message: 'Service accounts are written at /api/v2/directory/service-accounts',
      reason: 'service-account',
      parameters: {},
    };
    const title = [{ op: 'replace', path: '/title', value: 'Other' }];
    for (const [method, path, body] of [
      ['PATCH', `${USERS}/${id}`, title],
      ['DELETE', `${USERS}/${id}`, undefined],
      ['PUT', `${USERS}/${id}/password`, { password: 'a long new password 1' }],
      ['POST', `${USERS}/${id}/invitation`, undefined],
      ['POST', `${USERS}/${id}/api-keys`, { name: 'Key' }],
    ] as const)
      expect([method, (await call(method, path, body)).body]).toEqual([method, refused]);
    const invited = { users: [`/directory/users/${id}`], delivery: 'link' };
    expect((await call('POST', `${USERS}/invitations`, invited)).body).toMatchObject([
      { code: null, problem: 'unknown' },
    ]);
  });

  it('gets no password from the command line either', async () => {
    const { id } = await makeAccount('commanded', []);
    const reset = server.app
      .get(AccountService, { strict: false })
      .resetPassword({}, id, 'Another-Password-1');
    await expect(reset).rejects.toMatchObject({ status: 403 });
  });

  it('is unlocked and signed out as users are', async () => {
    const { id, token } = await makeAccount('locked', []);
    expect((await call('DELETE', `${USERS}/${id}/lock`)).status).toBe(204);
    expect((await call('DELETE', `${USERS}/${id}/tokens`)).status).toBe(204);
    expect((await call('GET', `${USERS}/me`, undefined, token)).status).toBe(401);
  });

  it('ends with its status', async () => {
    const { path, token } = await makeAccount('ending', []);
    expect((await call('GET', `${USERS}/me`, undefined, token)).body.login).toBe('ending');
    await call('PATCH', path, [{ op: 'replace', path: '/status', value: 0 }]);
    expect((await call('GET', `${USERS}/me`, undefined, token)).status).toBe(401);
  });
});

describe('a key of a service account', () => {
  it('expires', async () => {
    const { path } = await makeAccount('expiring', []);
    const { status, body } = await call('POST', `${path}/api-keys`, { name: 'Key' });
    expect([status, body.fields]).toEqual([400, [{ name: 'expiration', message: 'is required' }]]);
  });

  it('permits no more than it says, nor than its account may do', async () => {
    const key = { permissions: ['news:create', 'documents:create'] };
    const { token } = await makeAccount('limited', ['news:*'], { key });
    const news = { title: 'News', body: 'Text' };
    const created = await call('POST', `${API}/content/news`, news, token);
    expect(created.status).toBe(201);
    const path = `${API}${created.body.uri as string}`;
    const changed = await call('PUT', path, { ...created.body, title: 'Other' }, token);
    expect([changed.status, changed.body]).toEqual([403, missing('news:change')]);
    const document = await call('POST', `${API}/content/documents`, {}, token);
    expect([document.status, document.body]).toEqual([403, missing('documents:create')]);
  });

  it('limits a role that is confined to an object, down to attributes', async () => {
    const chloe = await idOf(server, 'users', 'chloe.lefevre');
    const { body } = await call('GET', `${USERS}/${chloe}`);
    const scope = { organization: (body.organization as Json).uri };
    const key = { permissions: ['users:read', 'users:change:userFunction'] };
    const { token } = await makeAccount('confined', ['users:*'], { scope, key });
    const change = (name: string) =>
      call('PATCH', `${USERS}/${chloe}`, [{ op: 'replace', path: `/${name}`, value: 'X' }], token);
    expect((await change('userFunction')).status).toBe(200);
    const refused = await change('lastName');
    expect([refused.status, refused.body.message]).toEqual([403, 'You may not change: lastName']);
  });

  it('shows no object of a confined role by a permission for an attribute', async () => {
    const role = { scope: { application: 'LEAVE' } };
    const shown = async (login: string, permissions: string[]) => {
      const { token } = await makeAccount(login, ['tasks:read'], { ...role, key: { permissions } });
      const { body } = await call('GET', `${API}/process/tasks?range=0-1`, undefined, token);
      return (body as unknown as Json[]).length;
    };
    expect(await shown('reads.tasks', ['tasks:read'])).toBe(1);
    expect(await shown('reads.titles', ['tasks:read:title'])).toBe(0);
  });

  it('shows in the feed what it permits, and ends cursors of other keys', async () => {
    const account = await makeAccount('feeding', ['customers:read', 'users:*']);
    const key = { name: 'Narrow', expiration: inDays(1), permissions: ['users:read'] };
    const made = await call('POST', `${account.path}/api-keys`, key);
    const narrow = await signIn('feeding', String(made.body.key));
    const feed = (token: string, cursor = '') =>
      call(
        'GET',
        `${API}/changes?kinds=users,customers${cursor && `&after=${cursor}`}`,
        undefined,
        token,
      );
    const wide = await feed(account.token);
    expect(wide.status).toBe(200);
    expect((await feed(narrow)).status).toBe(200);
    const ended = await feed(narrow, encodeURIComponent(String(wide.body.next)));
    expect(ended.status).toBe(410);
  });

  it('names an unknown permission', async () => {
    const { path } = await makeAccount('faulty', []);
    const faulty = { name: 'Key', expiration: inDays(1), permissions: ['news:fly'] };
    const { status, body } = await call('POST', `${path}/api-keys`, faulty);
    expect([status, body.fields]).toEqual([
      400,
      [{ name: 'permissions', message: '[0] is not a permission: news:fly' }],
    ]);
  });

  it('is replaced by one like it, and stays valid for a while', async () => {
    const key = { permissions: ['news:create'], addresses: '127.0.0.0/8' };
    const account = await makeAccount('rotating', ['news:*'], { key });
    const rotation = `${account.path}/api-keys/${account.key.id}/rotation`;
    const { status, body } = await call('POST', rotation, { overlap: 2 });
    expect([status, body]).toMatchObject([201, { name: 'Key', ...key, lastUseDate: null }]);
    const life = (Date.parse(String(body.expiration)) - Date.now()) / 86_400_000;
    expect(Math.round(life)).toBe(30);
    await signIn('rotating', String(body.key));
    await signIn('rotating', account.key.key);
    const [old] = (await call('GET', `${account.path}/api-keys?filters=id:eq:${account.key.id}`))
      .body as unknown as Json[];
    const rest = (Date.parse(String(old!.expiration)) - Date.now()) / 3_600_000;
    expect(rest).toBeGreaterThan(1.9);
    expect(rest).toBeLessThan(2.1);
    expect((await call('POST', `${account.path}/api-keys/999/rotation`, {})).status).toBe(404);
  });

  it('ends its tokens with the overlap of a replacement', async () => {
    const account = await makeAccount('replaced', ['news:*']);
    expect((await call('GET', `${USERS}/me`, undefined, account.token)).status).toBe(200);
    const rotation = `${account.path}/api-keys/${account.key.id}/rotation`;
    const byKey = 'WHERE api_key_id = $1';
    const ends = `UPDATE tokens SET expiration = now() + interval '9 hours' ${byKey}`;
    await server.database.query(ends, [account.key.id]);
    expect((await call('POST', rotation, { overlap: 1 })).status).toBe(201);
    const [token] = await server.database.query<{ ended: boolean }>(
      `SELECT expiration <= now() + interval '1 hour' AS ended FROM tokens ${byKey}`,
      [account.key.id],
    );
    expect(token).toEqual({ ended: true });
    expect((await call('GET', `${USERS}/me`, undefined, account.token)).status).toBe(200);
  });

  it('makes no further key', async () => {
    const account = await makeAccount('growing', ['service-accounts:*']);
    const body = { name: 'Key', expiration: inDays(9) };
    for (const path of [`${account.path}/api-keys`, `${USERS}/me/api-keys`]) {
      const refused = await call('POST', path, body, account.token);
      expect([refused.status, refused.body.reason]).toEqual([403, 'sign-in-without-key-required']);
    }
  });

  it('is not made by who may do less than the account', async () => {
    const { path } = await makeAccount('mighty', ['*']);
    await give('bruno.keller', ['service-accounts:*']);
    const refused = await call('POST', `${path}/api-keys`, { name: 'Key' }, bruno);
    expect([refused.status, refused.body.reason]).toEqual([403, 'more-rights']);
    const changed = [{ op: 'replace', path: '/title', value: 'Mine' }];
    expect((await call('PATCH', path, changed, bruno)).body.reason).toBe('more-rights');
    expect((await call('DELETE', path, undefined, bruno)).body.reason).toBe('more-rights');
  });
});

describe('the limit of calls', () => {
  it('is told in headers, and refuses what exceeds it', async () => {
    const { token } = await makeAccount('hasty', [], { callsPerMinute: 3 });
    const answers = [];
    for (let calls = 0; calls < 4; calls++)
      answers.push(await server.call(`${USERS}/me`, { token }));
    const told = answers.map(({ status, headers }) => [
      status,
      headers['ratelimit-limit'],
      headers['ratelimit-remaining'],
    ]);
    expect(told).toEqual([
      [200, '3', '2'],
      [200, '3', '1'],
      [200, '3', '0'],
      [429, '3', '0'],
    ]);
    const { headers, body } = answers[3]!;
    expect(Number(headers['retry-after'])).toBeGreaterThan(10);
    expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(50);
    expect(body).toEqual({
      code: 429,
      message: 'Too many calls: at most 3 in a minute',
      reason: 'too-many-calls',
      parameters: { max: 3 },
    });
  });
});

describe('a token on behalf of a person', () => {
  const request = (login: string) => ({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: login,
    subject_token_type: 'urn:process-platform:token-type:login',
  });

  const exchange = (login: string, token: string) => call('POST', EXCHANGE, request(login), token);

  it('is short, the person’s own, and audited with both names', async () => {
    const { id, token, path } = await makeAccount('agent', ['users:act-for']);
    const { status, body } = await exchange('bruno.keller', token);
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: expect.any(Number),
        expiration: expect.stringMatching(/T[\d:]{8}Z$/),
      },
    ]);
    expect(body.expires_in).toBeGreaterThan(290);
    expect(body.expires_in).toBeLessThanOrEqual(300);
    const own = String(body.access_token);
    const me = await call('GET', `${USERS}/me`, undefined, own);
    expect(me.body.login).toBe('bruno.keller');
    const nick = [{ op: 'replace', path: '/nickName', value: 'B.' }];
    expect((await call('PATCH', `${USERS}/me`, nick, own)).status).toBe(200);
    const [line] = (await call('GET', `${API}/administration/audit?filters=agent:eq:${id}`))
      .body as unknown as Json[];
    expect(line).toMatchObject({
      action: 'update',
      actor: { reference: 'bruno.keller' },
      agent: { reference: 'agent', uri: `/directory/users/${id}`, label: 'agent' },
    });
    const [given] = (
      await call('GET', `${API}/administration/audit?filters=action:eq:act-for&range=0-1`)
    ).body as unknown as Json[];
    expect(given).toMatchObject({
      actor: { reference: 'agent' },
      agent: null,
      object: { reference: 'bruno.keller' },
    });
    const sessions = await call('GET', `${USERS}/bruno.keller/tokens?sorter=-id&range=0-1`);
    expect(sessions.body).toMatchObject([
      { agent: { id, uri: `/directory/users/${id}`, reference: 'agent', label: 'agent' } },
    ]);
    // It ends with the account that got it.
    await call('PATCH', path, [{ op: 'replace', path: '/status', value: 0 }]);
    expect((await call('GET', `${USERS}/me`, undefined, own)).status).toBe(401);
  });

  it('permits only what both may do', async () => {
    const { token } = await makeAccount('modest', ['users:act-for', 'news:create']);
    const own = String((await exchange('alice.martin', token)).body.access_token);
    const news = { title: 'News', body: 'Text' };
    expect((await call('POST', `${API}/content/news`, news, own)).status).toBe(201);
    const refused = await call('GET', `${API}/administration/audit`, undefined, own);
    expect([refused.status, refused.body]).toEqual([403, missing('audit:read')]);
    const again = await exchange('bruno.keller', own);
    expect([again.status, again.body.reason]).toEqual([403, 'no-service-account']);
  });

  it('permits nothing that a confined role gives the person', async () => {
    const login = 'sophie.bohm';
    await give(login, ['tasks:read'], { application: 'LEAVE' });
    const { token } = await makeAccount('reader', ['users:act-for', 'tasks:read']);
    const own = String((await exchange(login, token)).body.access_token);
    const numberOf = async (caller: string) => {
      const { body } = await call('GET', `${API}/process/tasks?range=0-500`, undefined, caller);
      return (body as unknown as Json[]).length;
    };
    const waiting = `${API}/process/tasks?range=0-500&filters=application.reference:neq:LEAVE`;
    const others = (await call('GET', waiting, undefined, own)).body as unknown as Json[];
    const [behalf, direct] = [await numberOf(own), await numberOf(await server.signIn(login))];
    expect(direct).toBeGreaterThan(behalf);
    expect(others.length).toBeLessThanOrEqual(behalf);
    const stream = await call('HEAD', '/navigation/workplace/events', undefined, own);
    expect(stream.status).toBe(403);
  });

  it('proves no presence of the person', async () => {
    const { token } = await makeAccount('absent', ['*']);
    const own = String((await exchange('alice.martin', token)).body.access_token);
    const refused = await call('POST', `${USERS}/me/api-keys`, { name: 'Key' }, own);
    expect([refused.status, refused.body.reason]).toEqual([403, 'sign-in-without-key-required']);
  });

  it('gets live counters for people without roles alone', async () => {
    const { token } = await makeAccount('counting', ['users:act-for']);
    const status = async (login: string) => {
      const own = String((await exchange(login, token)).body.access_token);
      return (await call('HEAD', '/navigation/workplace/events', undefined, own)).status;
    };
    expect([await status('chloe.lefevre'), await status('alice.martin')]).toEqual([200, 403]);
  });

  it('follows the rights of the account at once', async () => {
    const { token, path } = await makeAccount('following', ['users:act-for', 'audit:read']);
    const own = String((await exchange('alice.martin', token)).body.access_token);
    const audit = () => call('GET', `${API}/administration/audit?range=0-1`, undefined, own);
    expect((await audit()).status).toBe(200);
    const assignments = `${API}/directory/role-assignments`;
    const id = path.split('/').at(-1);
    const [one] = (await call('GET', `${assignments}?filters=user:eq:${id}`))
      .body as unknown as Json[];
    expect((await call('DELETE', `${API}${one!.uri as string}`)).status).toBe(204);
    expect((await audit()).body).toEqual(missing('audit:read'));
  });

  it('is only for the people of the role', async () => {
    const chloe = await idOf(server, 'users', 'chloe.lefevre');
    const { body } = await call('GET', `${USERS}/${chloe}`);
    const scope = { organization: (body.organization as Json).uri };
    const { token } = await makeAccount('narrow', ['users:act-for'], { scope });
    expect((await exchange('chloe.lefevre', token)).status).toBe(200);
    const refused = await exchange('alice.martin', token);
    expect([refused.status, refused.body]).toEqual([403, missing('users:act-for')]);
  });

  it('is for active people alone, and for service accounts alone', async () => {
    const { token } = await makeAccount('strict', ['users:act-for']);
    for (const login of ['nobody', 'sysadmin', 'strict'])
      expect((await exchange(login, token)).body).toEqual({
        code: 400,
        message: 'Invalid: subject_token',
        fields: [{ name: 'subject_token', message: 'must be the login of a person who is active' }],
      });
    const person = await exchange('bruno.keller', alice);
    expect([person.status, person.body.reason]).toEqual([403, 'no-service-account']);
    const without = await exchange('chloe.lefevre', bruno);
    expect([without.status, without.body]).toEqual([403, missing('users:act-for')]);
    const faulty = await call('POST', EXCHANGE, { subject_token: 'x' }, token);
    expect([faulty.status, faulty.body.message]).toEqual([
      400,
      'Invalid: grant_type, subject_token_type',
    ]);
  });

  it('counts as a call of the account', async () => {
    const { token } = await makeAccount('counted', ['users:act-for'], { callsPerMinute: 2 });
    const own = String((await exchange('bruno.keller', token)).body.access_token);
    const { headers } = await server.call(`${USERS}/me`, { token: own });
    expect(headers['ratelimit-remaining']).toBe('0');
    expect((await call('GET', `${USERS}/me`, undefined, token)).status).toBe(429);
  });
});
