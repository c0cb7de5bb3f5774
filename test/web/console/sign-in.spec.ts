import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  endSession,
  expectAccessible,
  heading,
  signInAt,
} from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { sysadminPassword } from '../../support/test-database.js';
import { idOf } from '../../support/id-of.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startTestConsole();
});
afterAll(() => site.close());

describeInBrowser('Console sign-in', (visits) => {
  it('asks for login and password, and reports a wrong password', async () => {
    const { page } = await visits.open(site.address());
    await expectAccessible(page);
    await page.locator('input[name=login]').fill('alice.martin');
    await page.locator('input[name=password]').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Login or password is wrong.').waitFor();
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  it('explains to people without a role why the console does not open', async () => {
    const { page, problems } = await site.open(visits, '/users', { login: 'bruno.keller' });
    await heading(page, 'No access to the console').waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('link', { name: 'Go to the workplace' }).getAttribute('href')).toBe(
      '/workplace',
    );
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('opens with the session of the workplace, and forgets it at sign-out', async () => {
    const { page } = await visits.open(`http://127.0.0.1:${site.server.port}/workplace`);
    await signInAt(page, 'alice.martin');
    await page.goto(site.address('/groups'));
    await heading(page, 'Groups').waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    expect(await page.evaluate("sessionStorage.getItem('token')")).toBeNull();
  });

  it('asks to sign in again when the session has ended, then opens the page that was asked for', async () => {
    const { page } = await site.open(visits, '/groups');
    await heading(page, 'Groups').waitFor();
    await endSession(page, site.server);
    await page.getByRole('navigation').getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('alert').getByText('Your session has ended.').waitFor();
    await signInAt(page, 'alice.martin');
    await heading(page, 'Customers').waitFor();
  });

  it('keeps typed text when the session ends, for the same person only', async () => {
    const group = `/groups/${await idOf(site.server, 'groups', 'HIRING')}`;
    const { page } = await site.open(visits, group);
    const field = page.getByLabel('Description');
    await field.fill('Typed before');
    // This holds even while a dialog of the page itself is open.
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await endSession(page, site.server);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.locator('input[name=password]').waitFor();
    await expectAccessible(page);
    await signInAt(page, 'alice.martin');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('Typed before');
    expect(await page.title()).toBe('Hiring team · Console');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await site.read(`/api/v2/directory${group}`)).description).toBe('Typed before');
    await field.fill('Not to be seen');
    await endSession(page, site.server);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('input[name=password]').waitFor();
    await signInAt(page, 'sysadmin', sysadminPassword());
    await heading(page, 'Hiring team').waitFor();
    await eventually(async () => expect(await field.inputValue()).toBe('Typed before'));
    await endSession(page, site.server);
    await page.getByRole('navigation').getByRole('link', { name: 'Users', exact: true }).click();
    await page.locator('input[name=password]').waitFor();
    await signInAt(page, 'bruno.keller');
    await heading(page, 'No access to the console').waitFor();
    expect(await page.getByLabel('Description').count()).toBe(0);
  });
});
