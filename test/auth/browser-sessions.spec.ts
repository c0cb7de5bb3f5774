import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Housekeeping } from '../../src/database/housekeeping.js';
import { eventually } from '../support/eventually.js';
import { idOf } from '../support/id-of.js';
import { RENEWAL, TestBrowser } from '../support/test-browser.js';
import { DEMO_PASSWORD, startTestServer, type TestServer } from '../support/test-server.js';

const AUTHENTICATION = '/api/v2/authentication';
const USERS = '/api/v2/directory/users';
const NEW_PASSWORD = 'Correct-Horse-2026';

/** A page over HTTPS behind a proxy. */
const HTTPS = { Origin: 'https://portal.test', 'Sec-Fetch-Site': 'same-origin' };

let server: TestServer;
let admin: string;
let users = 0;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('alice.martin');
});
afterAll(() => server.close());

const call = (method: string, path: string, token?: string, body?: unknown) =>
  server.call(path, { method, token, body });
const isAlive = async (token: string) => (await call('GET', AUTHENTICATION, token)).status === 200;

/** A new user, their path, and a browser in which they are signed in. */
async function signedIn(headers: Record<string, string> = {}) {
  const login = `browser.${++users}`;
  const body = { login, lastName: 'Browser', password: DEMO_PASSWORD };
  const { id } = (await call('POST', USERS, admin, body)).body as { id: string };
  const browser = new TestBrowser(server, headers);
  await browser.signIn(login);
  return { id, login, path: `${USERS}/${id}`, browser };
}
const age = (id: string, seconds: number) =>
  server.database.query(
    `UPDATE browser_sessions SET last_use_date = last_use_date - make_interval(secs => $2),
       creation_date = creation_date - make_interval(secs => $2) WHERE user_id = $1`,
    [id, seconds],
  );
const setParameter = (key: string, value: string) =>
  server.database.query(
    'INSERT INTO parameters (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    [key, value],
  );

describe('the session cookie', () => {
  it('is set by a sign-in that prefers renewal, only for the renewal route', async () => {
    const browser = new TestBrowser(server);
    const answer = await browser.signIn('bruno.keller');
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body as object)).toEqual(['token', 'expiration']);
    expect(answer.headers['preference-applied']).toBe('renewal');
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^session=[\w-]{43}\.[\w-]{43}; Max-Age=259200; Path=\/api\/v2\/authentication\/renewal; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
      ),
    ]);
  });

  it.each([
    ['a client that does not ask', {}],
    ['a page of another origin', { Prefer: 'renewal', Origin: 'http://evil.test' }],
    ['a client that is no page', { Prefer: 'renewal' }],
    [
      'a page of another site, whatever its host',
      {
        Prefer: 'renewal',
        Host: 'portal.test',
        Origin: 'http://portal.test',
        'Sec-Fetch-Site': 'cross-site',
      },
    ],
  ])('is not set for %s', async (_, headers) => {
    const body = { login: 'bruno.keller', password: DEMO_PASSWORD };
    const answer = await server.call(AUTHENTICATION, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('is not set for an API key', async () => {
    const id = await idOf(server, 'users', 'bruno.keller');
    const token = await server.signIn('bruno.keller');
    const made = await call('POST', `${USERS}/${id}/api-keys`, token, { name: 'program' });
    const browser = new TestBrowser(server);
    const { status, headers } = await browser.signIn(
      'bruno.keller',
      (made.body as { key: string }).key,
    );
    expect([status, headers['set-cookie']]).toEqual([200, undefined]);
  });

  it('is one of this host alone where the page came over HTTPS, also behind a proxy that ends TLS', async () => {
    const { browser } = await signedIn(HTTPS);
    const { headers } = await browser.renew();
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-session=[\w-]{43}\.[\w-]{43}; Max-Age=\d+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
    const out = await server.call(AUTHENTICATION, {
      method: 'DELETE',
      token: browser.token,
      headers: { Host: 'portal.test', ...HTTPS },
    });
    expect(out.headers['set-cookie']?.[0]).toMatch(
      /^__Host-session=; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure;/,
    );
  });

  it.each([
    ['of the name that it has over plain HTTP', 'session='],
    ['of another case', '__host-session='],
    ['behind a blank that is no space', '\u00a0__Host-session='],
    ['behind a tab', '\t__Host-session='],
  ])('gives way to no cookie %s, which another host can set', async (_, planted) => {
    const attacker = (await signedIn(HTTPS)).browser;
    const { login, browser } = await signedIn(HTTPS);
    const secret = attacker.cookie.split('=', 2)[1]!;
    expect((await browser.renew(`a=b; ${planted}${secret}; ${browser.cookie}`)).status).toBe(200);
    const session = await call('GET', AUTHENTICATION, browser.token);
    expect(session.body.user.reference).toBe(login);
    expect((await browser.renew(`a=b; ${planted}${secret}`)).status).toBe(401);
  });

  it('opens no other route', async () => {
    const { browser } = await signedIn();
    const headers = { Cookie: browser.cookie, Host: 'portal.test', Origin: 'http://portal.test' };
    expect((await server.call(AUTHENTICATION, { headers })).status).toBe(401);
  });

  it('is stored only as hashes', async () => {
    const { browser } = await signedIn();
    await browser.renew();
    const rows = await server.database.query('SELECT b::text AS row FROM browser_sessions b');
    const secrets = browser.cookie.replace('session=', '').split('.');
    for (const secret of secrets) {
      expect(JSON.stringify(rows)).not.toContain(secret);
      const bytes = Buffer.from(secret, 'base64url').toString('hex');
      expect(JSON.stringify(rows)).not.toContain(bytes);
    }
  });
});

describe('POST /api/v2/authentication/renewal', () => {
  it('answers a token of the same user and replaces the cookie', async () => {
    const { login, browser } = await signedIn();
    const [token, cookie] = [browser.token, browser.cookie];
    const answer = await browser.renew();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      expiration: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    expect(browser.cookie).not.toBe(cookie);
    const session = await call('GET', AUTHENTICATION, browser.token);
    expect(session.body.user.reference).toBe(login);
    expect(await isAlive(token)).toBe(true);
  });

  it('answers 401 and deletes the cookie when there is no such session', async () => {
    const browser = new TestBrowser(server);
    const secret = 'x'.repeat(43);
    for (const cookie of ['', 'session=', 'session=short', `session=${secret}.${secret}`]) {
      const answer = await browser.renew(cookie);
      expect([cookie, answer.status]).toEqual([cookie, 401]);
      expect(answer.headers['set-cookie']?.[0]).toMatch(
        /^session=; Path=.*; Expires=Thu, 01 Jan 1970/,
      );
    }
  });

  it.each([
    ['another origin', { Origin: 'http://evil.test' }],
    ['another site behind the same host', { 'Sec-Fetch-Site': 'same-site' }],
    ['no page', { Origin: '' }],
  ])('answers 403 to %s, and does not renew', async (_, headers) => {
    const { browser } = await signedIn();
    const stranger = new TestBrowser(server, headers);
    expect((await stranger.renew(browser.cookie)).status).toBe(403);
    const rows = await server.database.query<{ salt: unknown }>(
      'SELECT salt FROM browser_sessions ORDER BY id DESC LIMIT 1',
    );
    expect(rows).toEqual([{ salt: null }]);
  });

  it('gives tabs that renew at the same time the same cookie', async () => {
    const { browser } = await signedIn();
    const before = browser.cookie;
    const answers = await Promise.all([browser.renew(), browser.renew(), browser.renew(before)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const cookies = answers.map(({ headers }) => headers['set-cookie']![0]!.split(';')[0]);
    expect(new Set(cookies).size).toBe(1);
    expect((await browser.renew(cookies[0])).status).toBe(200);
  });

  it('ends the session when a replaced secret is presented, and audits it', async () => {
    const { id, login, browser } = await signedIn();
    const copied = browser.cookie;
    await browser.renew();
    await age(id, 31);
    const thief = new TestBrowser(server);
    expect((await thief.renew(copied)).status).toBe(401);
    expect(await isAlive(browser.token)).toBe(false);
    expect((await browser.renew()).status).toBe(401);
    const { body } = await call(
      'GET',
      `/api/v2/administration/audit?filters=object:eq:/directory/users/${id}&filters=action:eq:end-sessions`,
      admin,
    );
    expect(body).toHaveLength(1);
    expect(body[0].actor.reference).toBe(login);
  });

  it('ends the session for a secret that was replaced long ago', async () => {
    const { browser } = await signedIn();
    const first = browser.cookie;
    await browser.renew();
    await browser.renew();
    expect((await new TestBrowser(server).renew(first)).status).toBe(401);
    expect(await isAlive(browser.token)).toBe(false);
  });

  it('ends the session for a replaced secret also at the limit of valid tokens', async () => {
    const { id, browser } = await signedIn();
    const copied = browser.cookie;
    await browser.renew();
    await age(id, 31);
    await setParameter('security.Token.limit', '10');
    try {
      const more = new TestBrowser(server);
      await eventually(async () =>
        expect((await more.signIn(`browser.${users}`)).status).toBe(429),
      );
      expect((await new TestBrowser(server).renew(copied)).status).toBe(401);
      expect(await isAlive(browser.token)).toBe(false);
    } finally {
      await setParameter('security.Token.limit', '10000');
    }
  });

  it('is no recent proof of identity, and the password still gives one', async () => {
    const { path, browser } = await signedIn();
    await browser.renew();
    const key = () => call('POST', `${path}/api-keys`, browser.token, { name: 'k' });
    const challenged = await key();
    expect(challenged.status).toBe(401);
    expect(challenged.headers['www-authenticate']).toContain('insufficient_user_authentication');
    const password = { password: DEMO_PASSWORD };
    await call('POST', `${AUTHENTICATION}/confirmation`, browser.token, password);
    expect((await key()).status).toBe(201);
  });

  it('counts guesses as failures of the address', async () => {
    await setParameter('security.Throttle.failures', '10');
    const guess = () =>
      new TestBrowser(server).renew(`session=${'y'.repeat(43)}.${'z'.repeat(43)}`);
    const { browser } = await signedIn();
    await eventually(async () => expect((await guess()).status).toBe(429));
    // Guesses from a colleague's address do not block valid sessions.
    expect((await guess()).status).toBe(429);
    expect((await browser.renew()).status).toBe(200);
    await setParameter('security.Throttle.failures', '300');
    await server.database.query('DELETE FROM address_attempts');
    await eventually(async () => expect((await guess()).status).toBe(401));
  });

  it('keeps to the limit of valid tokens', async () => {
    const { id, browser } = await signedIn();
    await setParameter('security.Token.limit', '10');
    try {
      await eventually(async () => expect((await browser.renew()).status).toBe(429));
      const [row] = await server.database.query<{ count: string }>(
        'SELECT count(*) FROM tokens WHERE user_id = $1',
        [id],
      );
      expect(Number(row!.count)).toBe(10);
      await server.database.query(
        'DELETE FROM tokens WHERE id IN (SELECT id FROM tokens WHERE user_id = $1 LIMIT 5)',
        [id],
      );
      expect((await browser.renew()).status).toBe(200);
    } finally {
      await setParameter('security.Token.limit', '10000');
    }
  });
});

describe('a browser session', () => {
  it('ends when it has not been renewed for the idle time', async () => {
    const { id, browser } = await signedIn();
    await age(id, 259_100);
    expect((await browser.renew()).status).toBe(200);
    await age(id, 259_201);
    expect((await browser.renew()).status).toBe(401);
  });

  it('ends after its longest lifetime, however often it is renewed', async () => {
    const { id, browser } = await signedIn();
    await server.database.query(
      `UPDATE browser_sessions SET creation_date = now() - interval '2591000 seconds' WHERE user_id = $1`,
      [id],
    );
    const answer = await browser.renew();
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/Max-Age=(9\d\d|1000);/);
    const { expiration } = answer.body as { expiration: string };
    expect(Date.parse(expiration)).toBeLessThan(Date.now() + 1_001_000);
    await server.database.query(
      `UPDATE browser_sessions SET creation_date = now() - interval '2592001 seconds' WHERE user_id = $1`,
      [id],
    );
    expect((await browser.renew()).status).toBe(401);
  });

  it('follows a lowered limit immediately', async () => {
    const { id, browser } = await signedIn();
    await age(id, 1_000);
    await setParameter('security.Session.idle', '900');
    try {
      await eventually(async () => {
        const other = await signedIn();
        await age(other.id, 1_000);
        expect((await other.browser.renew()).status).toBe(401);
      });
      expect((await browser.renew()).status).toBe(401);
    } finally {
      await setParameter('security.Session.idle', '259200');
    }
  });

  it.each<[string, (account: Awaited<ReturnType<typeof signedIn>>) => Promise<unknown>]>([
    ['sign-out in one tab', ({ browser }) => call('DELETE', AUTHENTICATION, browser.token)],
    ['the end of all sessions', ({ path }) => call('DELETE', `${path}/tokens`, admin)],
    [
      'a password that an administrator sets',
      ({ path }) => call('PUT', `${path}/password`, admin, { password: NEW_PASSWORD }),
    ],
    [
      'the own password, changed in another browser',
      async ({ path, login }) => {
        const body = { currentPassword: DEMO_PASSWORD, password: NEW_PASSWORD };
        return call('PUT', `${path}/password`, await server.signIn(login), body);
      },
    ],
    [
      'deactivation, even if it is taken back',
      async ({ path }) => {
        for (const value of [0, 1])
          await call('PATCH', path, admin, [{ op: 'replace', path: '/status', value }]);
      },
    ],
    ['deletion of the user', ({ path }) => call('DELETE', path, admin)],
    [
      'an unbound identity',
      async ({ id, path }) => {
        await server.database.query(
          `INSERT INTO identities (issuer, subject, user_id) VALUES ('https://issuer.test', 'unbound', $1)`,
          [id],
        );
        return call('DELETE', `${path}/identities`, admin);
      },
    ],
  ])('ends with all of its tokens by %s', async (_, act) => {
    const account = await signedIn();
    const { browser } = account;
    const first = browser.token;
    await browser.renew();
    await act(account);
    expect([await isAlive(first), await isAlive(browser.token)]).toEqual([false, false]);
    expect((await browser.renew()).status).toBe(401);
  });

  it('ends by sign-out, and other browsers and tokens of its user stay signed in', async () => {
    const { login, browser } = await signedIn();
    const other = new TestBrowser(server);
    await other.signIn(login);
    const program = await server.signIn(login);
    await call('DELETE', AUTHENTICATION, browser.token);
    const alive = await Promise.all([browser.token, other.token, program].map(isAlive));
    expect(alive).toEqual([false, true, true]);
    expect([(await browser.renew()).status, (await other.renew()).status]).toEqual([401, 200]);
  });

  it('ends at the end of all sessions also when none of its tokens is valid any more', async () => {
    const { id, path, browser } = await signedIn();
    await server.database.query('DELETE FROM tokens WHERE user_id = $1', [id]);
    await call('DELETE', `${path}/tokens`, admin);
    expect((await browser.renew()).status).toBe(401);
  });

  it('stays, with all of its tabs, when its own user changes the password in it', async () => {
    const { path, browser } = await signedIn();
    const first = browser.token;
    await browser.renew();
    const body = { currentPassword: DEMO_PASSWORD, password: NEW_PASSWORD };
    expect((await call('PUT', `${path}/password`, browser.token, body)).status).toBe(204);
    expect([await isAlive(first), await isAlive(browser.token)]).toEqual([true, true]);
    expect((await browser.renew()).status).toBe(200);
  });

  it('deletes the cookie at sign-out, and that of no other client', async () => {
    const { login, browser } = await signedIn();
    const out = await call('DELETE', AUTHENTICATION, browser.token);
    expect(out.headers['set-cookie']?.[0]).toMatch(
      /^session=; Path=\/api\/v2\/authentication\/renewal;/,
    );
    const other = await call('DELETE', AUTHENTICATION, await server.signIn(login));
    expect(other.headers['set-cookie']).toBeUndefined();
  });

  it('is one line in the list of sessions, where it can be ended separately', async () => {
    const { path, login, browser } = await signedIn({ 'User-Agent': 'Test/1.0 (Linux)' });
    await browser.renew();
    const program = await server.signIn(login);
    const { body } = await call('GET', `${path}/tokens?sorter=id`, program);
    expect(body).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        creationDate: expect.any(String),
        expiration: expect.any(String),
        address: '127.0.0.1',
        lastUseDate: expect.any(String),
        userAgent: 'Test/1.0 (Linux)',
        agent: null,
      },
      expect.objectContaining({ lastUseDate: null, userAgent: null }),
    ]);
    expect((await call('DELETE', `${path}/tokens/${body[0].id}`, program)).status).toBe(204);
    expect((await browser.renew()).status).toBe(401);
    expect([await isAlive(browser.token), await isAlive(program)]).toEqual([false, true]);
  });

  it('does not end by the id of one of its tokens', async () => {
    const { id, path, browser } = await signedIn();
    const [row] = await server.database.query<{ id: string }>(
      'SELECT id FROM tokens WHERE user_id = $1',
      [id],
    );
    expect((await call('DELETE', `${path}/tokens/${row!.id}`, admin)).status).toBe(404);
    expect(await isAlive(browser.token)).toBe(true);
  });

  it('is deleted by housekeeping once it has ended', async () => {
    const [lapsed, changed, open] = [await signedIn(), await signedIn(), await signedIn()];
    const values = [lapsed.id];
    await server.database.query(
      'UPDATE browser_sessions SET expiration = now() WHERE user_id = $1',
      values,
    );
    for (const value of [0, 1])
      await call('PATCH', changed.path, admin, [{ op: 'replace', path: '/status', value }]);
    await server.app.get(Housekeeping).run();
    const rows = await server.database.query<{ user_id: string }>(
      'SELECT user_id FROM browser_sessions WHERE user_id = ANY ($1)',
      [[lapsed.id, changed.id, open.id]],
    );
    expect(rows.map(({ user_id }) => user_id)).toEqual([open.id]);
  });
});

describe('the 101st browser of a user', () => {
  it('gets a token without a cookie', async () => {
    const { id, login } = await signedIn();
    await server.database.query(
      `INSERT INTO browser_sessions (user_id, hash, current_hash, credential_version, address, expiration)
       SELECT $1, sha256(n::text::bytea), ''::bytea, 0, '', now() + interval '1 day' FROM generate_series(1, 99) n`,
      [id],
    );
    const answer = await new TestBrowser(server).signIn(login);
    const { 'set-cookie': cookie, 'preference-applied': applied } = answer.headers;
    expect([answer.status, cookie, applied]).toEqual([200, undefined, undefined]);
  });
});

describe('a browser session that has ended', () => {
  it.each([
    ['by a change of credentials', -1, '1 day'],
    ['by its expiration', 0, '-1 day'],
  ])('%s does not count towards the hundred of a user', async (_, version, left) => {
    const { id, login } = await signedIn();
    await server.database.query(
      `INSERT INTO browser_sessions (user_id, hash, current_hash, credential_version, address, expiration)
       SELECT $1::bigint, sha256(($1::bigint || '/' || n)::bytea), ''::bytea, $2, '', now() + $3::interval FROM generate_series(1, 99) n`,
      [id, version, left],
    );
    const answer = await new TestBrowser(server).signIn(login);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([200, [expect.any(String)]]);
  });
});

describe('the renewal of sysadmin', () => {
  const setAddresses = (value: string) =>
    setParameter('security.Authentication.allowedAddresses.sysadmin', value);
  afterEach(() => setAddresses('127.0.0.1, ::1'));

  it('obeys the IP allowlist of sysadmin', async () => {
    const browser = new TestBrowser(server);
    const { sysadminPassword } = await import('../support/test-database.js');
    await browser.signIn('sysadmin', sysadminPassword());
    expect((await browser.renew()).status).toBe(200);
    await setAddresses('10.0.0.0/8');
    await eventually(async () => expect((await browser.renew()).status).toBe(401));
  });
});

describe('below a base path', () => {
  it('the cookie belongs to the route below it', async () => {
    const based = await startTestServer({ BASE_PATH: '/platform' });
    const body = { login: 'bruno.keller', password: DEMO_PASSWORD };
    const headers = { Prefer: 'renewal', Host: 'a.test', Origin: 'http://a.test' };
    const path = `/platform${AUTHENTICATION}`;
    const answer = await based.call(path, { method: 'POST', headers, body });
    expect(answer.headers['set-cookie']?.[0]).toContain(`; Path=/platform${RENEWAL};`);
    await based.close();
  });
});
