import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, heading } from '../support/browser.js';
import { startTestProvider, type TestProvider } from '../support/identity-provider.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

let provider: TestProvider;
let server: TestServer;
let base: string;
beforeAll(async () => {
  provider = await startTestProvider();
  server = await startTestServer({
    BASE_PATH: '/platform',
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: 'page',
    OIDC_NAME: 'Example Ltd',
    OIDC_SILENT: 'true',
  });
  base = `http://127.0.0.1:${server.port}/platform`;
  await provider.admitPage(`${base}/workplace`);
});
afterAll(async () => {
  await server.close();
  await provider.stop();
});
beforeEach(() => void provider.hits.splice(0));

/** The values of `prompt` in the requests to the provider. */
const prompts = (): (string | null)[] =>
  provider.hits
    .filter((hit) => hit.startsWith('/auth?'))
    .map((hit) => new URLSearchParams(hit.slice(hit.indexOf('?'))).get('prompt'));

const signInPage = (page: Page) => heading(page, 'Sign in').waitFor();
const providerButton = (page: Page) =>
  page.getByRole('button', { name: 'Sign in with Example Ltd' });

/** Signs in at the provider, which has a session from then on. */
async function signInThere(page: Page, login: string): Promise<void> {
  await providerButton(page).click();
  await page.locator('input[name=login]:not([autocomplete])').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await heading(page, /^Hello/).waitFor();
}

/** Forgets the session of this server, as after a month; the provider keeps its own. */
async function forgetSession(page: Page): Promise<void> {
  await page.evaluate(`localStorage.clear()`);
  await server.database.query('DELETE FROM browser_sessions');
}

describeInBrowser('Silent sign-in', (visits) => {
  it('asks the provider once in a tab, and shows the sign-in page where it has no session', async () => {
    const { page } = await visits.open(`${base}/workplace/profile?a=b#c`);
    await signInPage(page);
    expect(page.url()).toBe(`${base}/workplace/profile?a=b#c`);
    expect(await page.getByRole('alert').innerText()).toBe('');
    await page.reload();
    await signInPage(page);
    expect(prompts()).toEqual(['none']);
  });

  it('opens the page that a new tab asked for, when the provider has a session', async () => {
    const { page } = await visits.open(`${base}/workplace`);
    await signInPage(page);
    await signInThere(page, 'alice.martin');
    for (const [path, title] of [
      ['/workplace/profile?a=b', 'My profile'],
      ['/console/users', 'Users'],
    ] as const) {
      await forgetSession(page);
      const tab = await page.context().newPage();
      await tab.goto(base + path);
      await heading(tab, title).waitFor();
      expect(tab.url().startsWith(base + path)).toBe(true);
    }
    expect(prompts()).toEqual(['none', null, 'none', 'none']);
  });

  it('does not follow a sign-out, in any tab, until the next sign-in', async () => {
    const { page } = await visits.open(`${base}/workplace`);
    await signInPage(page);
    await signInThere(page, 'bruno.keller');
    await page.getByLabel('Account').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInPage(page);
    expect(await providerButton(page).isEnabled()).toBe(true);
    provider.hits.splice(0);
    const tab = await page.context().newPage();
    await tab.goto(`${base}/workplace`);
    await signInPage(tab);
    expect(prompts()).toEqual([]);
    await providerButton(tab).click();
    await heading(tab, /^Hello/).waitFor();
  });

  it('never takes people away from a page for a one-time code', async () => {
    for (const path of ['invitation#code', 'password-reset#code', 'forgotten-password']) {
      const { page } = await visits.open(`${base}/workplace/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    expect(prompts()).toEqual([]);
  });

  it('leaves the sign-in page in place while the provider is unreachable', async () => {
    await provider.stop();
    const { page } = await visits.open(`${base}/workplace`);
    await signInPage(page);
    await provider.start();
  });
});
