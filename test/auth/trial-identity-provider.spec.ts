import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeInBrowser, heading } from '../support/browser.js';
import { freePort } from '../support/free-port.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

let provider: ChildProcess;
let server: TestServer;
let issuer: string;
let origin: string;
beforeAll(async () => {
  issuer = `http://127.0.0.1:${await freePort()}`;
  const port = String(await freePort());
  origin = `http://127.0.0.1:${port}`;
  const options = ['--port', new URL(issuer).port, '--server', origin];
  provider = spawn(process.execPath, ['scripts/identity-provider.mjs', ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  server = await startTestServer({
    PORT: port,
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: 'workplace, portal',
    OIDC_NAME: 'Example Ltd',
  });
  await once(provider.stdout!, 'data');
});
afterAll(async () => {
  provider.kill();
  await server.close();
});

describeInBrowser('npm run identity-provider', (visits) => {
  it('signs a person of the demonstration in on the page', async () => {
    const { page } = await visits.open(`${origin}/workplace`);
    await page.getByRole('button', { name: 'Sign in with Example Ltd' }).click();
    await page.getByRole('button', { name: 'bruno.keller' }).click();
    await heading(page, /^Hello/).waitFor();
    expect(page.url()).toBe(`${origin}/workplace`);
  });

  it.each([
    ['gives a portal an ID token that the server accepts', 'portal', 200],
    ['gives a stranger an ID token that the server refuses', 'stranger', 401],
  ])('%s', async (_, client, status) => {
    const request = new URLSearchParams({
      client_id: client,
      response_type: 'code',
      redirect_uri: `${issuer}/portal`,
      scope: 'openid profile',
      login_hint: 'bruno.keller',
    });
    const { page } = await visits.open(`${issuer}/auth?${request.toString()}`);
    const code = await page.locator('body').innerText();
    const answer = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${client}:secret-of-the-portal`)}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        redirect_uri: `${issuer}/portal`,
        code,
      }),
    });
    const { id_token: token } = (await answer.json()) as { id_token: string };
    const headers = { Authorization: `Bearer ${token}` };
    const signIn = await server.call('/api/v2/authentication', { method: 'POST', headers });
    expect(signIn.status).toBe(status);
  });
});

describe('the provider of npm run identity-provider', () => {
  it('tells the server who has signed out', async () => {
    const token = await server.signIn('chloe.lefevre');
    const headers = { Authorization: `Bearer ${await idTokenOf('chloe.lefevre')}` };
    const signedIn = await server.call('/api/v2/authentication', { method: 'POST', headers });
    const body = new URLSearchParams({ login: 'chloe.lefevre' });
    expect((await fetch(`${issuer}/sign-out`, { method: 'POST', body })).status).toBe(200);
    for (const one of [token, signedIn.body.token as string])
      expect((await server.call('/api/v2/directory/users/me', { token: one })).status).toBe(401);
  });
});

/** An ID token for the portal, by the code flow of a command line. */
async function idTokenOf(login: string): Promise<string> {
  const request = new URLSearchParams({
    client_id: 'portal',
    response_type: 'code',
    redirect_uri: `${issuer}/portal`,
    scope: 'openid profile',
    login_hint: login,
  });
  const cookies = new Map<string, string>();
  let address = `${issuer}/auth?${request.toString()}`;
  while (!address.startsWith(`${issuer}/portal`)) {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, { redirect: 'manual', headers: { Cookie } });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      cookies.set(name, value);
    }
    address = new URL(answer.headers.get('location')!, issuer).href;
  }
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa('portal:secret-of-the-portal')}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      redirect_uri: `${issuer}/portal`,
      code: new URL(address).searchParams.get('code')!,
    }),
  });
  return ((await answer.json()) as { id_token: string }).id_token;
}
