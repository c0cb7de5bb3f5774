import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { startTestProvider, type TestProvider } from '../support/identity-provider.js';
import { type Answer, startTestServer, type TestServer } from '../support/test-server.js';

/** A token is issued only if its credential is still valid. CREDENTIAL_ROUNDS sets how often each change is made. */
const ROUNDS = Number(process.env.CREDENTIAL_ROUNDS ?? 4);

const AUTHENTICATION = '/api/v2/authentication';
const USERS = '/api/v2/directory/users';
const PASSWORD = 'Correct-Horse-2026';
const OTHER = 'Battery-Staple-2027';

let provider: TestProvider;
let server: TestServer;
let admin: string;
let accounts = 0;
beforeAll(async () => {
  provider = await startTestProvider();
  server = await startTestServer({ OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: 'portal' });
  // The failed sign-ins of many rounds would throttle the address.
  await server.database.query(
    `INSERT INTO parameters (key, value) VALUES ('security.Throttle.failures', '1000000')
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
  admin = await server.signIn('alice.martin');
});
afterAll(async () => {
  await server.close();
  await provider.stop();
});

/** A user with all three kinds of credentials. */
interface Account {
  id: string;
  login: string;
  path: string;
  token: string;
  key: string;
  bearer: string;
}

const call = async (method: string, path: string, token: string, body?: unknown) => {
  const answer = await server.call(path, { method, token, body });
  expect([method, path, answer.status < 300, answer.text]).toEqual([
    method,
    path,
    true,
    expect.anything(),
  ]);
  return answer;
};

async function makeAccount(): Promise<Account> {
  // Many rounds take longer than a sign-in counts as recent.
  admin = await server.signIn('alice.martin');
  const login = `in.flight.${++accounts}`;
  const { id } = (await call('POST', USERS, admin, { login, lastName: 'F', password: PASSWORD }))
    .body as { id: string };
  const path = `${USERS}/${id}`;
  const token = await server.signIn(login, PASSWORD);
  const { key } = (await call('POST', `${path}/api-keys`, token, { name: 'k' })).body as Account;
  // No user has the login of this identity, so that it cannot bind itself again once unbound.
  const subject = `subject of ${login}`;
  await server.database.query(
    'INSERT INTO identities (issuer, subject, user_id) VALUES ($1, $2, $3)',
    [provider.issuer, subject, id],
  );
  const now = Math.floor(Date.now() / 1000);
  const bearer = await new SignJWT({
    preferred_username: 'nobody.at.all',
    iat: now,
    exp: now + 600,
  })
    .setIssuer(provider.issuer)
    .setAudience('portal')
    .setSubject(subject)
    .setProtectedHeader({ alg: 'RS256', kid: provider.kid })
    .sign(provider.key);
  return { id, login, path, token, key, bearer };
}

const signInBy = {
  password: ({ login }: Account) =>
    server.call(AUTHENTICATION, { method: 'POST', body: { login, password: PASSWORD } }),
  key: ({ login, key }: Account) =>
    server.call(AUTHENTICATION, { method: 'POST', body: { login, password: key } }),
  identity: ({ bearer }: Account) =>
    server.call(AUTHENTICATION, { method: 'POST', headers: { Authorization: `Bearer ${bearer}` } }),
};
type Credential = keyof typeof signInBy;

/** Each change with the credentials that it revokes; a sign-in begun before it must not yield a valid token. */
const CHANGES: [string, Credential[], (account: Account) => Promise<unknown>][] = [
  [
    'the person changes the password',
    ['password'],
    ({ path, token }) =>
      call('PUT', `${path}/password`, token, { currentPassword: PASSWORD, password: OTHER }),
  ],
  [
    'an administrator resets the password',
    ['password', 'key'],
    ({ path }) => call('PUT', `${path}/password`, admin, { password: OTHER }),
  ],
  [
    'an administrator patches the password',
    ['password', 'key'],
    ({ path }) => call('PATCH', path, admin, [{ op: 'add', path: '/password', value: OTHER }]),
  ],
  [
    'an invitation replaces the password',
    ['password', 'key'],
    async ({ path }) => {
      const { body } = await call('POST', `${path}/invitation`, admin);
      const { code } = body as { code: string };
      await call('POST', '/api/v2/directory/invitations', '', { code, password: OTHER });
    },
  ],
  [
    'the account is deactivated',
    ['password', 'key', 'identity'],
    ({ path }) => call('PATCH', path, admin, [{ op: 'replace', path: '/status', value: 0 }]),
  ],
  [
    'the account is deleted',
    ['password', 'key', 'identity'],
    ({ path }) => call('DELETE', path, admin),
  ],
  ['the key is revoked', ['key'], ({ path, token }) => call('DELETE', `${path}/api-keys`, token)],
  [
    'the identity is unbound',
    ['identity'],
    ({ id }) => server.database.query('DELETE FROM identities WHERE user_id = $1', [id]),
  ],
];

/** Sign-ins of each kind that overlap with the change and with each other. */
const IN_FLIGHT = { password: 8, key: 4, identity: 4 };

describe.each(CHANGES)('sign-ins that are under way while %s', (change, credentials, apply) => {
  it('leave no token behind', async () => {
    const survivors: string[] = [];
    let issued = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const account = await makeAccount();
      const flying = credentials.flatMap((credential) =>
        Array.from({ length: IN_FLIGHT[credential] }, async (_, at): Promise<Answer> => {
          await delay(at * 2);
          return signInBy[credential](account);
        }),
      );
      await delay(Math.random() * 20);
      await apply(account);
      const answers = await Promise.all(flying);
      // A reactivated account has none of its former tokens.
      if (change === 'the account is deactivated')
        await call('PATCH', account.path, admin, [{ op: 'replace', path: '/status', value: 1 }]);
      for (const { status, body } of answers) {
        // A busy server puts some off; they get no token either.
        expect([200, 401, 503]).toContain(status);
        if (status !== 200) continue;
        issued++;
        const { token } = body as { token: string };
        if ((await server.call(AUTHENTICATION, { token })).status === 200) survivors.push(token);
      }
    }
    expect({ survivors: survivors.length }).toEqual({ survivors: 0 });
    if (ROUNDS > 50)
      console.log(`${change}: ${ROUNDS} rounds, ${issued} tokens issued, 0 survived`);
  }, 600_000);
});
