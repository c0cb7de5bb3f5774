import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectAccessible, heading } from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { idOf } from '../../support/id-of.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startTestConsole();
});
afterAll(() => site.close());

/** Holds back the answers of a URL until `pass`, which waits until the page has received the first. */
async function heldAnswer(
  page: Page,
  method: string,
  address: RegExp,
): Promise<{ pass: () => Promise<void> }> {
  let pass: () => void;
  const passed = new Promise<void>((resolve) => (pass = resolve));
  await page.route(address, async (route) => {
    if (route.request().method() === method) await passed;
    await route.continue();
  });
  const answer = page.waitForResponse(
    (one) => address.test(one.url()) && one.request().method() === method,
  );
  return {
    pass: async () => {
      pass();
      await (await answer).finished();
    },
  };
}

describeInBrowser('Console records', (visits) => {
  it('are created, changed and deleted, with each error at its field', async () => {
    const { page } = await site.open(visits, '/users/create');
    await page.getByLabel('Last name').fill('Sommer');
    await page.getByLabel('Login').fill('bruno.keller');
    await page.getByLabel('E-mail').fill('no address');
    await page.getByRole('button', { name: 'Create' }).click();
    const email = page.locator('[data-attribute=email]');
    await email.getByText('Must be an e-mail address.', { exact: true }).waitFor();
    // The focus moves from the button at the bottom to the invalid field.
    expect(await page.evaluate('document.activeElement.name')).toBe('email');
    expect(await email.locator('input').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('E-mail').fill('eva.sommer@helvion.example');
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('input[name=password][aria-invalid=true]').waitFor();
    await page.getByLabel('New password').fill('Long-Enough-2026');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText(/This cannot be done: .*login/i).waitFor();
    await page.getByLabel('Login').fill('eva.sommer');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/\/users\/\d+$/);
    await heading(page, 'Sommer').waitFor();
    await expectAccessible(page);
    expect(await site.server.signIn('eva.sommer', 'Long-Enough-2026')).toMatch(/^[\w-]{43}$/);

    const id = page.url().split('/').at(-1)!;
    await page.getByLabel('First name').fill('Eva');
    await page.getByLabel('Title').fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await heading(page, 'Eva Sommer').waitFor();
    expect((await site.read(`/api/v2/directory/users/${id}`)).firstName).toBe('Eva');

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await heading(page, 'Users').waitFor();
    expect((await site.call(`/api/v2/directory/users/${id}`)).status).toBe(404);
  });

  it('keep typed text when they are loaded again, and update the rest', async () => {
    const { page, problems } = await site.open(visits, '/organizations/create');
    const reading = await heldAnswer(page, 'GET', /\/directory\/organizations\/\d+$/);
    await page.getByLabel('Label').fill('Typed at once');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    await page.getByLabel('Description').fill('Before it was read');
    const path = `/api/v2/directory/organizations/${page.url().split('/').at(-1)}`;
    const { uri: parent } = await site.read(path);
    const body = { label: 'Below', parent };
    await site.call('/api/v2/directory/organizations', { method: 'POST', body });
    await reading.pass();
    await page.getByText('Organizations below').locator('..').getByText('1').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Before it was read');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await site.read(path)).description).toBe('Before it was read');
    expect(problems).toEqual([]);
  });

  it('accept no input during saving, and return the focus to the same field', async () => {
    const { page } = await site.open(visits, '/groups/create');
    const writing = await heldAnswer(page, 'POST', /\/directory\/groups$/);
    await page.getByLabel('Label').fill('Twice');
    const reference = page.getByLabel('Reference');
    await reference.fill('HIRING');
    await reference.press('Enter');
    const inertParts = () => page.locator('[inert]', { has: reference }).count();
    await eventually(async () => expect(await inertParts()).toBe(1));
    await page.keyboard.type('lost');
    await writing.pass();
    await page.getByText(/This cannot be done: .*reference/i).waitFor();
    expect(await inertParts()).toBe(0);
    await page.keyboard.type('-2');
    expect(await reference.inputValue()).toBe('HIRING-2');
  });

  it("do not overwrite another person's change that is loaded during typing", async () => {
    const { page } = await site.open(visits, '/groups/create');
    const reading = await heldAnswer(page, 'GET', /\/directory\/groups\/\d+$/);
    await page.getByLabel('Label').fill('Shared');
    await page.getByRole('button', { name: 'Create' }).click();
    await heading(page, 'Shared').waitFor();
    const path = `/api/v2/directory/groups/${page.url().split('/').at(-1)}`;
    await page.getByLabel('Description').fill('Mine');
    const body = [{ op: 'replace', path: '/description', value: 'Theirs' }];
    await site.call(path, { method: 'PATCH', body });
    await reading.pass();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/Another person has changed this/).waitFor();
    expect((await site.read(path)).description).toBe('Theirs');
    expect(await page.getByLabel('Description').inputValue()).toBe('Mine');
  });

  it.each([
    [
      'de-DE',
      'Erstellen',
      'Muss eine E-Mail-Adresse sein.',
      'Das ist nicht möglich: Der Wert von „Anmeldename“ ist schon vergeben',
    ],
    [
      'fr-FR',
      'Créer',
      'Doit être une adresse e-mail.',
      'C’est impossible\u00a0: la valeur de «\u00a0identifiant\u00a0» est déjà prise',
    ],
  ])('show the messages of the server in %s', async (locale, create, atField, notice) => {
    const { page } = await site.open(visits, '/users/create', { locale });
    await page.locator('[data-attribute=lastName] input').fill('Sommer');
    await page.locator('[data-attribute=login] input').fill('eva.sommer');
    await page.locator('[data-attribute=email] input').fill('no address');
    await page.getByRole('button', { name: create }).click();
    const email = page.locator('[data-attribute=email]');
    await email.getByText(atField, { exact: true }).waitFor();
    expect(await email.locator('[lang=en]').count()).toBe(0);
    await email.locator('input').fill('');
    await page.locator('[data-attribute=login] input').fill('bruno.keller');
    await page.getByRole('button', { name: create }).click();
    await page.getByRole('alert').getByText(notice, { exact: true }).waitFor();
  });

  it('mark a message without a translation as English on a French page', async () => {
    const { page } = await site.open(visits, '/users/create', { locale: 'fr-FR' });
    await page.locator('[data-attribute=lastName] input').fill('Sommer');
    await page.locator('[data-attribute=login] input').fill('eva.sommer');
    const answer = (status: number, error: object) =>
      page.route(/\/api\/v2\/directory\/users$/, (route) =>
        route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(error) }),
      );
    await answer(400, {
      code: 400,
      message: 'bad',
      fields: [{ name: 'login', message: 'is odd' }],
    });
    await page.getByRole('button', { name: 'Créer' }).click();
    const login = page.locator('[data-attribute=login]');
    await login.getByText('Refusé par le serveur : « is odd »').waitFor();
    expect(await login.locator('[lang=en]').textContent()).toBe('is odd');
    await answer(409, { code: 409, message: 'The moon is full' });
    await page.getByRole('button', { name: 'Créer' }).click();
    const notice = page.getByRole('alert').getByText(/^C’est impossible\s: /);
    await notice.waitFor();
    expect(await notice.locator('[lang=en]').textContent()).toBe('The moon is full');
  });

  it('do not overwrite a change that another person saved in the meantime', async () => {
    const id = await idOf(site.server, 'groups', 'HIRING');
    const { page } = await site.open(visits, `/groups/${id}`);
    await page.getByLabel('Description').waitFor();
    await site.call(`/api/v2/directory/groups/${id}`, {
      method: 'PATCH',
      body: [{ op: 'replace', path: '/description', value: 'Theirs' }],
    });
    await page.getByLabel('Label').fill('Mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/Another person has changed this/).waitFor();
    const group = await site.read(`/api/v2/directory/groups/${id}`);
    expect([group.label, group.description]).toEqual(['Hiring team', 'Theirs']);
  });

  it('name the objects that refer to one that cannot be deleted', async () => {
    const id = await idOf(site.server, 'organizations', 'HQ');
    const { page } = await site.open(visits, `/organizations/${id}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/This cannot be done: .*organizations/).waitFor();
  });

  it('warn the writer of a task when a person for whom it waits does not see its application', async () => {
    const audience = [await idOf(site.server, 'users', 'alice.martin')];
    const body = { title: 'Office move', type: 'PROCESS', audience };
    await site.call('/api/v2/navigation/applications', { method: 'POST', body });
    const { page, problems } = await site.open(visits, '/tasks/create');
    const pick = async (attribute: string, text: string, option: RegExp) => {
      await page.locator(`[data-attribute=${attribute}] input`).fill(text);
      await page.getByRole('option', { name: option }).click();
    };
    await page.locator('[data-attribute=title] input').fill('Choose a desk');
    await pick('application', 'office move', /^Office move/);
    await pick('assignee', 'bruno', /^Bruno Keller/);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const warning = page.getByText(
      '“Office move” is hidden from Bruno Keller, for whom the task waits.',
    );
    await warning.waitFor();
    await heading(page, 'Choose a desk').waitFor();
    await expectAccessible(page);
    await page.reload();
    await pick('assignee', 'alice', /^Alice Martin/);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await warning.count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
