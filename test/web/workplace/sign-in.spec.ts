import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  endSession,
  expectAccessible,
  heading,
  isFocused,
  settled,
  signInAt,
  submitForm,
} from '../../support/browser.js';
import { idOf } from '../../support/id-of.js';
import { DEMO_PASSWORD } from '../../support/test-server.js';
import { searchField, startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';
import { eventually } from '../../support/eventually.js';

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace();
});
afterAll(() => site.close());

describeInBrowser('Workplace sign-in', (visits) => {
  it('opens the tiles of the person, and keeps the token out of cookies and addresses', async () => {
    const { page, problems } = await visits.open(site.address());
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await expectAccessible(page);
    await signInAt(page, 'bruno.keller');
    await heading(page, 'Hello, Bruno').waitFor();
    await page.getByRole('region', { name: 'Everyday' }).waitFor();
    await searchField(page).fill('keller');
    await page.getByRole('option').first().waitFor();
    const token = await page.evaluate<string>(`sessionStorage.getItem('token')`);
    expect(token.length).toBeGreaterThan(20);
    const cookies = await page.context().cookies();
    expect(cookies.filter(({ value }) => value.includes(token))).toEqual([]);
    expect(await page.evaluate(`document.cookie + JSON.stringify(localStorage)`)).not.toContain(
      token,
    );
    expect(addresses.filter((one) => one.includes(token))).toEqual([]);
    expect(page.url()).toBe(site.address());
    const origin = `http://127.0.0.1:${site.server.port}/`;
    expect(addresses.filter((one) => !one.startsWith(origin) && !one.startsWith('blob:'))).toEqual(
      [],
    );
    expect(problems).toEqual([]);
  });

  it('shows the fault, and accepts another attempt', async () => {
    const { page, problems } = await visits.open(site.address());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Enter your login and your password.').waitFor();
    await page.getByLabel('Login').fill('bruno.keller');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Login or password is wrong.').waitFor();
    await expectAccessible(page);
    expect(await page.getByText('e-mail').count()).toBe(0);
    await page.getByLabel('Login').fill('bruno.keller@helvion.example');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('it may differ from your e-mail address.').waitFor();
    expect(await page.evaluate(`sessionStorage.length`)).toBe(0);
    await signInAt(page, 'bruno.keller');
    await heading(page, 'Hello, Bruno').waitFor();
    // The browser itself logs the error status.
    expect(problems.filter((text) => !/status of 401/.test(text))).toEqual([]);
  });

  it('opens the address that was asked for, and asks to sign in again when the session has ended', async () => {
    const { page } = await visits.open(
      site.address(`/users/${await idOf(site.server, 'users', 'chloe.lefevre')}`),
    );
    await signInAt(page, 'bruno.keller');
    await heading(page, 'Chloé Lefèvre').waitFor();
    await settled(page);
    await endSession(page, site.server);
    await page.getByRole('link', { name: 'Back to the workplace' }).click();
    await page.getByRole('alert').getByText('Your session has ended.').waitFor();
    await signInAt(page, 'bruno.keller');
    await heading(page, 'Hello, Bruno').waitFor();
    await page.getByLabel('Account').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('');
    expect(await page.evaluate(`sessionStorage.getItem('token')`)).toBeNull();
  });

  it('leads from a link to a task through the sign-in to the task', async () => {
    const address = site.address('/tasks/DEMO-2');
    const { page, problems } = await visits.open(address, { locale: 'de-DE' });
    await heading(page, 'Anmelden').waitFor();
    await expectAccessible(page);
    await signInAt(page, 'alice.martin');
    await page.locator('main dl').waitFor();
    expect(page.url()).toBe(address);
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

  it('links to the console and back for people with a role only', async () => {
    const { page, problems } = await site.open(visits, 'alice.martin');
    await page.getByLabel('Account').click();
    await page.getByRole('link', { name: 'Console' }).click();
    await heading(page, 'Hello, Alice Martin').waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Workplace' }).click();
    await heading(page, 'Hello, Alice').waitFor();
    expect(problems).toEqual([]);
    const other = await site.open(visits, 'bruno.keller');
    await other.page.getByLabel('Account').click();
    await other.page.getByRole('link', { name: 'My profile' }).waitFor();
    await settled(other.page);
    expect(await other.page.getByRole('link', { name: 'Console' }).count()).toBe(0);
  });

  it('keeps typed text when the session ends, for the same person only', async () => {
    const { page } = await site.open(visits, 'chloe.lefevre', '/profile', {
      locale: 'fr-FR',
    });
    const field = page.getByLabel('Surnom');
    await field.fill('Typed before');
    await endSession(page, site.server);
    // The page may learn it from another call first: a key would reach the form of the sign-in.
    await field.evaluate(submitForm);
    await page.getByRole('alert').getByText('Votre session est terminée.').first().waitFor();
    expect(await field.isVisible()).toBe(false);
    await signInAt(page, 'chloe.lefevre');
    await field.waitFor();
    expect(await field.inputValue()).toBe('Typed before');
    expect(await field.evaluate(isFocused)).toBe(true);
    await eventually(async () =>
      expect(await page.title()).toMatch(/^\(\d+\) Mon profil · Espace de travail$/),
    );
    await endSession(page, site.server);
    await field.evaluate(submitForm);
    await page.locator('input[name=password]').waitFor();
    await signInAt(page, 'bruno.keller');
    await page.getByText('Bruno Keller · bruno.keller').waitFor();
    expect(await page.getByLabel('Nickname').inputValue()).toBe('');
  });

  it('keeps an open dialog when the session ends, and lets the person sign in behind it', async () => {
    const { page } = await site.open(visits, 'bruno.keller', '/tasks?text=desk');
    await page.getByRole('button', { name: 'Save this filter' }).click();
    const name = page.locator('dialog').getByLabel('Name');
    await name.fill('Typed before');
    await endSession(page, site.server);
    await name.evaluate(submitForm);
    await page.getByRole('alert').getByText('Your session has ended.').first().waitFor();
    const login = page.getByRole('textbox', { name: 'Login' });
    expect(await login.evaluate(isFocused)).toBe(true);
    await expectAccessible(page);
    await signInAt(page, 'bruno.keller');
    await name.waitFor();
    expect(await name.inputValue()).toBe('Typed before');
    expect(await name.evaluate(isFocused)).toBe(true);
    await name.press('Enter');
    await page.getByRole('button', { name: /^Typed before/ }).waitFor();
  });

  it('keeps typed text when the server does not say whose the new session is', async () => {
    const { page } = await site.open(visits, 'bruno.keller', '/profile');
    const field = page.getByLabel('Nickname');
    await field.fill('Typed before');
    await endSession(page, site.server);
    await field.evaluate(submitForm);
    const password = page.locator('input[name=password]');
    await password.waitFor();
    await page.route('**/api/v2/authentication', (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 503 }) : route.continue(),
    );
    await page.getByRole('textbox', { name: 'Login' }).fill('bruno.keller');
    await password.fill(DEMO_PASSWORD);
    await password.press('Enter');
    await page.getByRole('alert').getByText('busy').waitFor();
    await page.unroute('**/api/v2/authentication');
    await signInAt(page, 'bruno.keller');
    await field.waitFor();
    expect(await field.inputValue()).toBe('Typed before');
  });
});
