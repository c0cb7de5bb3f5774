import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type AttackClass, type Attempt, bodyOf, type Later } from './attempt.js';
import type { Issuer, Target } from './target.js';
import { mutate, pairs } from '../../support/random.js';

const KEY_ID = 'key-of-the-report';
export const AUDIENCE = 'portal';

/** Serves keys and discovery: all that a verifier of tokens requests from an identity provider. */
export async function startIssuer(): Promise<Issuer> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  const server = createServer((request, response) => {
    const isKeys = request.url === '/keys';
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify(
        isKeys
          ? { keys: [jwk] }
          : {
              issuer: address,
              jwks_uri: `${address}/keys`,
              authorization_endpoint: `${address}/authorize`,
              token_endpoint: `${address}/token`,
              response_types_supported: ['code'],
              subject_types_supported: ['public'],
              id_token_signing_alg_values_supported: ['RS256'],
            },
      ),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    sign: (claims, header) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: KEY_ID, ...header })
        .sign(privateKey),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Claims that make a token another user's, too old, too new, or no user's; null leaves one out. */
const now = (): number => Math.floor(Date.now() / 1000);
const CLAIMS: (() => Record<string, unknown>)[] = [
  ...[null, '', 'https://evil.example', 7, [], {}, ['x']].map((iss) => () => ({ iss })),
  ...[null, '', 'other', 7, {}, ['other'], [AUDIENCE, 'other']].map((aud) => () => ({ aud })),
  ...[null, 0, -1, 'soon', {}].map((exp) => () => ({ exp })),
  ...[-10, -60, -3_600, -86_400].map((past) => () => ({ exp: now() + past })),
  ...[60, 3_600, 86_400].map((future) => () => ({ nbf: now() + future })),
  ...[60, 3_600].map((future) => () => ({ iat: now() + future })),
  ...[-8_000, -86_400].map((past) => () => ({ iat: now() + past })),
  ...[null, 'x', {}].map((iat) => () => ({ iat })),
  ...[null, '', 7, {}, []].map((sub) => () => ({ sub })),
  ...['sysadmin', 'nobody.here', '', 7, {}, null, "' OR 1=1 --"].map((login) => () => ({
    preferred_username: login,
    sub: 'somebody else',
  })),
  () => ({ azp: 'other' }),
  () => ({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }),
];
const HEADERS: Record<string, unknown>[] = [
  ...['none', 'None', 'nOnE', 'HS256', 'HS512', 'RS1', '', 'dir', 'ES256'].map((alg) => ({ alg })),
  ...[null, 'unknown', '../../dev/null', "' OR 1=1 --", 'x'.repeat(5_000)].map((kid) => ({ kid })),
  ...['at+jwt', 'application/at+jwt', 'logout+jwt', 'dpop+jwt'].map((typ) => ({ typ })),
  ...[['exp'], ['b64'], ['unknown']].map((crit) => ({ crit, unknown: 1 })),
  { jwk: { kty: 'oct', k: 'AAAA' } },
  { jku: 'http://127.0.0.1:1/keys' },
  { x5u: 'http://127.0.0.1:1/cert' },
  { zip: 'DEF' },
];

async function forgeries(target: Target): Promise<string[]> {
  const { issuer } = target;
  const claims = (more: Record<string, unknown> = {}): Record<string, unknown> => {
    const all: Record<string, unknown> = {
      iss: issuer.address,
      aud: AUDIENCE,
      sub: 'bruno.keller',
      preferred_username: 'bruno.keller',
      iat: now(),
      exp: now() + 240,
      ...more,
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  };
  const good = await issuer.sign(claims(), {});
  const [header = '', payload = '', signature = ''] = good.split('.');
  const signed = await Promise.all(CLAIMS.map((change) => issuer.sign(claims(change()), {})));
  const typed = await Promise.all(
    ['at+jwt', 'application/at+jwt', 'logout+jwt'].map((typ) => issuer.sign(claims(), { typ })),
  );
  const other = await startIssuer();
  const foreign = await Promise.all(
    [{}, { kid: 'unknown' }].map((more) => other.sign(claims(), more)),
  );
  await other.stop();
  const headers = HEADERS.map((more) => ({ alg: 'RS256', kid: KEY_ID, ...more }));
  const unsigned = pairs(headers, ['', signature, 'AAAA']).map(
    ([head, sign]) => `${part(head)}.${payload}.${sign}`,
  );
  const shapes = [
    ...[
      '',
      '.',
      '..',
      '...',
      'a',
      'a.b',
      'a.b.c',
      'a.b.c.d',
      'a.b.c.d.e',
      'null',
      '{}',
      'Bearer x',
    ],
    ...[
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `.${payload}.${signature}`,
      `${header}..${signature}`,
    ],
    ...[
      `${good}.`,
      `.${good}`,
      `${good}=`,
      `${header}=.${payload}.${signature}`,
      `${good} x`,
      `${good},${good}`,
    ],
    ...[good.toUpperCase(), good.slice(1), good.slice(0, -1), `${good}A`, 'x'.repeat(9_000)],
    `${header}.${part({ ...claims(), preferred_username: 'alice.martin' })}.${signature}`,
    `${part([])}.${payload}.${signature}`,
    `${part('x')}.${payload}.${signature}`,
    `${header}.${part([1])}.${signature}`,
    target.administrator,
  ];
  return [...signed, ...typed, ...foreign, ...unsigned, ...shapes];
}

/** No token of this class is a logout token. */
const logout = (token: string): Attempt => ({
  path: '/api/v2/authentication/backchannel-logout',
  method: 'POST',
  type: 'application/x-www-form-urlencoded',
  body: `logout_token=${token}`,
  judge: ({ status, text }) =>
    status === 400 && text.includes('"error":"invalid_request"') ? undefined : `status ${status}`,
});

export const forgedTokens: AttackClass = {
  id: 'A10',
  goal: 'bearer tokens: no forged one signs in or out; the good one they are made from does',
  size: 420,
  writes: ['identities'],
  attempts: async (target, count, random) => {
    const bearer = (token: string, judge: Attempt['judge']): Attempt => ({
      path: '/api/v2/authentication',
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      judge,
    });
    const listed = await forgeries(target);
    const good = (): Promise<string> =>
      target.issuer.sign(
        {
          iss: target.issuer.address,
          aud: AUDIENCE,
          sub: 'bruno.keller',
          preferred_username: 'bruno.keller',
          iat: now(),
          exp: now() + 240,
        },
        {},
      );
    const basis = await good();
    while (listed.length < count) {
      const changed = mutate(basis, random)
        .replace(/[^\x20-\x7e]/g, '~')
        .trim();
      // The last character contains unused bits, and case matters: only a text that differs is a forgery.
      if (changed !== basis) listed.push(changed);
    }
    const refused: Attempt['judge'] = (answer) =>
      [400, 401].includes(answer.status) && bodyOf(answer).token === undefined
        ? undefined
        : `status ${answer.status}, made from ${basis}`;
    const control: Later = async () =>
      bearer(await good(), ({ status }) =>
        status === 200 ? undefined : `the good token is refused: ${status}`,
      );
    const [first, ...others] = random.sample(listed, count - 1);
    const forged = others.map((token, at) =>
      at % 4 === 0 ? logout(token) : bearer(token, refused),
    );
    return [control, bearer(first!, refused), ...forged];
  },
};
