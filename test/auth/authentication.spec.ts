import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { sysadminPassword } from '../support/test-database.js';
import { DEMO_PASSWORD, startTestServer, type TestServer } from '../support/test-server.js';

const PATH = '/api/v2/authentication';
const REFUSED = { code: 401, message: 'Bad or invalid authentication' };
const NOT_LOGGED_IN = {
  code: 401,
  message: 'You are not logged in: the token is missing, invalid or expired',
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const signIn = (body: unknown, headers = {}) =>
  server.call(PATH, { method: 'POST', body, headers });

describe('POST /api/v2/authentication', () => {
  it('answers a token and its expiration, ISO 8601 without milliseconds', async () => {
    const before = Date.now();
    const { status, body, headers } = await signIn({
      login: 'bruno.keller',
      password: DEMO_PASSWORD,
    });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(Object.keys(body)).toEqual(['token', 'expiration']);
    expect(body.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(body.expiration).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const expiration = Date.parse(body.expiration);
    expect(expiration).toBeGreaterThan(before + 3_597_000);
    expect(expiration).toBeLessThan(Date.now() + 3_603_000);
  });

  it('answers overlapping sign-ins each with a token of its own user', async () => {
    const logins = ['alice.martin', 'bruno.keller', 'chloe.lefevre', 'nobody'];
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const login = logins[at % logins.length]!;
        const { status, body } = await signIn({ login, password: DEMO_PASSWORD });
        if (status !== 200) return [login, status];
        const session = await server.call(PATH, { token: body.token as string });
        return [login, session.body.user.reference as string];
      }),
    );
    expect(answers).toEqual(answers.map(([login]) => [login, login === 'nobody' ? 401 : login]));
  });

  it('signs in at the application that was called, not at the last one started in the process', async () => {
    const other = await startTestServer();
    try {
      const token = await server.signIn('bruno.keller');
      expect((await server.call(PATH, { token })).status).toBe(200);
      expect((await other.call(PATH, { token })).status).toBe(401);
    } finally {
      await other.close();
    }
  });

  it('keeps only the SHA-256 of a token', async () => {
    const token = await server.signIn('alice.martin');
    const [row] = await server.database.query(
      `SELECT count(*)::int AS n FROM tokens WHERE hash = sha256($1::bytea)`,
      [Buffer.from(token)],
    );
    expect(row).toEqual({ n: 1 });
    const dump = await server.database.query('SELECT t::text AS line FROM tokens t');
    expect(dump.map(({ line }) => line as string).join()).not.toContain(token);
  });

  it.each([
    ['a wrong password', { login: 'bruno.keller', password: 'wrong' }],
    ['an unknown login', { login: 'nobody.here', password: DEMO_PASSWORD }],
    ['an invited user without a password', { login: 'INVITED', password: DEMO_PASSWORD }],
    ['an inactive user', { login: 'INACTIVE', password: DEMO_PASSWORD }],
  ])('answers one and the same 401 to %s', async (_, { login, password }) => {
    const [status] = login === 'INVITED' ? [2] : [0];
    const [user] = await server.database.query(
      `SELECT login FROM users WHERE status = $1 ORDER BY id LIMIT 1`,
      [status],
    );
    const named = /^[A-Z]+$/.test(login) ? (user!.login as string) : login;
    const answer = await signIn({ login: named, password });
    expect([answer.status, answer.body]).toEqual([401, REFUSED]);
  });

  it('knows a login in any case and compatibility form', async () => {
    for (const login of ['BRUNO.Keller', 'ｂｒｕｎｏ．ｋｅｌｌｅｒ'])
      expect((await signIn({ login, password: DEMO_PASSWORD })).status).toBe(200);
  });

  it('answers sysadmin from outside its own list like a wrong password', async () => {
    await server.database.query(
      `UPDATE parameters SET value = '127.0.0.1, 127.0.0.7' WHERE key LIKE '%ExternalAuthenticationAction%'`,
    );
    await eventually(async () =>
      expect((await server.call('/api/v2', { from: '127.0.0.7' })).status).toBe(200),
    );
    const body = { login: 'sysadmin', password: sysadminPassword() };
    const inside = await server.call(PATH, { method: 'POST', body });
    const outside = await server.call(PATH, { method: 'POST', body, from: '127.0.0.7' });
    expect(inside.status).toBe(200);
    expect([outside.status, outside.body]).toEqual([401, REFUSED]);
    const token = inside.body.token as string;
    const later = await server.call(PATH, { token, from: '127.0.0.7' });
    expect([later.status, later.body]).toEqual([401, NOT_LOGGED_IN]);
  });

  it.each([
    [{}, ['login', 'password']],
    [undefined, ['login', 'password']],
    [{ login: null, password: null }, ['login', 'password']],
    [{ login: 'a' }, ['password']],
    [{ login: ['a'], password: 'b' }, ['login']],
    [{ login: { a: 1 }, password: 'b' }, ['login']],
    [{ login: 7, password: true }, ['login', 'password']],
    [{ login: 'a', password: 'x'.repeat(129) }, ['password']],
    [{ login: 'x'.repeat(251), password: 'b' }, ['login']],
    [{ login: 'a', password: 'b', administrator: true }, ['administrator']],
    [{ login: 'a', password: 'b', constructor: {} }, ['constructor']],
    ['[]', ['body']],
    ['"text"', ['body']],
    ['null', ['body']],
    ['{"login":"a"', ['body']],
    ['{"login":"a\\u0000","password":"b"}', ['login']],
    ['{"login":"\\ud800","password":"b"}', ['login']],
    ['{"__proto__":{"login":"a"},"password":"b"}', ['__proto__', 'login']],
  ])('refuses the body %j naming %j', async (body, names) => {
    const answer = await signIn(body);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe(400);
    const fields = answer.body.fields as { name: string; message: string }[];
    expect(fields.map(({ name }) => name)).toEqual(names);
    expect(answer.text).not.toContain('xxx');
  });

  it('refuses a body together with an Authorization header', async () => {
    const body = { login: 'bruno.keller', password: DEMO_PASSWORD };
    const answer = await signIn(body, { Authorization: 'Bearer x' });
    expect([answer.status, answer.body.fields[0].name]).toEqual([400, 'Authorization']);
  });

  it('refuses a body that is not JSON in UTF-8', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
    ]) {
      const body = 'login=bruno.keller&password=x';
      const answer = await signIn(body, { 'Content-Type': type });
      expect([answer.status, answer.body.code]).toEqual([415, 415]);
    }
  });

  it('refuses a body over 4 KiB', async () => {
    const answer = await signIn({ login: 'a', password: 'x'.repeat(5000) });
    expect([answer.status, answer.body]).toEqual([
      413,
      { code: 413, message: 'The body is too large; at most 4 KiB' },
    ]);
  });

  describe('beyond the tokens that a user may hold', () => {
    const LIMIT = 10;
    beforeAll(async () => {
      await server.database.query(
        `INSERT INTO parameters (key, value) VALUES ('security.Token.limit', '${LIMIT}')`,
      );
      await eventually(async () => {
        const sysadmin = await server.signIn('sysadmin');
        const path = '/api/v2/administration/parameters/com.platform.security.Token.limit';
        expect((await server.call(path, { token: sysadmin })).body.value).toBe(LIMIT);
      });
    });
    afterAll(() =>
      server.database.query(`DELETE FROM parameters WHERE key = 'security.Token.limit'`),
    );

    it('refuses a sign-in until one ends, and ends none before its expiration', async () => {
      const login = 'chloe.lefevre';
      await server.database.query(
        'DELETE FROM tokens USING users u WHERE u.id = user_id AND login = $1',
        [login],
      );
      const tokens: string[] = [];
      for (let at = 0; at < LIMIT; at++) tokens.push(await server.signIn(login));
      const refused = await signIn({ login, password: DEMO_PASSWORD });
      expect([refused.status, refused.body]).toEqual([
        429,
        {
          code: 429,
          message: `Too many requests: an account may hold ${LIMIT} tokens; end a session first`,
        },
      ]);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
      for (const token of tokens) expect((await server.call(PATH, { token })).status).toBe(200);
      await server.call(PATH, { method: 'DELETE', token: tokens[0]! });
      expect((await signIn({ login, password: DEMO_PASSWORD })).status).toBe(200);
      expect((await signIn({ login, password: DEMO_PASSWORD })).status).toBe(429);
      expect((await server.call(PATH, { token: tokens[1]! })).status).toBe(200);
    });

    it('issues no token beyond the limit when sign-ins by key overlap', async () => {
      const token = await server.signIn('sophie.bohm');
      const { body: session } = await server.call(PATH, { token });
      const path = `/api/v2${session.user.uri as string}/api-keys`;
      const made = await server.call(path, { method: 'POST', token, body: { name: 'k' } });
      const body = { login: 'sophie.bohm', password: made.body.key as string };
      const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(body)));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array(LIMIT - 1).fill(200), ...Array(31 - LIMIT).fill(429)]);
    });
  });
});

describe('GET /api/v2/authentication', () => {
  it('answers the session of the token', async () => {
    const token = await server.signIn('alice.martin');
    const { status, body } = await server.call(PATH, { token });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      user: {
        id: expect.stringMatching(/^\d+$/),
        uri: expect.stringMatching(/^\/directory\/users\/\d+$/),
        reference: 'alice.martin',
        label: 'Alice Martin',
      },
      expiration: expect.stringMatching(/Z$/),
      administrator: true,
    });
  });
});

describe('a token', () => {
  it('is valid until its expiration, by database time', async () => {
    const token = await server.signIn('bruno.keller');
    await server.database.query(
      `UPDATE tokens SET expiration = now() - interval '1 second' WHERE hash = sha256($1::bytea)`,
      [Buffer.from(token)],
    );
    const answer = await server.call('/api/v2/directory/users/me', { token });
    expect([answer.status, answer.body]).toEqual([401, NOT_LOGGED_IN]);
  });

  it('is invalid at once after signing out', async () => {
    const token = await server.signIn('bruno.keller');
    expect((await server.call('/api/v2/directory/users/me', { token })).status).toBe(200);
    const out = await server.call(PATH, { method: 'DELETE', token });
    expect([out.status, out.text]).toEqual([204, '']);
    expect((await server.call('/api/v2/directory/users/me', { token })).status).toBe(401);
  });

  it('ends at its sign-out, and the other tokens of its user stay valid', async () => {
    const [leaving, staying] = [
      await server.signIn('bruno.keller'),
      await server.signIn('bruno.keller'),
    ];
    expect((await server.call(PATH, { method: 'DELETE', token: leaving })).status).toBe(204);
    const statuses = await Promise.all(
      [leaving, staying].map(async (token) => (await server.call(PATH, { token })).status),
    );
    expect(statuses).toEqual([401, 200]);
  });

  it('ends when its user is deactivated', async () => {
    const token = await server.signIn('chloe.lefevre');
    expect((await server.call(PATH, { token })).status).toBe(200);
    await server.database.query(`UPDATE users SET status = 0 WHERE login = 'chloe.lefevre'`);
    await eventually(async () => expect((await server.call(PATH, { token })).status).toBe(401));
    await server.database.query(`UPDATE users SET status = 1 WHERE login = 'chloe.lefevre'`);
    expect((await server.call(PATH, { token })).status).toBe(401);
  });

  it.each([
    '',
    ' ',
    'x',
    'x'.repeat(43),
    'x'.repeat(10_000),
    '%00',
    'null',
    'undefined',
    'a, b',
    "' OR 1=1 --",
  ])('is rejected if it is %j', async (token) => {
    const answer = await server.call('/api/v2/directory/users', { token });
    expect([answer.status, answer.body]).toEqual([401, NOT_LOGGED_IN]);
  });

  it('is accepted by the main API only in a header', async () => {
    const token = await server.signIn('bruno.keller');
    const path = `/api/v2/directory/users?_AuthenticationKey=${token}`;
    const answer = await server.call(path);
    expect([answer.status, answer.body]).toEqual([401, NOT_LOGGED_IN]);
  });

  it('is presented on navigation calls in the query parameter _AuthenticationKey or the header', async () => {
    const token = await server.signIn('bruno.keller');
    const path = '/navigation/workplace/categories';
    expect((await server.call(`${path}?_AuthenticationKey=${token}`)).status).toBe(200);
    expect((await server.call(path, { token })).status).toBe(200);
    expect((await server.call(`${path}?_AuthenticationKey=${token}`, { token })).status).toBe(200);
    expect((await server.call(path)).status).toBe(401);
  });

  it('is refused when two different tokens are given', async () => {
    const [one, two] = [await server.signIn('bruno.keller'), await server.signIn('alice.martin')];
    const path = '/navigation/workplace/categories';
    for (const answer of [
      await server.call(`${path}?_AuthenticationKey=${one}`, { token: two }),
      await server.call(`${path}?_AuthenticationKey=${one}&_AuthenticationKey=${two}`),
      await server.call(path, { headers: { 'X-AUTHENTICATION-KEY': [one, two] } }),
    ])
      expect([answer.status, answer.body]).toEqual([401, NOT_LOGGED_IN]);
  });
});
