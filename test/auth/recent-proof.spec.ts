import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldNames } from '../support/call.js';
import { eventually } from '../support/eventually.js';
import { beginTransaction, untilWaitsForLock } from '../support/locks.js';
import { DEMO_PASSWORD, startTestServer, type TestServer } from '../support/test-server.js';

/** Calls that create a credential or grant a right require authentication within the last five minutes. */
const AUTHENTICATION = '/api/v2/authentication';
const CONFIRMATION = `${AUTHENTICATION}/confirmation`;
const USERS = '/api/v2/directory/users';
const REFUSED = {
  code: 401,
  message:
    'Confirm your password first (POST /api/v2/authentication/confirmation), or sign in again: this call requires a sign-in or confirmation in the last 5 minutes, and a sign-in by API key does not count',
  reason: 'recent-sign-in-required',
  parameters: { minutes: 5 },
};

const REFUSED_KEY = {
  code: 403,
  message:
    'Sign in by password or identity provider: this call requires such a sign-in in the last 5 minutes, and the token of an API key does not count',
  reason: 'sign-in-without-key-required',
  parameters: { minutes: 5 },
};

let server: TestServer;
const ids: Record<string, string> = {};
beforeAll(async () => {
  server = await startTestServer();
  const rows = await server.database.query<{ login: string; id: string }>(
    'SELECT login, id::text FROM users',
  );
  for (const { login, id } of rows) ids[login] = id;
  await server.database.query(`UPDATE users SET status = 3 WHERE login = 'sophie.bohm'`);
  await server.database.query(
    `UPDATE parameters SET value = '127.0.0.0/8' WHERE key LIKE '%ExternalAuthenticationAction%'`,
  );
});
// A person may have twenty keys.
afterEach(() => server.database.query('DELETE FROM api_keys'));
afterAll(() => server.close());
beforeAll(async () => {
  const token = await server.signIn('alice.martin');
  for (const [path, body] of [
    [
      ABSENCES,
      {
        reference: 'AWAY',
        substitute: 'bruno.keller',
        application: 'TRAVEL',
        startDate: at(10),
        endDate: at(30),
      },
    ],
    [SOURCES, { reference: 'PUTS', label: 'Engine' }],
    [ENDPOINTS, { reference: 'HEARS', label: 'Worker', mode: 'pull' }],
  ] as const) {
    const made = await call('POST', path, token, body);
    expect([made.status, made.text]).toEqual([201, expect.anything()]);
  }
});

const ABSENCES = '/api/v2/process/absences';
const SOURCES = '/api/v2/process/sources';
const ENDPOINTS = '/api/v2/process/endpoints';
const HOUR = 3_600_000;
const at = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();
const replace = (name: string, value: unknown) => [{ op: 'replace', path: `/${name}`, value }];

const call = (method: string, path: string, token: string, body?: unknown) =>
  server.call(path, { method, token, body });

/** A session whose sign-in is more than five minutes old. */
async function oldSession(login: string): Promise<string> {
  const token = await server.signIn(login);
  await server.database.query(
    `UPDATE tokens SET proof_date = proof_date - interval '301 seconds' WHERE user_id = $1`,
    [ids[login]],
  );
  return token;
}

async function keyOf(login: string, options: object = {}): Promise<string> {
  const token = await server.signIn(login);
  const body = { name: 'proof', ...options };
  const made = await call('POST', `${USERS}/${ids[login]}/api-keys`, token, body);
  expect(made.status).toBe(201);
  return made.body.key as string;
}

const signInWith = async (login: string, key: string): Promise<string> => server.signIn(login, key);

/** Each call that requires recent authentication, by an administrator. */
const CALLS: [string, string, string, unknown][] = [
  ['makes an API key of their own', 'POST', `${USERS}/SELF/api-keys`, { name: 'forever' }],
  ['makes an API key for another user', 'POST', `${USERS}/OTHER/api-keys`, { name: 'forever' }],
  ['resets a password', 'PUT', `${USERS}/OTHER/password`, { password: 'Battery-Staple-2027' }],
  [
    'patches a password',
    'PATCH',
    `${USERS}/OTHER`,
    [{ op: 'add', path: '/password', value: 'Battery-Staple-2027' }],
  ],
  ['invites an active user', 'POST', `${USERS}/OTHER/invitation`, undefined],
  [
    'changes their own e-mail address',
    'PATCH',
    `${USERS}/SELF`,
    [{ op: 'replace', path: '/email', value: 'thief@example.org' }],
  ],
  [
    'makes a user an administrator',
    'PATCH',
    `${USERS}/OTHER`,
    [{ op: 'replace', path: '/administrator', value: true }],
  ],
  [
    'makes a user a process engine',
    'PATCH',
    `${USERS}/OTHER`,
    [{ op: 'replace', path: '/processEngine', value: true }],
  ],
  [
    'makes a user ready for an invitation',
    'PATCH',
    `${USERS}/OTHER`,
    [{ op: 'replace', path: '/status', value: 2 }],
  ],
  [
    'activates an archived user',
    'PATCH',
    `${USERS}/ARCHIVED`,
    [{ op: 'replace', path: '/status', value: 1 }],
  ],
  [
    'changes the login of a user',
    'PATCH',
    `${USERS}/OTHER`,
    [{ op: 'replace', path: '/login', value: 'mallory' }],
  ],
  [
    'creates a user with a password',
    'POST',
    USERS,
    { login: 'ghost', lastName: 'G', password: 'Battery-Staple-2027' },
  ],
  [
    'creates an administrator',
    'POST',
    USERS,
    { login: 'second.admin', lastName: 'A', administrator: true },
  ],
  [
    'enters an absence of their own',
    'POST',
    ABSENCES,
    { substitute: 'chloe.lefevre', startDate: at(200), endDate: at(201) },
  ],
  [
    'enters an absence of another user',
    'POST',
    ABSENCES,
    { user: 'bruno.keller', substitute: 'chloe.lefevre', startDate: at(200), endDate: at(201) },
  ],
  [
    'gives an absence another substitute',
    'PATCH',
    `${ABSENCES}/AWAY`,
    replace('substitute', 'chloe.lefevre'),
  ],
  ['moves the end of an absence', 'PATCH', `${ABSENCES}/AWAY`, replace('endDate', at(40))],
  ['moves the beginning of an absence', 'PATCH', `${ABSENCES}/AWAY`, replace('startDate', at(1))],
  [
    'widens an absence to all applications',
    'PATCH',
    `${ABSENCES}/AWAY`,
    replace('application', null),
  ],
  [
    'makes an absence that of another person',
    'PATCH',
    `${ABSENCES}/AWAY`,
    replace('user', 'chloe.lefevre'),
  ],
  ['creates a source', 'POST', SOURCES, { label: 'Thief', serviceAccount: 'bruno.keller' }],
  [
    'gives a source another service account',
    'PATCH',
    `${SOURCES}/PUTS`,
    replace('serviceAccount', 'bruno.keller'),
  ],
  ['creates an endpoint', 'POST', ENDPOINTS, { label: 'Thief', mode: 'pull' }],
  [
    'gives an endpoint another account',
    'PATCH',
    `${ENDPOINTS}/HEARS`,
    replace('account', 'process.engine'),
  ],
  [
    'sends the events of an endpoint to an address',
    'PATCH',
    `${ENDPOINTS}/HEARS`,
    [...replace('mode', 'push'), ...replace('url', 'https://thief.example/')],
  ],
  ['gives an endpoint an adapter', 'PATCH', `${ENDPOINTS}/HEARS`, replace('adapter', 'camunda7')],
  ['makes a secret of an endpoint', 'POST', `${ENDPOINTS}/HEARS/secrets`, {}],
  [
    'sets the credentials of an endpoint',
    'PUT',
    `${ENDPOINTS}/HEARS/credentials`,
    { scheme: 'bearer', secret: 'thief' },
  ],
];
const filled = (path: string) =>
  path
    .replace('SELF', ids['alice.martin']!)
    .replace('OTHER', ids['chloe.lefevre']!)
    .replace('ARCHIVED', ids['sophie.bohm']!);

describe.each(CALLS)('an administrator who %s', (_, method, path, body) => {
  it('is asked to confirm when the sign-in is older', async () => {
    const answer = await call(method, filled(path), await oldSession('alice.martin'), body);
    expect([answer.status, answer.body]).toEqual([401, REFUSED]);
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_user_authentication", max_age="300"',
    );
  });

  it('is refused with the token of an API key, which nothing can confirm', async () => {
    const token = await signInWith('alice.martin', await keyOf('alice.martin'));
    const answer = await call(method, filled(path), token, body);
    expect([answer.status, answer.body]).toEqual([403, REFUSED_KEY]);
    expect(answer.headers['www-authenticate']).toBeUndefined();
    const confirmed = await call('POST', CONFIRMATION, token, { password: DEMO_PASSWORD });
    expect([confirmed.status, confirmed.body]).toEqual([403, REFUSED_KEY]);
  });
});

describe('the token of an API key', () => {
  it.each([
    ['renames a source', 'PATCH', `${SOURCES}/PUTS`, replace('label', 'ERP'), 200],
    ['pauses an endpoint', 'PATCH', `${ENDPOINTS}/HEARS`, replace('status', 'paused'), 200],
    ['begins an absence later', 'PATCH', `${ABSENCES}/AWAY`, replace('startDate', at(11)), 200],
    ['ends an absence earlier', 'PATCH', `${ABSENCES}/AWAY`, replace('endDate', at(29)), 200],
    ['ends an absence', 'DELETE', `${ABSENCES}/AWAY`, undefined, 204],
  ])('%s, which gives no rights', async (_, method, path, body, status) => {
    const token = await signInWith('alice.martin', await keyOf('alice.martin'));
    const answer = await call(method, path, token, body);
    expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
  });
});

describe('a body that is not valid', () => {
  it('is a 403 before it is a 400 for the token of an API key', async () => {
    const token = await signInWith('alice.martin', await keyOf('alice.martin'));
    const password = filled(`${USERS}/OTHER/password`);
    for (const [method, path] of [
      ['PUT', password],
      ['POST', CONFIRMATION],
    ] as const)
      expect((await call(method, path, token, {})).body).toEqual(REFUSED_KEY);
    const old = await oldSession('alice.martin');
    expect((await call('PUT', password, old, {})).body).toEqual(REFUSED);
    expect((await call('PUT', filled(`${USERS}/SELF/password`), old, {})).status).toBe(400);
  });
});

describe('an invitation', () => {
  let admin: string;
  beforeAll(async () => {
    admin = await server.signIn('alice.martin');
  });
  const byKey = async () => signInWith('alice.martin', await keyOf('alice.martin'));

  it('can be created with the token of an API key for a user who never had a credential', async () => {
    const made = await call('POST', USERS, admin, { login: 'new.hire', lastName: 'H' });
    const path = `${USERS}/${made.body.id as string}`;
    expect((await call('POST', `${path}/invitation`, await byKey())).status).toBe(201);
  });

  it('asks for a proof where the user becomes an administrator at the same moment', async () => {
    const made = await call('POST', USERS, admin, { login: 'promoted.now', lastName: 'P' });
    const id = made.body.id as string;
    const key = await byKey();
    await beginTransaction(server);
    await server.database.query('UPDATE users SET administrator = true WHERE id = $1', [id]);
    const answer = call('POST', `${USERS}/${id}/invitation`, key);
    try {
      await untilWaitsForLock(server);
    } finally {
      await server.database.query('COMMIT');
    }
    expect((await answer).body).toEqual(REFUSED_KEY);
    expect(
      await server.database.query('SELECT FROM invitations WHERE user_id = $1', [id]),
    ).toHaveLength(0);
  });

  it('asks for a proof once the account was used, also when its status is put back', async () => {
    const body = { login: 'once.active', lastName: 'O', password: 'Correct-Horse-2026' };
    const made = await call('POST', USERS, admin, body);
    const path = `${USERS}/${made.body.id as string}`;
    const status = (value: number) => [{ op: 'replace', path: '/status', value }];
    expect((await call('PATCH', path, admin, status(2))).status).toBe(200);
    expect((await call('POST', `${path}/invitation`, await byKey())).body).toEqual(REFUSED_KEY);
    const { code } = (await call('POST', `${path}/invitation`, admin)).body as { code: string };
    expect((await call('PATCH', path, admin, status(1))).status).toBe(200);
    const used = await server.call('/api/v2/directory/invitations', {
      method: 'POST',
      body: { code, password: 'Other-Staple-2028' },
    });
    expect([used.status, fieldNames(used)]).toEqual([400, ['code']]);
  });
});

describe('PUT /api/v2/administration/parameters/{key}', () => {
  it('asks sysadmin for a proof', async () => {
    const path = '/api/v2/administration/parameters/com.platform.audit.retention';
    const answer = await call('PUT', path, await oldSession('sysadmin'), { value: 1 });
    expect([answer.status, answer.body]).toEqual([401, REFUSED]);
  });
});

describe('GET, DELETE /api/v2/directory/users/{id}/identities', () => {
  it('list the identities of a user, and unbind one together with every session', async () => {
    const path = `${USERS}/${ids['chloe.lefevre']}/identities`;
    const bind = (subject: string) =>
      server.database.query(
        `INSERT INTO identities (issuer, subject, user_id) VALUES ('https://${subject}.example', $1, $2)`,
        [subject, ids['chloe.lefevre']],
      );
    await bind('one');
    await bind('two');
    const admin = await server.signIn('alice.martin');
    const listed = await call('GET', `${path}?sorter=subject`, admin);
    expect(listed.body).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        issuer: 'https://one.example',
        subject: 'one',
        creationDate: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ subject: 'two' }),
    ]);
    const bruno = await server.signIn('bruno.keller');
    for (const method of ['GET', 'DELETE'])
      expect((await call(method, path, bruno)).status).toBe(403);
    const token = await server.signIn('chloe.lefevre');
    const one = `${path}/${listed.body[0].id as string}`;
    expect((await call('DELETE', one, token)).status).toBe(204);
    expect((await server.call(AUTHENTICATION, { token })).status).toBe(401);
    expect((await call('DELETE', one, admin)).status).toBe(404);
    expect((await call('DELETE', path, admin)).status).toBe(204);
    expect((await call('GET', path, admin)).body).toEqual([]);
  });

  it('are unbound by a reset too, so that a renamed login leaves nothing behind', async () => {
    const admin = await server.signIn('alice.martin');
    const made = await call('POST', USERS, admin, { login: 'was.renamed', lastName: 'R' });
    const path = `${USERS}/${made.body.id as string}`;
    await server.database.query(
      `INSERT INTO identities (issuer, subject, user_id) VALUES ('https://idp.example', 'mallory', $1)`,
      [made.body.id],
    );
    await call('PUT', `${path}/password`, admin, { password: 'Battery-Staple-2027' });
    expect((await call('GET', `${path}/identities`, admin)).body).toEqual([]);
  });
});

describe('POST /api/v2/authentication/confirmation', () => {
  it('makes an old session recent for five minutes, and is audited', async () => {
    const token = await oldSession('chloe.lefevre');
    const path = `${USERS}/${ids['chloe.lefevre']}/api-keys`;
    expect((await call('POST', path, token, { name: 'k' })).status).toBe(401);
    const answer = await call('POST', CONFIRMATION, token, { password: DEMO_PASSWORD });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await call('POST', path, token, { name: 'k' })).status).toBe(201);
    const lines = await server.database.query(
      `SELECT action FROM audit WHERE object_uri = '/directory/users/${ids['chloe.lefevre']}'
       AND action <> 'unbind-identity' ORDER BY id`,
    );
    expect(lines).toEqual([{ action: 'confirm-password' }, { action: 'create-api-key' }]);
  });

  it.each([
    [{ password: 'wrong' }, ['password']],
    [{}, ['password']],
    [{ password: '' }, ['password']],
    [{ password: 7, other: 1 }, ['other', 'password']],
  ])('rejects the body %j', async (body, names) => {
    const answer = await call('POST', CONFIRMATION, await server.signIn('bruno.keller'), body);
    expect([answer.status, fieldNames(answer)]).toEqual([400, names]);
  });

  it('refuses a password that is replaced while it is evaluated', async () => {
    const login = 'replaced.meanwhile';
    const admin = await server.signIn('alice.martin');
    const PASSWORD = 'Correct-Horse-2026';
    const made = await call('POST', USERS, admin, { login, lastName: 'R', password: PASSWORD });
    const { id } = made.body as { id: string };
    const token = await server.signIn(login, PASSWORD);
    await beginTransaction(server);
    await server.database.query('SELECT FROM known_addresses WHERE user_id = $1 FOR UPDATE', [id]);
    await server.database.query(
      `UPDATE passwords SET hash = (SELECT p.hash FROM passwords p JOIN users u ON u.id = p.user_id
        WHERE u.login = 'alice.martin') WHERE user_id = $1`,
      [id],
    );
    const confirmation = call('POST', CONFIRMATION, token, { password: PASSWORD });
    await untilWaitsForLock(server);
    await server.database.query('COMMIT');
    const { status, body } = await confirmation;
    expect([status, body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: password',
        fields: [{ name: 'password', message: 'is not the current password' }],
      },
    ]);
    const lines = await server.database.query(
      `SELECT 1 FROM audit WHERE object_uri = '/directory/users/${id}' AND action = 'confirm-password'`,
    );
    expect(lines).toEqual([]);
  });

  it('counts guesses like sign-ins, and locks', async () => {
    const login = 'bruno.keller';
    const token = await server.signIn(login);
    await server.database.query('DELETE FROM known_addresses WHERE user_id = $1', [ids[login]]);
    for (let guess = 0; guess < 10; guess++)
      await call('POST', CONFIRMATION, token, { password: 'Wrong-Guess-0001' });
    const [row] = await server.database.query(
      'SELECT failures, locked_until > now() AS locked FROM sign_ins WHERE user_id = $1',
      [ids[login]],
    );
    expect(row).toEqual({ failures: 10, locked: true });
    const answer = await call('POST', CONFIRMATION, token, { password: DEMO_PASSWORD });
    expect(answer.body.fields).toEqual([
      { name: 'password', message: 'is not the current password' },
    ]);
    await expect(server.signIn(login)).rejects.toThrow('401');
    await server.database.query('UPDATE sign_ins SET failures = 0, locked_until = NULL');
  });
});

describe('the token of an API key', () => {
  it('is accepted only from the addresses of its key', async () => {
    const key = await keyOf('bruno.keller', { addresses: '127.0.0.2' });
    let token = '';
    await eventually(async () => {
      const answer = await server.call(AUTHENTICATION, {
        method: 'POST',
        body: { login: 'bruno.keller', password: key },
        from: '127.0.0.2',
      });
      expect(answer.status).toBe(200);
      token = answer.body.token as string;
    });
    const statusFrom = async (from: string, path: string) =>
      (await server.call(path, { token, from })).status;
    for (const path of [AUTHENTICATION, '/navigation/workplace/categories'])
      expect([await statusFrom('127.0.0.2', path), await statusFrom('127.0.0.3', path)]).toEqual([
        200, 401,
      ]);
  });

  it('may not create a key, so that a limited key never creates an unlimited one', async () => {
    const expiration = new Date(Date.now() + 90_000).toISOString();
    const token = await signInWith(
      'bruno.keller',
      await keyOf('bruno.keller', { expiration, addresses: '127.0.0.1' }),
    );
    const path = `${USERS}/${ids['bruno.keller']}/api-keys`;
    expect((await call('POST', path, token, { name: 'forever' })).body).toEqual(REFUSED_KEY);
  });
});

describe('what a new password ends', () => {
  const PASSWORD = 'Correct-Horse-2026';
  let admin: string;
  beforeAll(async () => {
    admin = await server.signIn('alice.martin');
  });
  async function account(login: string) {
    const body = { login, lastName: 'E', password: PASSWORD };
    const { id } = (await call('POST', USERS, admin, body)).body as { id: string };
    ids[login] = id;
    const path = `${USERS}/${id}`;
    const token = await server.signIn(login, PASSWORD);
    const key = (await call('POST', `${path}/api-keys`, token, { name: 'k' })).body.key as string;
    const keyToken = await server.signIn(login, key);
    const code = (await call('POST', `${path}/invitation`, admin)).body.code as string;
    return { id, path, token, key, keyToken, code };
  }
  const alive = async (token: string) =>
    (await server.call(AUTHENTICATION, { token })).status === 200;
  const uses = async (code: string) =>
    (
      await server.call('/api/v2/directory/invitations', {
        method: 'POST',
        body: { code, password: 'Other-Staple-2028' },
      })
    ).status;

  it('set by its owner: invitations and other sessions, but no keys', async () => {
    const { path, token, key, keyToken, code } = await account('ends.own');
    const body = { currentPassword: PASSWORD, password: 'Battery-Staple-2027' };
    expect((await call('PUT', `${path}/password`, token, body)).status).toBe(204);
    expect([await alive(token), await alive(keyToken), await uses(code)]).toEqual([
      true,
      false,
      400,
    ]);
    expect(await server.signIn('ends.own', key)).toBeDefined();
  });

  it.each([
    ['PUT', '/password', { password: 'Battery-Staple-2027' }],
    ['PATCH', '', [{ op: 'add', path: '/password', value: 'Battery-Staple-2027' }]],
  ])('reset by an administrator with %s %s: keys too', async (method, more, body) => {
    const login = `ends.${method.toLowerCase()}`;
    const { id, path, token, key, keyToken, code } = await account(login);
    expect((await call(method, path + more, admin, body)).status).toBeLessThan(300);
    expect([await alive(token), await alive(keyToken), await uses(code)]).toEqual([
      false,
      false,
      400,
    ]);
    await expect(server.signIn(login, key)).rejects.toThrow('401');
    const [line] = await server.database.query(
      `SELECT after FROM audit WHERE action = 'change-password' AND object_uri = $1 ORDER BY id DESC LIMIT 1`,
      [`/directory/users/${id}`],
    );
    expect(line).toEqual({ after: { endedApiKeys: 1 } });
  });

  it('given by an invitation: keys too', async () => {
    const { token, key, keyToken, code } = await account('ends.invited');
    expect(await uses(code)).toBe(204);
    expect([await alive(token), await alive(keyToken)]).toEqual([false, false]);
    await expect(server.signIn('ends.invited', key)).rejects.toThrow('401');
  });
});

describe('ending everything', () => {
  it('voids keys, the invitation and sessions, each in one call', async () => {
    const admin = await server.signIn('alice.martin');
    const path = `${USERS}/${ids['bruno.keller']}`;
    const key = await keyOf('bruno.keller');
    const byKey = await signInWith('bruno.keller', key);
    const token = await server.signIn('bruno.keller');
    const { code } = (await call('POST', `${path}/invitation`, admin)).body as { code: string };
    for (const what of ['api-keys', 'invitation', 'invitation', 'tokens'])
      expect([what, (await call('DELETE', `${path}/${what}`, token)).status]).toEqual([what, 204]);
    for (const ended of [byKey, token])
      expect((await server.call(AUTHENTICATION, { token: ended })).status).toBe(401);
    await expect(server.signIn('bruno.keller', key)).rejects.toThrow('401');
    const used = await server.call('/api/v2/directory/invitations', {
      method: 'POST',
      body: { code, password: 'Other-Staple-2028' },
    });
    expect([used.status, fieldNames(used)]).toEqual([400, ['code']]);
  });
});

describe('POST /api/v2/directory/invitations', () => {
  it('is audited when the code is unknown, and throttled by address like sign-ins', async () => {
    const from = '127.0.0.44';
    const guess = () =>
      server.call('/api/v2/directory/invitations', {
        method: 'POST',
        body: { code: 'guess', password: 'Other-Staple-2028' },
        from,
      });
    expect((await guess()).status).toBe(400);
    await server.database.query(
      `UPDATE address_attempts SET attempts = 100000 WHERE address = '127.0.0.44'`,
    );
    expect((await guess()).status).toBe(429);
    await eventually(async () => {
      const lines = await server.database.query(
        `SELECT reason FROM audit WHERE address = '127.0.0.44' ORDER BY reason`,
      );
      expect(lines).toEqual([
        { reason: 'Too many requests' },
        { reason: 'bad credentials: invitation' },
      ]);
    });
  });

  it('throttles looking for the holder of a code in the same way', async () => {
    const check = () =>
      server.call('/api/v2/directory/invitations/check', {
        method: 'POST',
        body: { code: 'guess' },
        from: '127.0.0.45',
      });
    expect((await check()).status).toBe(400);
    await server.database.query(
      `UPDATE address_attempts SET attempts = 100000 WHERE address = '127.0.0.45'`,
    );
    expect((await check()).status).toBe(429);
  });
});
