import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { AUTHENTICATION, call, signIn, startHarness } from '../harness.js';
import type { Section } from '../report-row.js';
import type { Answer } from '../../support/send.js';

/** B11: the identity provider is unavailable. (The tests cover the verification of its tokens.) */
export const identityProvider: Section = async (_, report) => {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256' };
  let hits = 0;
  let port = 0;
  const issuer = () => `http://127.0.0.1:${port}`;
  const start = async (): Promise<Server> => {
    const server = createServer((request, response) => {
      hits++;
      const answer = request.url!.endsWith('/jwks')
        ? { keys: [jwk] }
        : { issuer: issuer(), jwks_uri: `${issuer()}/jwks` };
      response.end(JSON.stringify(answer));
    });
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
    port = (server.address() as AddressInfo).port;
    return server;
  };
  const stop = (server: Server): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  let provider = await start();
  const harness = await startHarness();
  const env = { OIDC_ISSUER: issuer(), OIDC_AUDIENCE: 'portal' };
  const [warm, cold] = [await harness.serve(env), await harness.serve(env)];
  const token = await new SignJWT({ preferred_username: 'bruno.keller' })
    .setProtectedHeader({ alg: 'RS256', kid: 'k' })
    .setIssuer(issuer())
    .setAudience('portal')
    .setSubject('b')
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(privateKey);
  const bearer = (to: { port: number }): Promise<Answer> =>
    call(to.port, AUTHENTICATION, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
    });
  await bearer(warm);
  await stop(provider);
  const cached = await Promise.all(Array.from({ length: 20 }, () => bearer(warm)));
  const refused: Answer[] = [];
  for (let time = 0; time < 20; time++) refused.push(await bearer(cold));
  const password = await signIn(cold.port, 'bruno.keller');
  hits = 0;
  provider = await start();
  for (let time = 0; time < 50; time++) await bearer(cold);
  const early = hits;
  const slowest = Math.max(...refused.map(({ duration }) => duration));
  const accepted = cached.filter(({ status }) => status === 200).length;
  const met =
    accepted === 20 &&
    refused.every(({ status }) => status === 503) &&
    slowest <= 2_000 &&
    password.status === 200 &&
    early === 0;
  report({
    id: 'B11',
    goal: 'provider away: known keys go on; unknown ones 503 within 2 s; passwords unaffected; one attempt in 30 s',
    figure: `warm ${accepted} of 20 accepted; cold ${refused.map(({ status }) => status).filter((status) => status === 503).length} × 503, slowest ${slowest.toFixed(0)} ms; password ${password.status}; ${early} further attempts in the 30 s`,
    met,
  });
  await stop(provider);
  await harness.stop();
};
