import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expressRoutes } from '../support/routes.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** The routes that answer without a token. Opening a route requires a deliberate new line here. */
const OPEN = [
  'GET /api/v2',
  'GET /api/v2/directory/password-rules',
  'GET /api/v2/openapi.json',
  'GET /api/v2/reference',
  'GET /health/live',
  'GET /health/ready',
  'POST /api/v2/authentication',
  // The logout token of the identity provider is signed.
  'POST /api/v2/authentication/backchannel-logout',
  'POST /api/v2/authentication/passkey',
  'POST /api/v2/authentication/password-reset',
  'POST /api/v2/authentication/renewal',
  'POST /api/v2/directory/invitations',
  'POST /api/v2/directory/invitations/check',
  // With the token in the address; one click in a mail program has no session (RFC 8058).
  'POST /workplace/stop-mails/:token',
];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('without a token', () => {
  it('only the listed routes answer', async () => {
    const all = expressRoutes(server.app).map((route) =>
      route.replace(/^\w+/, (method) => method.toUpperCase()),
    );
    expect(all.length).toBeGreaterThan(60);
    const open: string[] = [];
    for (const route of all) {
      const [method, path = ''] = route.split(' ');
      const answer = await server.call(path.replace(/:\w+/g, '1'), { method });
      const isEnvelope = answer.body?.type === 'error';
      if (answer.status !== 401 && !isEnvelope) open.push(route);
    }
    expect(open.sort()).toEqual(OPEN);
  });
});
