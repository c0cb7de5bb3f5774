import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  isFocused,
  PHONE,
  tabTo,
  type VisitOptions,
} from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { idOf } from '../support/id-of.js';
import { startTestProvider, type TestProvider } from '../support/identity-provider.js';
import { DEMO_PASSWORD, startTestServer, type TestServer } from '../support/test-server.js';

const USERS = '/api/v2/directory/users';

/** Sets the language of an account. */
const speak = (locale: string, login: string) =>
  server.database.query(`UPDATE users SET locale = $1 WHERE login = $2`, [locale, login]);

/** One page of each kind, and the steps that create an API key there. */
const PAGES = {
  workplace: {
    login: 'bruno.keller',
    frenchLogin: 'chloe.lefevre',
    path: '/workplace/profile',
    makeKey: async (page: Page, name: string) => {
      const field = page.getByRole('textbox', { name: /^Name of the new key|^Nom de la nouvelle/ });
      await field.fill(name);
      await field.press('Enter');
    },
  },
  console: {
    login: 'alice.martin',
    frenchLogin: 'alice.martin',
    path: '/console/users/:id',
    makeKey: async (page: Page, name: string) => {
      const newKey = { name: /^New API key|^Nouvelle clé/ };
      const dialog = page.getByRole('dialog', newKey);
      if (!(await dialog.isVisible())) await page.getByRole('button', newKey).click();
      await dialog.getByLabel(/^(Name|Nom)/).fill(name);
      await dialog.getByLabel(/^(Name|Nom)/).press('Enter');
    },
  },
} as const;

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
  base = `http://127.0.0.1:${server.port}/platform`;
  await provider.admitPage(`${base}/workplace`);
});
afterAll(async () => {
  await server.close();
  await provider.stop();
});

const call = (path: string, options: Parameters<TestServer['call']>[1] = {}) =>
  server.call(`/platform${path}`, options);

async function signIn(login: string, password = DEMO_PASSWORD): Promise<string> {
  const body = { login, password };
  const answer = await call('/api/v2/authentication', { method: 'POST', body });
  expect(answer.status).toBe(200);
  return (answer.body as { token: string }).token;
}

/** Backdates all sessions, so that calls that require a recent sign-in fail. */
const letSessionsAge = () =>
  server.database.query(`UPDATE tokens SET proof_date = proof_date - interval '301 seconds'`);

/** The calls that create a key or confirm a password, in the order of their answers. */
function answersIn(page: Page): [what: string, status: number][] {
  const answers: [string, number][] = [];
  page.on('response', (response) => {
    const what = /(api-keys|confirmation)$/.exec(new URL(response.url()).pathname)?.[1];
    if (what && response.request().method() === 'POST') answers.push([what, response.status()]);
  });
  return answers;
}

const question = (page: Page): Locator =>
  page.getByRole('dialog', { name: /^Confirm that it is you|^Confirmez que c’est bien vous/ });
/** Excludes the messages that the browser itself logs for error statuses. */
const unexpected = (problems: string[]): string[] =>
  problems.filter((text) => !/status of 4(00|01)/.test(text));

describeInBrowser('a change that needs a recent sign-in', (visits) => {
  describe.each(Object.entries(PAGES))('in the %s', (_name, kind) => {
    const { path, makeKey } = kind;
    const open = async ({
      login = kind.login,
      ...options
    }: VisitOptions & { login?: string } = {}) => {
      const token = await signIn(login);
      await letSessionsAge();
      const chloe = await idOf(server, 'users', 'chloe.lefevre');
      const address = base + path.replace(':id', chloe);
      const visit = await visits.open(address, { token, ...options });
      await visit.page.locator('main h1').waitFor();
      return { ...visit, address, answers: answersIn(visit.page) };
    };

    it('asks for the password until it is right, then is made', async () => {
      const { page, problems, answers } = await open();
      await makeKey(page, 'Nightly');
      const password = question(page).getByLabel(/^Your password/);
      await eventually(async () => expect(await password.evaluate(isFocused)).toBe(true));
      await expectAccessible(page);
      await password.fill('wrong');
      await password.press('Enter');
      await question(page).getByText('This is not your password.').waitFor();
      await password.fill(DEMO_PASSWORD);
      await question(page).getByRole('button', { name: 'Confirm' }).click();
      await question(page).waitFor({ state: 'detached' });
      await page.locator('code', { hasText: /^\S{30,}$/ }).waitFor();
      expect(answers).toEqual([
        ['api-keys', 401],
        ['confirmation', 400],
        ['confirmation', 204],
        ['api-keys', 201],
      ]);
      expect(unexpected(problems)).toEqual([]);
    });

    it('is refused after Escape or Cancel, and asks again at the next try', async () => {
      const { page, problems, answers } = await open();
      await makeKey(page, 'Declined');
      await question(page).waitFor();
      await page.keyboard.press('Escape');
      await question(page).waitFor({ state: 'detached' });
      await page.getByText('You are not allowed to do this').first().waitFor();
      await makeKey(page, 'Declined');
      await question(page).waitFor();
      await tabTo(page, question(page).getByRole('button', { name: 'Cancel' }));
      await page.keyboard.press('Enter');
      await question(page).waitFor({ state: 'detached' });
      expect(answers).toEqual(Array(2).fill(['api-keys', 401]));
      expect(unexpected(problems)).toEqual([]);
    });

    it('asks in French, in the dark, on a phone', async () => {
      await speak('fr', kind.frenchLogin);
      const { page, problems } = await open({
        login: kind.frenchLogin,
        locale: 'fr-FR',
        colorScheme: 'dark',
        ...PHONE,
      });
      await makeKey(page, 'Nocturne');
      await question(page)
        .getByLabel(/^Votre mot de passe/)
        .waitFor();
      await expectAccessible(page);
      await expectToFit(page);
      await question(page).getByRole('button', { name: 'Annuler' }).click();
      expect(unexpected(problems)).toEqual([]);
      await speak('en', kind.login);
    });

    it('is possible after a new sign-in at the identity provider', async () => {
      const { page, address } = await open();
      await makeKey(page, 'Elsewhere');
      const host = new URL(provider.issuer).host;
      await question(page)
        .getByRole('button', { name: `Sign in again with ${host}` })
        .click();
      // The form behind the question has fields of the same names.
      await page.waitForURL((url) => url.host === host);
      await page.locator('input[name=login]').fill(kind.login);
      await page.locator('input[name=password]').fill('any');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.waitForURL(address);
      await page.locator('main h1').waitFor();
      const asked = provider.hits.filter((hit) => hit.startsWith('/auth?')).at(-1)!;
      expect(new URLSearchParams(asked).get('max_age')).toBe('300');
      await makeKey(page, 'Elsewhere');
      await page.locator('code', { hasText: /^\S{30,}$/ }).waitFor();
      expect(await question(page).count()).toBe(0);
    });
  });

  it('imports nothing when that is declined, and asks no second time', async () => {
    const token = await signIn('alice.martin');
    await letSessionsAge();
    const { page } = await visits.open(`${base}/console/users/import`, { token });
    const lines = [1, 2, 3, 4, 5, 6].map((at) => `import.${at};Import;true`);
    await page.locator('input[type=file]').setInputFiles({
      name: 'users.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['login;lastName;administrator', ...lines].join('\r\n')),
    });
    await page.getByRole('button', { name: 'Import 6 lines' }).click();
    await question(page).getByRole('button', { name: 'Cancel' }).click();
    await question(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Import 6 lines' }).waitFor();
    const found = await call(`${USERS}?filters=login:starts:import.`, { token });
    expect(found.body).toEqual([]);
  });
});

describeInBrowser('ending everything', (visits) => {
  /** A user with a session, an API key and an invitation. */
  const makeAccount = async (login: string) => {
    const admin = await signIn('alice.martin');
    const body = { login, lastName: 'Leaving', password: DEMO_PASSWORD, administrator: true };
    const made = await call(USERS, { method: 'POST', token: admin, body });
    const user = `${USERS}/${(made.body as { id: string }).id}`;
    const invited = await call(`${user}/invitation`, { method: 'POST', token: admin });
    const token = await signIn(login);
    const key = { method: 'POST', token, body: { name: 'old' } };
    const keyed = await call(`${user}/api-keys`, key);
    return {
      id: (made.body as { id: string }).id,
      token,
      code: (invited.body as { code: string }).code,
      key: (keyed.body as { key: string }).key,
      login,
    };
  };

  /** Asserts that only the password gives access to the account. */
  const expectEnded = async ({
    token,
    code,
    key,
    login,
  }: Awaited<ReturnType<typeof makeAccount>>) => {
    expect((await call('/api/v2/authentication', { token })).status).toBe(401);
    const byKey = { method: 'POST', body: { login, password: key } };
    expect((await call('/api/v2/authentication', byKey)).status).toBe(401);
    const use = { method: 'POST', body: { code, password: 'Battery-Staple-2027' } };
    expect((await call('/api/v2/directory/invitations', use)).status).toBe(400);
    await signIn(login);
  };

  it('names in the own profile the access that ends, and leads to the sign-in page', async () => {
    const account = await makeAccount('leaving.one');
    const { token } = account;
    const { page, problems } = await visits.open(`${base}/workplace/profile`, { token });
    const opener = page.getByRole('button', { name: 'End everything' });
    await opener.click();
    const dialog = page.getByRole('dialog', { name: 'End everything?' });
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
      'all your sessions, this one included',
      'all your API keys',
      'an invitation that is still open',
      'the link to the account of your organization, until you sign in there again',
      'all absences, with what their substitutes may do',
    ]);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await opener.evaluate(isFocused)).toBe(true);
    await opener.press('Enter');
    expect(await dialog.getByRole('button', { name: 'Cancel' }).evaluate(isFocused)).toBe(true);
    expect((await call('/api/v2/authentication', { token })).status).toBe(200);
    await dialog.getByRole('button', { name: 'End everything' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(await page.evaluate(`sessionStorage.getItem('token')`)).toBe(null);
    await expectEnded(account);
    expect(problems).toEqual([]);
  });

  it('ends the access of another user in the console, which stays open', async () => {
    const account = await makeAccount('leaving.two');
    const token = await signIn('alice.martin');
    const absences = '/api/v2/process/absences';
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const body = { user: account.id, substitute: 'chloe.lefevre', startDate: at(1) };
    for (const more of [{}, { application: 'TRAVEL' }]) {
      const order = { ...body, ...more, endDate: at(9) };
      expect((await call(absences, { method: 'POST', token, body: order })).status).toBe(201);
    }
    const address = `${base}/console/users/${account.id}`;
    const { page, problems } = await visits.open(address, { token });
    await page.getByRole('button', { name: 'End everything' }).click();
    const dialog = page.getByRole('dialog', { name: 'End everything?' });
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
      'all sessions of this account',
      'all its API keys',
      'an invitation that is still open',
      'the link to the account of the organization, until the next sign-in there',
      'all absences, with what their substitutes may do',
    ]);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'End everything' }).click();
    await page.getByText('Everything has ended').waitFor();
    await page.getByText('0 open sessions').waitFor();
    await page.getByText('No keys.').waitFor();
    expect((await call(absences, { token })).body).toEqual([]);
    await expectEnded(account);
    expect(problems).toEqual([]);
  });

  it('leads from the own account in the console to the sign-in page', async () => {
    const account = await makeAccount('leaving.three');
    const { token } = account;
    const address = `${base}/console/users/${account.id}`;
    const { page, problems } = await visits.open(address, { token });
    await page.getByRole('button', { name: 'End everything' }).click();
    const dialog = page.getByRole('dialog', { name: 'End everything?' });
    await dialog.getByText('This is your own account: you have to sign in again.').waitFor();
    await dialog.getByRole('button', { name: 'End everything' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await expectEnded(account);
    expect(problems).toEqual([]);
  });
});
