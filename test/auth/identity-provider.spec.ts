import { createHmac, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { exportJWK, exportSPKI, generateKeyPair, importSPKI, SignJWT, UnsecuredJWT } from 'jose';
import { AuditSums } from '../../src/security/audit-sums.js';
import { eventually, PATIENCE } from '../support/eventually.js';
import {
  listen,
  portOf,
  startTestProvider,
  stopListening,
  type TestProvider,
} from '../support/identity-provider.js';
import { DEMO_PASSWORD, startTestServer, type TestServer } from '../support/test-server.js';

const PATH = '/api/v2/authentication';
const REFUSED = { code: 401, message: 'Bad or invalid authentication' };
/** A person without a bound identity, to whom none may be bound. */
const NEVER_BOUND = 'sophie.bohm';
/** The claim of a logout token. */
const LOGOUT = { 'http://schemas.openid.net/event/backchannel-logout': {} };

let provider: TestProvider;
let server: TestServer;
beforeAll(async () => {
  provider = await startTestProvider();
  server = await startTestServer({ OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: 'portal' });
});
afterAll(async () => {
  await server.close();
  await provider.stop();
});

const bearer = (token: string, to = server, more = {}) =>
  to.call(PATH, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, ...more });

/** A token with other claims, signed with the provider's own key; null omits a claim. */
function forge(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) {
  const now = Math.floor(Date.now() / 1000);
  const all: Record<string, unknown> = {
    iss: provider.issuer,
    aud: 'portal',
    sub: 'chloe.lefevre',
    preferred_username: 'chloe.lefevre',
    iat: now,
    exp: now + 600,
    ...claims,
  };
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  return new SignJWT(kept)
    .setProtectedHeader({ alg: 'RS256', kid: provider.kid, ...header })
    .sign(provider.key);
}

/** The reason of the latest refusal in the audit trail. */
async function latestReason(to: TestServer): Promise<unknown> {
  await to.app.get(AuditSums).write();
  const [line] = await to.database.query(
    `SELECT reason FROM audit WHERE action = 'refuse' ORDER BY id DESC LIMIT 1`,
  );
  return line;
}
const reason = (fault: string) => ({ reason: `bad credentials: identity provider: ${fault}` });

describe('POST /api/v2/authentication with a bearer token', () => {
  it('signs in a person who came through the authorization code flow', async () => {
    const answer = await bearer(await provider.idToken('bruno.keller'));
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['token', 'expiration']]);
    const me = await server.call('/api/v2/directory/users/me', { token: answer.body.token });
    expect(me.body.login).toBe('bruno.keller');
    const [line] = await server.database.query(
      `SELECT actor_login, after FROM audit WHERE action = 'sign-in' ORDER BY id DESC LIMIT 1`,
    );
    expect(line).toEqual({ actor_login: 'bruno.keller', after: { by: 'identity provider' } });
  });

  it('accepts the valid token from which the next test forges others', async () => {
    expect((await bearer(await forge())).status).toBe(200);
    expect((await bearer(await forge({ azp: 'portal', aud: ['portal'] }))).status).toBe(200);
    const scheme = { headers: { Authorization: `bEARER  ${await forge()}` } };
    expect((await bearer('', server, scheme)).status).toBe(200);
  });

  it('answers every forged and every foreign token with one and the same body', async () => {
    const now = Math.floor(Date.now() / 1000);
    const good = await forge();
    const [header = '', payload = '', signature = ''] = good.split('.');
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const publicJwk = await exportJWK(provider.key);
    const publicPem = await exportSPKI(
      await importSPKI(await spkiOf(publicJwk), 'RS256', { extractable: true }),
    );
    const hmac = (secret: string) => {
      const signed = `${encode({ alg: 'HS256', kid: provider.kid })}.${payload}`;
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    };
    const other = await generateKeyPair('RS256', { extractable: true });
    const otherJwk = await exportJWK(other.publicKey);
    const signedByOther = (extra: object) =>
      new SignJWT(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object as never)
        .setProtectedHeader({ alg: 'RS256', ...extra })
        .sign(other.privateKey);
    const forms: Record<string, string> = {
      empty: '',
      'one part': header,
      'two parts': `${header}.${payload}`,
      'four parts': `${good}.x`,
      'five parts': `${good}.x.y`,
      'no signature': `${header}.${payload}.`,
      'a signature in another spelling': `${good.slice(0, -1)}${String.fromCharCode(good.charCodeAt(good.length - 1) + 1)}`,
      'a changed signature': `${header}.${payload}.${signature.split('').reverse().join('')}`,
      'a changed payload': `${header}.${encode({ sub: 'alice.martin', iss: provider.issuer, aud: 'portal', exp: now + 600, iat: now })}.${signature}`,
      'a blank inside': `${header}.${payload}. ${signature}`,
      padding: `${header}.${payload}.${signature}==`,
      'plain base64': `${header}.${payload}.${signature.replaceAll('-', '+').replaceAll('_', '/')}+`,
      'no JSON': `${Buffer.from('{').toString('base64url')}.${payload}.${signature}`,
      unsecured: new UnsecuredJWT({ sub: 'x' }).encode(),
      ...Object.fromEntries(
        ['none', 'None', 'NONE', 'nOnE'].map((alg) => [
          `alg ${alg}`,
          `${encode({ alg, kid: provider.kid })}.${payload}.x`,
        ]),
      ),
      'HS256 by the public key': hmac(publicPem),
      'HS256 by the public JWK': hmac(JSON.stringify(publicJwk)),
      'an embedded key': await signedByOther({ jwk: otherJwk }),
      'a key by address': await signedByOther({ jku: 'http://127.0.0.1/keys', kid: 'x' }),
      'a certificate by address': await signedByOther({ x5u: 'http://127.0.0.1/cert' }),
      'another key under its id': await signedByOther({ kid: provider.kid }),
      'an unknown critical header': await forge({}, { crit: ['x'], x: 1 }).catch(() =>
        [encode({ alg: 'RS256', kid: provider.kid, crit: ['x'], x: 1 }), payload, signature].join(
          '.',
        ),
      ),
      'a path as key id': await signedByOther({ kid: '../../dev/null' }),
      'SQL as key id': await signedByOther({ kid: "' UNION SELECT 1 --" }),
      'an object as key id': `${encode({ alg: 'RS256', kid: {} })}.${payload}.${signature}`,
      'a huge token': `${header}.${'x'.repeat(10_000)}.${signature}`,
      'an access token': await forge({}, { typ: 'at+jwt' }),
      'an access token by its payload': await forge({ typ: 'Bearer' }),
      'a logout token': await forge({}, { typ: 'logout+jwt' }),
      'a logout token without a type': await forge({ events: LOGOUT }),
      'another issuer': await forge({ iss: 'http://127.0.0.1:1' }),
      'an issuer with a slash': await forge({ iss: `${provider.issuer}/` }),
      'no issuer': await forge({ iss: null }),
      'another audience': await forge({ aud: 'other' }),
      'no audience': await forge({ aud: null }),
      'a further audience': await forge({ aud: ['portal', 'other'] }),
      'no audience in the list': await forge({ aud: [] }),
      'another authorized party': await forge({ azp: 'other' }),
      expired: await forge({ exp: now - 10 }),
      'without an expiry': await forge({ exp: null }),
      'an expiry as text': await forge({ exp: '9999999999' }),
      'not yet valid': await forge({ nbf: now + 60 }),
      'issued in the future': await forge({ iat: now + 60 }),
      'without a time of issue': await forge({ iat: null }),
      'issued too long ago': await forge({ iat: now - 3700 }),
      'without a subject': await forge({ sub: null }),
      // The person has no bound identity yet: the first use would bind it.
      'a subject that is no text': await forge({ sub: 7, preferred_username: NEVER_BOUND }),
      'an empty subject': await forge({ sub: '', preferred_username: NEVER_BOUND }),
      'a huge subject': await forge({ sub: 's'.repeat(256), preferred_username: NEVER_BOUND }),
      'an unknown user': await forge({ sub: 'stranger', preferred_username: 'stranger' }),
      'no login': await forge({ sub: 'stranger', preferred_username: null }),
      'a login that is no text': await forge({
        sub: 'stranger',
        preferred_username: ['alice.martin'],
      }),
      sysadmin: await forge({ sub: 'root', preferred_username: 'sysadmin' }),
      'a token of this server': await server.signIn('bruno.keller'),
    };
    const answers = await Promise.all(
      Object.entries(forms).map(async ([name, token]) => {
        const { status, body } = await bearer(token);
        return [name, status, body as unknown];
      }),
    );
    expect(answers).toEqual(Object.keys(forms).map((name) => [name, 401, REFUSED]));
  });

  it('refuses other schemes, two headers, and a body beside the header', async () => {
    const token = await forge();
    for (const Authorization of [
      `Basic ${token}`,
      token,
      `Bearer ${token} x`,
      'Bearer',
      `Bearer ${token}, Bearer ${token}`,
    ])
      expect(
        (await server.call(PATH, { method: 'POST', headers: { Authorization } })).body,
      ).toEqual(REFUSED);
    const both = await bearer(token, server, {
      body: { login: 'bruno.keller', password: DEMO_PASSWORD },
      headers: { Authorization: `Bearer ${token}` },
    });
    expect([both.status, both.body.fields]).toEqual([
      400,
      [
        {
          name: 'Authorization',
          message: 'send either a body or an Authorization header, not both',
        },
      ],
    ]);
  });

  it('is accepted by no other route', async () => {
    const headers = { Authorization: `Bearer ${await forge()}` };
    expect((await server.call('/api/v2/directory/users/me', { headers })).status).toBe(401);
  });
});

describe('a token for one of several clients', () => {
  let both: TestServer;
  beforeAll(async () => {
    both = await startTestServer({ OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: 'page, portal' });
  });
  afterAll(() => both.close());

  it.each<[string, Record<string, unknown>]>([
    ['names the first client', { aud: 'page' }],
    ['names another client', { aud: 'portal' }],
    ['names one client in a list', { aud: ['portal'] }],
    ['was asked for by its audience', { aud: 'portal', azp: 'portal' }],
    ['was asked for by another client of the list', { aud: 'portal', azp: 'page' }],
    [
      'names several clients, and in azp the client that asked',
      { aud: ['portal', 'page'], azp: 'page' },
    ],
  ])('signs in when it %s', async (_, claims) => {
    expect((await bearer(await forge(claims), both)).status).toBe(200);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['names a foreign client', { aud: 'other' }, 'audience'],
    ['names a foreign client beside ours', { aud: ['portal', 'other'], azp: 'portal' }, 'audience'],
    ['names the list itself', { aud: 'page, portal' }, 'audience'],
    ['names a client in another case', { aud: 'Portal' }, 'audience'],
    ['names no client', { aud: null }, 'audience'],
    [
      'names several clients, but not in azp the client that asked',
      { aud: ['portal', 'page'] },
      'authorized party',
    ],
    ['was asked for by a foreign client', { aud: 'portal', azp: 'other' }, 'authorized party'],
    [
      'names an unreadable authorized party',
      { aud: 'portal', azp: ['portal'] },
      'authorized party',
    ],
  ])('is refused when it %s', async (_, claims, fault) => {
    const answer = await bearer(await forge(claims), both);
    expect([answer.status, answer.body]).toEqual([401, REFUSED]);
    expect(await latestReason(both)).toEqual(reason(fault));
  });

  it('signs one person in at every client, where a claim holds a subject that clients share', async () => {
    const shared = await startTestServer({
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: 'page, portal',
      OIDC_SUBJECT_CLAIM: 'oid',
    });
    const claims = { oid: 'O-1', preferred_username: 'bruno.keller' };
    const atPage = await bearer(await forge({ ...claims, sub: 'P', aud: 'page' }), shared);
    const atPortal = await bearer(await forge({ ...claims, sub: 'Q', aud: 'portal' }), shared);
    expect([atPage.status, atPortal.status]).toEqual([200, 200]);
    expect((await bearer(await forge({ ...claims, oid: null }), shared)).body).toEqual(REFUSED);
    expect(await latestReason(shared)).toEqual(reason('subject'));
    await shared.close();
  });
});

describe('the proof of a sign-in at the provider', () => {
  const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;
  const alice = { sub: 'alice.martin', preferred_username: 'alice.martin' };
  /** What a call that needs a recent proof answers after a sign-in with these claims. */
  async function statusAfter(claims: Record<string, unknown>, to = server): Promise<number> {
    const { status, body } = await bearer(await forge({ ...alice, ...claims }), to);
    expect(status).toBe(200);
    const token = body.token as string;
    const path = '/api/v2/directory/users/me/api-keys';
    return (await to.call(path, { method: 'POST', token, body: { name: 'Proof' } })).status;
  }

  it('has the age of auth_time, not of the token', async () => {
    expect(await statusAfter({ auth_time: ago(10) })).toBe(201);
    expect(await statusAfter({ auth_time: ago(8 * 3600) })).toBe(401);
  });

  it('is never younger than the token', async () => {
    expect(await statusAfter({ iat: ago(310), auth_time: ago(-3600) })).toBe(401);
  });

  it('has the age of the token without auth_time', async () => {
    expect(await statusAfter({})).toBe(201);
    expect(await statusAfter({ iat: ago(310) })).toBe(401);
  });

  it('needs auth_time where pages sign in silently', async () => {
    const silent = await startTestServer({
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: 'portal',
      OIDC_SILENT: 'true',
    });
    expect(await statusAfter({}, silent)).toBe(401);
    expect(await statusAfter({ auth_time: 'now' }, silent)).toBe(401);
    expect(await statusAfter({ auth_time: ago(10) }, silent)).toBe(201);
    await silent.close();
  });
});

describe('a refused token', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const signedByAnother = async (): Promise<string> => {
    const { privateKey } = await generateKeyPair('RS256');
    const header = { alg: 'RS256', kid: provider.kid };
    return new SignJWT({ iss: provider.issuer }).setProtectedHeader(header).sign(privateKey);
  };

  it.each<[string, () => Promise<string>]>([
    ['format', () => Promise.resolve('no.token')],
    ['algorithm', () => Promise.resolve(new UnsecuredJWT({}).encode().replace(/\.$/, '.QQ'))],
    ['signature', signedByAnother],
    ['unknown key', () => forge({}, { kid: 'unknown' })],
    ['type', () => forge({}, { typ: 'at+jwt' })],
    ['issuer', () => forge({ iss: 'http://127.0.0.1:1' })],
    ['audience', () => forge({ aud: 'other' })],
    ['authorized party', () => forge({ azp: 'other' })],
    ['subject', () => forge({ sub: '' })],
    ['expiry', () => forge({ exp: now() - 10 })],
    ['time of issue', () => forge({ iat: now() - 3700 })],
    ['not valid yet', () => forge({ nbf: now() + 60 })],
    ['event', () => forge({ events: LOGOUT })],
    ['no login', () => forge({ sub: 'stranger', preferred_username: null })],
    ['unknown person', () => forge({ sub: 'stranger', preferred_username: 'stranger' })],
    [
      'too old for a first sign-in',
      () => forge({ sub: 'new', preferred_username: NEVER_BOUND, iat: now() - 400 }),
    ],
  ])('says "%s" in the audit trail, never to the caller', async (fault, token) => {
    const answer = await bearer(await token());
    expect([answer.status, answer.body]).toEqual([401, REFUSED]);
    expect(await latestReason(server)).toEqual(reason(fault));
  });
});

describe('an identity', () => {
  it('is bound to its user by the first use: its login in the token counts no more', async () => {
    expect(
      (await bearer(await forge({ sub: 'S-1', preferred_username: 'chloe.lefevre' }))).status,
    ).toBe(401);
    await server.database.query('DELETE FROM identities');
    const renamed = await bearer(await forge({ sub: 'S-1', preferred_username: 'chloe.lefevre' }));
    expect(renamed.status).toBe(200);
    const later = await bearer(await forge({ sub: 'S-1', preferred_username: 'alice.martin' }));
    const me = await server.call('/api/v2/directory/users/me', { token: later.body.token });
    expect(me.body.login).toBe('chloe.lefevre');
    // Another subject with that name at the provider is a different person.
    expect(
      (await bearer(await forge({ sub: 'S-2', preferred_username: 'chloe.lefevre' }))).body,
    ).toEqual(REFUSED);
    const rows = await server.database.query('SELECT issuer, subject FROM identities');
    expect(rows).toEqual([{ issuer: provider.issuer, subject: 'S-1' }]);
  });

  it('is bound once when many first uses come together', async () => {
    await server.database.query('DELETE FROM identities');
    const tokens = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        forge({ sub: `R-${at % 2}`, preferred_username: 'bruno.keller' }),
      ),
    );
    const answers = await Promise.all(tokens.map((token) => bearer(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(200),
      ...Array(5).fill(401),
    ]);
    expect(await server.database.query('SELECT 1 FROM identities')).toHaveLength(1);
  });

  it('is refused while its user is locked or not active', async () => {
    const token = await forge();
    expect((await bearer(token)).status).toBe(200);
    const user = `(SELECT id FROM users WHERE login = 'chloe.lefevre')`;
    await server.database.query('DELETE FROM known_addresses');
    await server.database.query(
      `UPDATE sign_ins SET failures = 10, locked_until = now() + interval '1 hour' WHERE user_id = ${user}`,
    );
    expect((await bearer(token)).body).toEqual(REFUSED);
    await server.database.query('UPDATE sign_ins SET failures = 0, locked_until = NULL');
    await server.database.query(`UPDATE users SET status = 0 WHERE id = ${user}`);
    expect((await bearer(token)).body).toEqual(REFUSED);
    await server.database.query(`UPDATE users SET status = 1 WHERE id = ${user}`);
    expect((await bearer(token)).status).toBe(200);
  });

  it('is found by the claim that is configured, an e-mail address only when it is verified', async () => {
    const env = {
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: 'portal',
      OIDC_LOGIN_CLAIM: 'email',
    };
    const byMail = await startTestServer(env);
    await byMail.database.query(
      `UPDATE users SET login = 'chloe@example.com' WHERE login = 'chloe.lefevre'`,
    );
    const claims = { sub: 'M', email: 'Chloe@example.com' };
    expect((await bearer(await forge({ ...claims, email_verified: false }), byMail)).body).toEqual(
      REFUSED,
    );
    expect((await bearer(await forge(claims), byMail)).body).toEqual(REFUSED);
    expect((await bearer(await forge({ ...claims, email_verified: true }), byMail)).status).toBe(
      200,
    );
    await byMail.close();
  });
});

describe('the keys of the provider', () => {
  it('can change without a restart, and unknown ones are asked for once in a while', async () => {
    const fresh = await startTestServer({ OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: 'portal' });
    const old = await forge();
    expect((await bearer(old, fresh)).status).toBe(200);
    await provider.rotate();
    provider.hits.length = 0;
    const rotated = await forge();
    const unknown = await Promise.all(
      Array.from({ length: 20 }, (_, at) => forge({}, { kid: `unknown-${at}` })),
    );
    // Keys are fetched at most once in 30 seconds.
    const later = Date.now() + 31_000;
    jest.spyOn(Date, 'now').mockReturnValue(later);
    expect((await bearer(rotated, fresh)).status).toBe(200);
    expect(provider.hits).toHaveLength(2);
    expect((await bearer(old, fresh)).body).toEqual(REFUSED);
    for (const answer of await Promise.all(unknown.map((token) => bearer(token, fresh))))
      expect(answer.body).toEqual(REFUSED);
    expect(provider.hits).toHaveLength(2);
    jest.restoreAllMocks();
    await fresh.close();
  });

  it('stay in use while the provider is unreachable; without any, sign-ins answer 503 until it is back', async () => {
    const warm = await startTestServer({ OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: 'portal' });
    const cold = await startTestServer({ OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: 'portal' });
    const token = await forge();
    expect((await bearer(token, warm)).status).toBe(200);
    await provider.stop();
    expect((await bearer(token, warm)).status).toBe(200);
    provider.hits.length = 0;
    for (let time = 0; time < 3; time++) {
      const answer = await bearer(token, cold);
      expect([answer.status, answer.body, answer.headers['retry-after']]).toEqual([
        503,
        { code: 503, message: 'The service is temporarily unavailable' },
        '30',
      ]);
    }
    expect(await cold.signIn('bruno.keller')).toBeDefined();
    await provider.start();
    expect((await bearer(token, cold)).status).toBe(200);
    await warm.close();
    await cold.close();
  });

  const HUGE = Buffer.alloc(1024 * 1024, ' ');
  it.each<[string, RequestListener]>([
    ['answers HTML', (_, response) => response.end('<html></html>')],
    ['answers 500', (_, response) => response.writeHead(500).end('{}')],
    [
      'redirects',
      (_, response) =>
        response
          .writeHead(302, { Location: `${provider.issuer}/.well-known/openid-configuration` })
          .end(),
    ],
    ['names another issuer', (_, response) => response.end('{"issuer":"http://elsewhere"}')],
    [
      'has keys on disk',
      (request, response) =>
        response.end(
          JSON.stringify({
            issuer: `http://${request.headers.host}`,
            jwks_uri: 'file:///etc/passwd',
          }),
        ),
    ],
    [
      'has no keys',
      (request, response) =>
        response.end(
          request.url!.includes('openid')
            ? JSON.stringify({
                issuer: `http://${request.headers.host}`,
                jwks_uri: `http://${request.headers.host}/jwks`,
              })
            : '{}',
        ),
    ],
    ['never ends', (_, response) => void response.write('{')],
    [
      'answers without end',
      (_, response) => {
        response.on('drain', () => response.write(HUGE));
        response.write(HUGE);
      },
    ],
  ])('are not had from a provider that %s: 503', async (_, handler) => {
    const bad = await listen(handler);
    const issuer = `http://127.0.0.1:${portOf(bad)}`;
    const to = await startTestServer({ OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'portal' });
    const token = await forge({ iss: issuer });
    const answer = await Promise.race([
      bearer(token, to),
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE).unref()),
    ]);
    expect([answer?.status, answer?.body]).toEqual([
      503,
      { code: 503, message: 'The service is temporarily unavailable' },
    ]);
    await to.close();
    await stopListening(bad);
  });
});

describe('without OIDC_ISSUER', () => {
  it('answers 401 to any bearer token', async () => {
    const plain = await startTestServer();
    expect((await bearer(await forge(), plain)).body).toEqual(REFUSED);
    expect((await bearer(randomBytes(30).toString('base64url'), plain)).body).toEqual(REFUSED);
    await eventually(async () => expect((await plain.call('/health/ready')).status).toBe(200));
    await plain.close();
  });
});

/** The public part of a JWK as PEM. */
async function spkiOf(jwk: object): Promise<string> {
  const { createPublicKey } = await import('node:crypto');
  return createPublicKey({ key: jwk as never, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();
}
