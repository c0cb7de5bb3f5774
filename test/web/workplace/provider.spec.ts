import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { startTestProvider, type TestProvider } from '../../support/identity-provider.js';
import { DEMO_PASSWORD, startTestServer, type TestServer } from '../../support/test-server.js';

let provider: TestProvider;
let server: TestServer;
let base: string;
beforeAll(async () => {
  provider = await startTestProvider();
  server = await startTestServer({
    BASE_PATH: '/platform',
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: 'page',
  });
  base = `http://127.0.0.1:${server.port}/platform/workplace`;
  await provider.admitPage(base);
});
afterAll(async () => {
  await server.close();
  await provider.stop();
});

describeInBrowser('/workplace with an identity provider', (visits) => {
  /** Goes from the sign-in page to the provider's page and back. */
  const signInAtProvider = async (login: string, path = '') => {
    const visit = await visits.open(base + path);
    const { page } = visit;
    const host = new URL(provider.issuer).host;
    await page.getByRole('button', { name: `Sign in with ${host}` }).click();
    await page.locator('input[name=login]:not([autocomplete])').fill(login);
    await page.locator('input[name=password]').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL((url) => url.href.startsWith(base) && url.search === '');
    return visit;
  };

  it('signs in by the authorization code flow with PKCE, and leads where one wanted to go', async () => {
    const { page, problems } = await signInAtProvider('bruno.keller', '/profile');
    await page.getByRole('heading', { level: 1, name: 'My profile' }).waitFor();
    expect(page.url()).toBe(`${base}/profile`);
    const [request = ''] = provider.hits.filter((hit) => hit.startsWith('/auth?'));
    const asked = new URLSearchParams(request.slice(request.indexOf('?')));
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: 'page',
      redirect_uri: base,
      code_challenge_method: 'S256',
    });
    expect(await page.evaluate(`Object.keys(sessionStorage)`)).toEqual(['token']);
    // The provider's own pages request a font and an icon that do not exist.
    expect(problems.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
  });

  it('opens a tile in a new window at the address of the navigation API, base path included once', async () => {
    await server.database.query(
      `UPDATE applications SET link = '/workplace/help/leave', target_blank = true WHERE reference = 'LEAVE'`,
    );
    const token = await server
      .call('/platform/api/v2/authentication', {
        method: 'POST',
        body: { login: 'bruno.keller', password: DEMO_PASSWORD },
      })
      .then(({ body }) => (body as { token: string }).token);
    const { page } = await visits.open(base, { token });
    const tile = page.getByRole('link', { name: /^Leave requests/ }).first();
    expect(await tile.getAttribute('href')).toBe('/platform/workplace/help/leave');
    await server.database.query(
      `UPDATE applications SET link = NULL, target_blank = false WHERE reference = 'LEAVE'`,
    );
  });

  it('says so when the person is not known here', async () => {
    const { page } = await signInAtProvider('stranger');
    await page
      .getByRole('alert')
      .getByText('Your account at the provider is not known here')
      .waitFor();
    await page.getByLabel('Login').waitFor();
  });

  it('takes no answer that it did not ask for', async () => {
    const { page } = await visits.open(`${base}?code=stolen&state=guessed`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.evaluate(
      `sessionStorage.setItem('identity-provider', JSON.stringify({ state: 'mine', verifier: 'v', nonce: 'n', path: location.pathname }))`,
    );
    const hits = provider.hits.length;
    await page.reload();
    await page.getByRole('alert').getByText('was not completed').waitFor();
    expect(page.url()).toBe(base);
    expect(provider.hits.length).toBe(hits);
  });
});
