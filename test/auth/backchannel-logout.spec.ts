import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT, UnsecuredJWT } from 'jose';
import { AuditSums } from '../../src/security/audit-sums.js';
import { startTestProvider, type TestProvider } from '../support/identity-provider.js';
import { type ServerProcess, startServerProcess, urlOf } from '../support/server-process.js';
import { DEMO_PASSWORD, send, startTestServer, type TestServer } from '../support/test-server.js';

const SIGN_IN = '/api/v2/authentication';
const PATH = `${SIGN_IN}/backchannel-logout`;
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const INVALID = {
  error: 'invalid_request',
  error_description: 'The logout token is missing or invalid',
};
const REFUSED = { code: 401, message: 'Bad or invalid authentication' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

let provider: TestProvider;
let server: TestServer;
/** A second process on the same database. */
let other: ServerProcess;
beforeAll(async () => {
  provider = await startTestProvider();
  const env = { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: 'portal', OIDC_NAME: 'Example Ltd' };
  server = await startTestServer(env);
  const url = urlOf(server.database.connection);
  other = await startServerProcess({ ...env, LOG_LEVEL: 'silent', DATABASE_URL: url });
});
afterAll(async () => {
  await other.stop();
  await server.close();
  await provider.stop();
});
beforeEach(() => server.database.query('DELETE FROM provider_logouts'));

const now = () => Math.floor(Date.now() / 1000);
let count = 0;

/** Signs claims with the provider's key; null omits a claim. */
function sign(claims: Record<string, unknown>, header: Record<string, unknown> = {}) {
  const all = { iss: provider.issuer, aud: 'portal', iat: now(), exp: now() + 120, ...claims };
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  return new SignJWT(kept)
    .setProtectedHeader({ alg: 'RS256', kid: provider.kid, ...header })
    .sign(provider.key);
}

const logoutToken = (claims: Record<string, unknown>, header: Record<string, unknown> = {}) =>
  sign(
    { jti: `J-${++count}`, events: { [EVENT]: {} }, sub: 'bruno.keller', ...claims },
    { typ: 'logout+jwt', ...header },
  );

type Process = Pick<TestServer, 'port'>;
const logOut = (token: string, to: Process = server) =>
  send(to.port, PATH, { method: 'POST', headers: FORM, body: `logout_token=${token}` });

const idToken = (claims: Record<string, unknown> = {}) =>
  sign({ sub: 'bruno.keller', preferred_username: 'bruno.keller', iat: now() - 5, ...claims });

const bearer = (token: string, headers: Record<string, string> = {}) =>
  server.call(SIGN_IN, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, ...headers },
  });

async function signIn(claims: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await bearer(await idToken(claims));
  expect(status).toBe(200);
  return body.token as string;
}

const statusOf = async (token: string, to: Process = server) =>
  (await send(to.port, '/api/v2/directory/users/me', { token })).status;

/** The reason of the latest refusal in the audit trail. */
async function latestReason(): Promise<unknown> {
  await server.app.get(AuditSums).write();
  const [line] = await server.database.query(
    `SELECT reason FROM audit WHERE action = 'refuse' ORDER BY id DESC LIMIT 1`,
  );
  return line;
}

describe('POST /api/v2/authentication/backchannel-logout', () => {
  it('ends all sessions of the person on every process', async () => {
    const [first, second] = [await signIn({ sid: 'S-1' }), await server.signIn('bruno.keller')];
    const stranger = await server.signIn('chloe.lefevre');
    expect([await statusOf(first, other), await statusOf(second, other)]).toEqual([200, 200]);
    const answer = await logOut(await logoutToken({}));
    expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([
      200,
      '',
      'no-store',
    ]);
    for (const to of [server, other])
      expect([await statusOf(first, to), await statusOf(second, to)]).toEqual([401, 401]);
    expect(await statusOf(stranger)).toBe(200);
    const [line] = await server.database.query(
      `SELECT actor_login, after, object_uri = '/directory/users/' || (SELECT id FROM users WHERE login = 'bruno.keller') AS "isTheirs"
        FROM audit WHERE action = 'end-sessions' ORDER BY id DESC LIMIT 1`,
    );
    expect(line).toEqual({
      actor_login: 'identity provider (Example Ltd)',
      after: { reason: 'a sign-out at the identity provider' },
      isTheirs: true,
    });
  });

  it.each([
    ['with the person', { sid: 'S-1' }],
    ['without the person', { sid: 'S-1', sub: null }],
  ])('ends one session of the provider, named %s', async (_, claims) => {
    const [ended, kept] = [await signIn({ sid: 'S-1' }), await signIn({ sid: 'S-2' })];
    const byPassword = await server.signIn('bruno.keller');
    expect((await logOut(await logoutToken(claims))).status).toBe(200);
    const statuses = await Promise.all([ended, kept, byPassword].map((one) => statusOf(one)));
    expect(statuses).toEqual([401, 200, 200]);
  });

  it('ends a browser session, with the tokens that it has renewed', async () => {
    const origin = `http://127.0.0.1:${server.port}`;
    const token = await idToken({ sid: 'S-3' });
    const { headers } = await bearer(token, { Prefer: 'renewal', Origin: origin });
    const [cookie = ''] = String(headers['set-cookie']).split(';');
    const renew = () =>
      server.call(`${SIGN_IN}/renewal`, {
        method: 'POST',
        headers: { Cookie: cookie, Origin: origin },
      });
    const renewed = (await renew()).body.token as string;
    expect(await statusOf(renewed)).toBe(200);
    await logOut(await logoutToken({ sid: 'S-3' }));
    expect(await statusOf(renewed)).toBe(401);
    expect((await renew()).status).toBe(401);
  });

  it('also ends sessions whose ID token named no session, where it names the person', async () => {
    const token = await signIn();
    await logOut(await logoutToken({ sid: 'S-4', sub: null }));
    expect(await statusOf(token)).toBe(200);
    await logOut(await logoutToken({ sid: 'S-4' }));
    expect(await statusOf(token)).toBe(401);
  });

  it('ends the ID tokens that were issued before, and no later ones', async () => {
    const [early, late] = [await idToken({ iat: now() - 60 }), await idToken({ iat: now() - 10 })];
    const session = await idToken({ sid: 'S-5', iat: now() - 60 });
    expect((await logOut(await logoutToken({ iat: now() - 30 }))).status).toBe(200);
    expect((await logOut(await logoutToken({ iat: now() - 30, sid: 'S-5' }))).status).toBe(200);
    expect((await bearer(early)).body).toEqual(REFUSED);
    expect(await latestReason()).toEqual({
      reason: 'bad credentials: identity provider: signed out there',
    });
    expect((await bearer(session)).body).toEqual(REFUSED);
    expect((await bearer(late)).status).toBe(200);
  });

  it('answers 200 for a person whom it does not know', async () => {
    expect((await logOut(await logoutToken({ sub: 'a.stranger' }))).status).toBe(200);
  });

  it('takes a token that its type does not name, as some providers send it', async () => {
    const plain = await logoutToken({ typ: 'Logout' }, { typ: 'JWT' });
    expect((await logOut(plain)).status).toBe(200);
  });

  it.each<[string, () => Promise<string> | string]>([
    ['format', () => 'no.token'],
    ['format', () => ''],
    ['algorithm', () => new UnsecuredJWT({}).encode().replace(/\.$/, '.QQ')],
    ['unknown key', () => logoutToken({}, { kid: 'unknown' })],
    ['signature', async () => `${(await logoutToken({})).replace(/[^.]+$/, '')}QUJD`],
    ['type', () => logoutToken({}, { typ: 'at+jwt' })],
    ['type', () => logoutToken({ typ: 'ID' })],
    ['issuer', () => logoutToken({ iss: 'http://127.0.0.1:1' })],
    ['audience', () => logoutToken({ aud: 'other' })],
    ['audience', () => logoutToken({ aud: ['portal', 'other'] })],
    ['time of issue', () => logoutToken({ iat: null })],
    ['time of issue', () => logoutToken({ iat: now() - 310 })],
    ['time of issue', () => logoutToken({ iat: now() + 60 })],
    ['expiry', () => logoutToken({ exp: null })],
    ['expiry', () => logoutToken({ exp: now() - 10 })],
    ['token id', () => logoutToken({ jti: null })],
    ['token id', () => logoutToken({ jti: 7 })],
    ['event', () => logoutToken({ events: null })],
    ['event', () => logoutToken({ events: { 'http://127.0.0.1/other': {} } })],
    ['event', () => logoutToken({ events: { [EVENT]: true } })],
    ['nonce', () => logoutToken({ nonce: 'n' })],
    ['subject', () => logoutToken({ sub: null })],
    ['subject', () => logoutToken({ sub: null, sid: 7 })],
    ['subject', () => logoutToken({ sid: 's'.repeat(256) })],
    ['event', () => idToken({ jti: 'J', exp: now() + 60, events: [] })],
  ])('answers 400, and says "%s" in the audit trail alone', async (fault, token) => {
    const signedIn = await server.signIn('bruno.keller');
    const answer = await logOut(await token());
    expect([answer.status, answer.body, answer.headers['cache-control']]).toEqual([
      400,
      INVALID,
      'no-store',
    ]);
    expect(await latestReason()).toEqual({ reason: `logout token: ${fault}` });
    expect(await statusOf(signedIn)).toBe(200);
  });

  it('takes each token once', async () => {
    const token = await logoutToken({});
    expect((await logOut(token)).status).toBe(200);
    const later = await server.signIn('bruno.keller');
    expect((await logOut(token, other)).body).toEqual(INVALID);
    expect((await logOut(token)).body).toEqual(INVALID);
    expect(await latestReason()).toEqual({ reason: 'logout token: used before' });
    expect(await statusOf(later)).toBe(200);
  });

  it('takes one token in a form alone', async () => {
    const token = await logoutToken({});
    const post = (body: string, headers = FORM) =>
      server.call(PATH, { method: 'POST', headers, body });
    expect((await post(`logout_token=${token}&logout_token=${token}`)).body).toEqual(INVALID);
    expect((await post('')).body).toEqual(INVALID);
    const json = { 'Content-Type': 'application/json' };
    expect((await post(JSON.stringify({ logout_token: token }), json)).status).toBe(415);
    expect((await post('x'.repeat(17 * 1024))).status).toBe(413);
    expect((await post(`logout_token=${token}&state=1`)).status).toBe(200);
  });

  it('is throttled like a sign-in', async () => {
    await server.database.query(
      `INSERT INTO parameters (key, value) VALUES ('security.Throttle.failures', '1')`,
    );
    await server.database.query('DELETE FROM address_attempts');
    const statuses = [];
    for (let time = 0; time < 3; time++) statuses.push((await logOut('no.token')).status);
    expect(statuses).toEqual([400, 429, 429]);
    expect((await logOut(await logoutToken({}))).status).toBe(429);
    await server.database.query(`DELETE FROM parameters WHERE key = 'security.Throttle.failures'`);
    await server.database.query('DELETE FROM address_attempts');
  });

  it('is closed to addresses that are not on the IP allowlist', async () => {
    const answer = await server.call(PATH, {
      method: 'POST',
      headers: FORM,
      body: `logout_token=${await logoutToken({})}`,
      from: '127.0.0.9',
    });
    expect([answer.status, answer.body.reason]).toEqual([403, 'address-not-allowed']);
  });

  it('answers 400 without an identity provider', async () => {
    const plain = await startTestServer();
    expect((await logOut(await logoutToken({}), plain)).body).toEqual(INVALID);
    const body = { login: 'bruno.keller', password: DEMO_PASSWORD };
    expect((await plain.call(SIGN_IN, { method: 'POST', body })).status).toBe(200);
    await plain.close();
  });
});
