import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  settled,
  signInAt,
  speedOf,
  tabTo,
  takePicture,
  type Visit,
  type VisitOptions,
  type Visits,
  withoutKeyboard,
} from './support/browser.js';
import { eventually } from './support/eventually.js';
import { sysadminPassword } from './support/test-database.js';
import { startTestServer, type TestServer } from './support/test-server.js';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('alice.martin');
});
afterAll(() => server.close());

const address = (path = ''): string => `http://127.0.0.1:${server.port}/console${path}`;

/** Opens a page of the console as a signed-in user, an administrator by default. */
async function openAs(
  visits: Visits,
  path: string,
  { login, password, ...options }: VisitOptions & { login?: string; password?: string } = {},
): Promise<Visit> {
  const theirs = login === undefined ? token : await server.signIn(login, password);
  return visits.open(address(path), { token: theirs, ...options });
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name });

/** The API's answer for a path. */
async function stored(path: string): Promise<Record<string, unknown>> {
  return (await server.call(path, { token })).body as Record<string, unknown>;
}

/** A category with a very long name. */
async function wideCategory(): Promise<string> {
  const title = `A ${'very '.repeat(20)}long name of a category`;
  const body = { title, position: 900, active: false };
  const answer = await server.call('/api/v2/navigation/categories', {
    token,
    method: 'POST',
    body,
  });
  return (answer.body as { uri: string }).uri;
}

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

/** Every page, by its first heading. */
const PAGES: [path: string, heading: string | RegExp][] = [
  ['/', /^Hello, Alice/],
  ['/users', 'Users'],
  ['/users/24', 'Bruno Keller'],
  ['/users/create', 'New user'],
  ['/organizations', 'Organizations'],
  ['/organizations/tree', 'Organization tree'],
  ['/groups/199', 'Expense approvers'],
  ['/categories', 'Categories'],
  ['/applications', 'Applications'],
  ['/applications/3', 'Expense claims'],
  ['/tasks', 'Tasks'],
  ['/views', 'Views'],
  ['/documents', 'Documents'],
  ['/news', 'News'],
  ['/faqs', 'Questions'],
  ['/customers', 'Customers'],
  ['/customers/import', 'Import: Customers'],
  ['/reorder', 'Order of tiles'],
  ['/view-as?user=24', 'See the workplace as …'],
  ['/audit', 'Audit trail'],
  ['/parameters', 'Server parameters'],
  ['/nowhere', 'There is no such page'],
];

it('answers a page that runs and styles nothing written into it', async () => {
  const answer = await server.call('/console/users/24');
  expect(answer.status).toBe(200);
  const policy = String(answer.headers['content-security-policy']);
  expect(policy).toContain("script-src 'self';");
  // The digest of the empty string: style elements must be empty.
  expect(policy).toContain(
    "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';",
  );
  expect(answer.text).not.toContain('<style');
});

describeInBrowser('/console', (visits) => {
  it('asks to sign in, and refuses what is wrong', async () => {
    const { page } = await visits.open(address());
    await expectAccessible(page);
    await page.locator('input[name=login]').fill('alice.martin');
    await page.locator('input[name=password]').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Login or password is wrong.').waitFor();
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  it('tells somebody who is no administrator why it does not open', async () => {
    const { page, problems } = await openAs(visits, '/users', { login: 'bruno.keller' });
    await heading(page, 'For administrators only').waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('link', { name: 'To the workplace' }).getAttribute('href')).toBe(
      '/workplace',
    );
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('is open to whoever signed in at the workplace, and closed once they sign out', async () => {
    const { page } = await visits.open(`http://127.0.0.1:${server.port}/workplace`);
    await signInAt(page, 'alice.martin');
    await page.goto(address('/groups'));
    await heading(page, 'Groups').waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    expect(await page.evaluate("sessionStorage.getItem('token')")).toBeNull();
  });

  it('asks to sign in again when the session has ended, and goes on where it was', async () => {
    const { page } = await openAs(visits, '/groups');
    await heading(page, 'Groups').waitFor();
    await server.database.query('DELETE FROM tokens WHERE user_id = 23');
    token = await server.signIn('alice.martin');
    await page.getByRole('navigation').getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('alert').getByText('Your session has ended.').waitFor();
    await signInAt(page, 'alice.martin');
    await heading(page, 'Customers').waitFor();
  });

  it('keeps what was typed when the session ends, for the same person only', async () => {
    const { page } = await openAs(visits, '/groups/200', { login: 'alice.martin' });
    const end = async () => {
      const used = await page.evaluate<string>("sessionStorage.getItem('token')");
      await server.call('/api/v2/authentication', { token: used, method: 'DELETE' });
    };
    const field = page.getByLabel('Description');
    await field.fill('Typed before');
    // This holds even while a dialog of the page itself is open.
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await end();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.locator('input[name=password]').waitFor();
    await expectAccessible(page);
    await signInAt(page, 'alice.martin');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('Typed before');
    expect(await page.title()).toBe('Hiring team · Console');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await stored('/api/v2/directory/groups/200')).description).toBe('Typed before');
    await field.fill('Not to be seen');
    await end();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('input[name=password]').waitFor();
    await signInAt(page, 'sysadmin', sysadminPassword());
    await heading(page, 'Hiring team').waitFor();
    await eventually(async () => expect(await field.inputValue()).toBe('Typed before'), 10_000);
    await end();
    await page.getByRole('navigation').getByRole('link', { name: 'Users', exact: true }).click();
    await page.locator('input[name=password]').waitFor();
    await signInAt(page, 'bruno.keller');
    await heading(page, 'For administrators only').waitFor();
    expect(await page.getByLabel('Description').count()).toBe(0);
  });

  /** Visits that move from page to page, so that the console loads only once. */
  const kept: Record<string, Visit> = {};
  const goTo = async (name: string, path: string, options: VisitOptions = {}): Promise<Visit> => {
    const before = kept[name];
    const visit = (kept[name] ??= await openAs(visits, path, { ...options, isKept: true }));
    if (before) await visit.page.goto(address(path));
    await visit.page.getByRole('heading', { level: 1 }).waitFor();
    return visit;
  };

  it.each(PAGES)('shows %s without a serious finding of axe', async (path, title) => {
    const { page, problems } = await goTo('wide', path);
    await heading(page, title).waitFor();
    await settled(page);
    if (path === '/users') await takePicture(page, 'console');
    await expectAccessible(page);
    expect(problems.splice(0)).toEqual([]);
  });

  it.each([
    '/',
    '/users',
    '/users/24',
    '/applications/3',
    '/reorder',
    '/view-as?user=24',
    '/audit',
  ])('shows %s in French, in the dark, on a phone', async (path) => {
    const { page, problems } = await goTo('phone', path, {
      locale: 'fr-FR',
      colorScheme: 'dark',
      width: 390,
      height: 844,
    });
    await settled(page);
    expect(await page.evaluate('document.documentElement.lang')).toBe('fr');
    expect(await page.getByRole('button', { name: 'Ouvrir le menu' }).count()).toBe(1);
    await expectToFit(page);
    await expectAccessible(page);
    expect(problems.splice(0)).toEqual([]);
  });

  it('can be used by the keyboard alone', async () => {
    const { page, problems } = await openAs(visits, '/');
    const isAt = async (text: string) =>
      eventually(
        async () =>
          expect(await page.evaluate(`document.activeElement.textContent.trim()`)).toBe(text),
        10_000,
      );
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const open = async (role: 'link' | 'button', name: string) => {
      await tabTo(page, page.getByRole(role, { name, exact: true }));
      await press('Enter');
    };
    await heading(page, /^Hello, Alice/).waitFor();
    await press('Tab');
    await isAt('Skip to the content');
    await open('link', 'Groups');
    await isAt('Groups');
    await open('link', 'Create');
    await isAt('New group');
    await tabTo(page, page.getByLabel('Label'));
    await page.keyboard.type('Keyboard choir');
    await press('Enter');
    await isAt('Keyboard choir');
    await tabTo(page, page.getByLabel('Description'));
    await page.keyboard.type('Sings');
    await open('button', 'Save');
    await page.getByText('Saved', { exact: true }).waitFor();
    await isAt('Keyboard choir');
    await open('button', 'Delete');
    await page.getByRole('dialog').waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await isAt('Delete');
    await press('Enter');
    await page.getByRole('dialog').waitFor();
    await open('button', 'Delete');
    await isAt('Groups');
    expect(problems).toEqual([]);
  });

  it('finds a task and closes it by the keyboard alone', async () => {
    const { page, problems } = await openAs(visits, '/tasks');
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await heading(page, 'Tasks').waitFor();
    await tabTo(page, page.getByRole('searchbox', { name: 'Search' }));
    await page.keyboard.type('printer on floor 110');
    await page.getByText('1-1 of 1').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Filter', exact: true }));
    await press('Enter');
    await page.getByLabel('Attribute').waitFor();
    // The arrow key opens the list at its first entry; a letter moves to the entry that begins with it.
    await press('ArrowDown');
    await page.getByRole('option', { name: 'Status', exact: true }).waitFor();
    await press('s', 't', 'Enter');
    await tabTo(page, page.getByRole('dialog').getByLabel('Value'));
    await press('ArrowDown');
    await page.getByRole('option', { name: 'Open', exact: true }).waitFor();
    await press('o', 'Enter');
    await tabTo(page, page.getByRole('button', { name: 'Add filter' }));
    await press('Enter');
    await page.getByRole('button', { name: 'Status is Open' }).waitFor();
    await tabTo(page, page.getByRole('link', { name: 'Printer on floor 110 is offline' }));
    await press('Enter');
    await heading(page, 'Printer on floor 110 is offline').waitFor();
    await tabTo(page, page.locator('[data-attribute=status] [role=combobox]'));
    await press('ArrowDown');
    await page.getByRole('option', { name: 'Done', exact: true }).waitFor();
    await press('d', 'Enter');
    await tabTo(page, page.getByRole('button', { name: 'Save', exact: true }));
    await press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await stored(`/api/v2/process/tasks/${page.url().split('/').at(-1)}`)).status).toBe(
      'done',
    );
    await tabTo(page, page.getByRole('button', { name: 'Account' }));
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await press('ArrowDown', 'Enter');
    await heading(page, 'Sign in').waitFor();
    token = await server.signIn('alice.martin');
    expect(problems).toEqual([]);
  });

  it('can be used by the mouse alone', async () => {
    const { page, problems } = await openAs(visits, '/');
    const { keys } = await withoutKeyboard(page);
    const menu = (name: string) =>
      page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    const choose = async (label: string, option: string | RegExp) => {
      await page.getByLabel(label, { exact: true }).last().click();
      await page.getByRole('option', { name: option }).first().click();
    };
    await menu('Users');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await choose('Attribute', /^Status$/);
    await choose('Value', /^Invited$/);
    await page.getByRole('button', { name: 'Add filter' }).click();
    const chip = page.getByRole('button', { name: 'Status is Invited' });
    await chip.waitFor();
    await page.getByRole('button', { name: /sort by login/i }).click();
    await settled(page);
    const invited = await server.call(
      '/api/v2/directory/users?range=0-500&filters=status:eq:2&sorter=login',
      { token },
    );
    const people = invited.body as { title: string }[];
    await page.getByText(`of ${people.length}`).waitFor();
    await page.locator('tbody tr').first().getByText(people[0]!.title).waitFor();
    await chip.locator('svg').click();
    await chip.waitFor({ state: 'detached' });

    await menu('Applications');
    await page.getByRole('link', { name: 'Meeting rooms' }).click();
    await heading(page, 'Meeting rooms').waitFor();
    await page.locator('[data-attribute=tileColor] [role=combobox]').click();
    await page.getByRole('option', { name: 'Teal' }).click();
    await page.locator('[data-attribute=audience] input').click();
    await page.getByRole('option', { name: /^Works council/ }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const id = page.url().split('/').at(-1)!;
    const { tileColor, audience } = await stored(`/api/v2/navigation/applications/${id}`);
    expect([tileColor, (audience as { label: string }[]).map(({ label }) => label)]).toEqual([
      'teal',
      ['Works council'],
    ]);

    await menu('Tasks');
    await page.locator('tbody input[type=checkbox]').nth(1).check();
    await page.locator('tbody input[type=checkbox]').nth(2).check();
    await page.getByRole('button', { name: 'Set “Status”' }).click();
    await page.getByRole('dialog').getByRole('combobox').click();
    await page.getByRole('option', { name: 'Cancelled' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('2 entries done').waitFor();

    await menu('See the workplace as …');
    await page.getByLabel('Person').click();
    await page.getByRole('option').first().click();
    await page.getByText(/^The workplace of /).waitFor();
    await menu('Audit trail');
    await page.getByLabel('What was done').click();
    await page.getByRole('option', { name: 'changed', exact: true }).click();
    const line = page.locator('li', { hasText: 'Meeting rooms' }).first();
    await line.getByRole('button', { name: 'What changed' }).click();
    await line.getByRole('cell', { name: 'teal' }).waitFor();
    await page.getByRole('button', { name: 'Appearance' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    expect(await keys()).toBe(0);
    token = await server.signIn('alice.martin');
    expect(problems).toEqual([]);
  });

  it('lets sysadmin set parameters by the keyboard alone, and by the mouse alone', async () => {
    const { page, problems } = await openAs(visits, '/parameters', {
      login: 'sysadmin',
      password: sysadminPassword(),
    });
    const change = page.getByRole('button', { name: 'Change security.Password.history' });
    await change.waitFor();
    await tabTo(page, change);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Value').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await page.getByText('Default: 5').waitFor();
    await eventually(
      async () =>
        expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
          'Change security.Password.history',
        ),
      10_000,
    );
    const { keys } = await withoutKeyboard(page);
    await page.getByRole('button', { name: 'Change security.Password.specialCharacter' }).click();
    await page.getByRole('dialog').locator('label', { hasText: 'Yes' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Default: Yes').waitFor();
    expect(await keys()).toBe(0);
    const rules = await server.call('/api/v2/directory/password-rules');
    expect(rules.body).toMatchObject({ history: 7, specialCharacter: false });
    expect(problems).toEqual([]);
  });

  it('has every page in the menu of a phone, none behind the bar', async () => {
    const { page } = await openAs(visits, '/users', { width: 390, height: 844 });
    await page.getByRole('button', { name: 'Open the menu' }).click();
    // A click waits until no other element covers its target.
    await page.getByRole('link', { name: 'Overview' }).click();
    await heading(page, /^Hello, Alice/).waitFor();
  });

  it('finds, filters by the operators of the server, and sorts', async () => {
    const { page, problems } = await openAs(visits, '/users');
    await page.getByRole('searchbox', { name: 'Search' }).fill('CHLOE LEFEVRE');
    await page.getByRole('link', { name: 'Chloé Lefèvre' }).waitFor();
    await page.getByText('1-1 of 1').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Attribute').click();
    await page.getByRole('option', { name: 'Organization', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Value').fill('dach');
    await page.getByRole('option', { name: /^Vertrieb DACH/ }).click();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('button', { name: 'Organization is Vertrieb DACH' }).waitFor();
    const list = await server.call(
      '/api/v2/directory/users?range=0-500&filters=organization:eq:9&sorter=-login',
      { token },
    );
    const people = list.body as { title: string }[];
    await page.getByText(`of ${people.length}`).waitFor();
    await page.getByRole('button', { name: /sort by login/i }).click();
    await page.getByRole('button', { name: /sort by login/i }).click();
    await page.locator('tbody tr').first().getByText(people[0]!.title).waitFor();

    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Attribute').click();
    await page.getByRole('option', { name: 'Login', exact: true }).click();
    await page.getByLabel('Condition').click();
    await page.getByRole('option', { name: 'is not', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Value').fill('bruno.keller');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByText(`of ${people.length - 1}`).waitFor();
    // A reload keeps the list and its filters.
    await page.reload();
    await page.getByRole('button', { name: 'Organization is Vertrieb DACH' }).waitFor();
    await page.getByText(`of ${people.length - 1}`).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('zzzz');
    await page.getByText('Nothing matches.').waitFor();
    await page.locator('.MuiCard-root').getByRole('button', { name: 'Clear all' }).last().click();
    await page.getByText('1-25 of').waitFor();
    expect(problems).toEqual([]);
  });

  it('says when the server cannot be asked, and shows what was asked for then', async () => {
    const { page } = await openAs(visits, '/groups');
    await page.getByRole('link', { name: 'Hiring team' }).waitFor();
    await settled(page);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: /sort by reference/i }).click();
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('tbody tr').first().getByText('Project Aurora').waitFor();
    await page.goto(address('/view-as'));
    await page.getByLabel('Person').waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Person').fill('bruno');
    await page.getByText('The server cannot be reached.').waitFor();
    expect(await page.getByText('Nothing found').count()).toBe(0);
  });

  it('compares moments as such, and breaks no name where another column is wide', async () => {
    await server.call('/api/v2/navigation/applications', {
      token,
      method: 'POST',
      body: {
        title: 'Wide',
        type: 'LINK',
        link: '/wide',
        position: 900,
        categories: [await wideCategory()],
      },
    });
    const filter = encodeURIComponent(
      JSON.stringify({ 'creationDate@gt': '2024-01-01T00:00:00.000Z' }),
    );
    const { page } = await openAs(visits, `/applications?filter=${filter}`);
    await page.getByRole('button', { name: /^Created after 1 Jan 2024/ }).waitFor();
    const link = page.getByRole('link', { name: 'Business travel' });
    await link.waitFor();
    expect((await link.boundingBox())!.height).toBeLessThan(35);
  });

  it('creates, puts refusals at their fields, changes and deletes', async () => {
    const { page } = await openAs(visits, '/users/create');
    await page.getByLabel('Last name').fill('Sommer');
    await page.getByLabel('Login').fill('bruno.keller');
    await page.getByLabel('E-mail').fill('no address');
    await page.getByRole('button', { name: 'Create' }).click();
    const email = page.locator('[data-attribute=email]');
    await email.getByText(/email must/).waitFor();
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
    expect(await server.signIn('eva.sommer', 'Long-Enough-2026')).toMatch(/^[\w-]{43}$/);

    const id = page.url().split('/').at(-1)!;
    await page.getByLabel('First name').fill('Eva');
    await page.getByLabel('Title').fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await heading(page, 'Eva Sommer').waitFor();
    expect((await stored(`/api/v2/directory/users/${id}`)).firstName).toBe('Eva');

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await heading(page, 'Users').waitFor();
    expect((await server.call(`/api/v2/directory/users/${id}`, { token })).status).toBe(404);
  });

  it('keeps what is typed when the record is read again, and the rest follows', async () => {
    const { page, problems } = await openAs(visits, '/organizations/create');
    const reading = await heldAnswer(page, 'GET', /\/directory\/organizations\/\d+$/);
    await page.getByLabel('Label').fill('Typed at once');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    await page.getByLabel('Description').fill('Before it was read');
    const path = `/api/v2/directory/organizations/${page.url().split('/').at(-1)}`;
    const { uri: parent } = await stored(path);
    const body = { label: 'Below', parent };
    await server.call('/api/v2/directory/organizations', { token, method: 'POST', body });
    await reading.pass();
    await page.getByText('Organizations below').locator('..').getByText('1').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Before it was read');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await stored(path)).description).toBe('Before it was read');
    expect(problems).toEqual([]);
  });

  it('takes nothing while it saves, and goes on in the same field', async () => {
    const { page } = await openAs(visits, '/groups/create');
    const writing = await heldAnswer(page, 'POST', /\/directory\/groups$/);
    await page.getByLabel('Label').fill('Twice');
    const reference = page.getByLabel('Reference');
    await reference.fill('HIRING');
    await reference.press('Enter');
    const inertParts = () => page.locator('[inert]', { has: reference }).count();
    await eventually(async () => expect(await inertParts()).toBe(1), 10_000);
    await page.keyboard.type('lost');
    await writing.pass();
    await page.getByText(/This cannot be done: .*reference/i).waitFor();
    expect(await inertParts()).toBe(0);
    await page.keyboard.type('-2');
    expect(await reference.inputValue()).toBe('HIRING-2');
  });

  it('writes nothing over what arrives changed while something is typed', async () => {
    const { page } = await openAs(visits, '/groups/create');
    const reading = await heldAnswer(page, 'GET', /\/directory\/groups\/\d+$/);
    await page.getByLabel('Label').fill('Shared');
    await page.getByRole('button', { name: 'Create' }).click();
    await heading(page, 'Shared').waitFor();
    const path = `/api/v2/directory/groups/${page.url().split('/').at(-1)}`;
    await page.getByLabel('Description').fill('Mine');
    const body = [{ op: 'replace', path: '/description', value: 'Theirs' }];
    await server.call(path, { token, method: 'PATCH', body });
    await reading.pass();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/Somebody has changed this/).waitFor();
    expect((await stored(path)).description).toBe('Theirs');
    expect(await page.getByLabel('Description').inputValue()).toBe('Mine');
  });

  it('says in French whose words the reason of the server is', async () => {
    const { page } = await openAs(visits, '/users/create', { locale: 'fr-FR' });
    await page.locator('[data-attribute=lastName] input').fill('Sommer');
    await page.locator('[data-attribute=login] input').fill('eva.sommer');
    await page.locator('[data-attribute=email] input').fill('no address');
    await page.getByRole('button', { name: 'Créer' }).click();
    await page
      .locator('[data-attribute=email]')
      .getByText('Refusé par le serveur : « email must be an e-mail address »')
      .waitFor();
    expect(await page.locator('[data-attribute=email] [lang=en]').textContent()).toBe(
      'email must be an e-mail address',
    );
    await page.locator('[data-attribute=email] input').fill('');
    await page.locator('[data-attribute=login] input').fill('bruno.keller');
    await page.getByRole('button', { name: 'Créer' }).click();
    const notice = page.getByRole('alert').getByText(/^C’est impossible\s: /);
    await notice.waitFor();
    expect(await notice.locator('[lang=en]').textContent()).toMatch(/login/);
  });

  it('writes nothing over what somebody else has changed', async () => {
    const { page } = await openAs(visits, '/groups/200');
    await page.getByLabel('Description').waitFor();
    await server.call('/api/v2/directory/groups/200', {
      token,
      method: 'PATCH',
      body: [{ op: 'replace', path: '/description', value: 'Theirs' }],
    });
    await page.getByLabel('Label').fill('Mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/Somebody has changed this/).waitFor();
    const group = await stored('/api/v2/directory/groups/200');
    expect([group.label, group.description]).toEqual(['Hiring team', 'Theirs']);
  });

  it('says what still refers to something that is to be deleted', async () => {
    const { page } = await openAs(visits, '/organizations/2');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/This cannot be done: .*organizations/).waitFor();
  });

  it('changes and deletes many at once, and keeps those that are refused', async () => {
    for (const reference of ['BULK-1', 'BULK-2', 'BULK-3'])
      await server.call('/api/v2/content/faqs', {
        token,
        method: 'POST',
        body: { question: `Bulk ${reference}?`, reference },
      });
    const { page, problems } = await openAs(visits, '/faqs');
    await page.getByRole('searchbox', { name: 'Search' }).fill('bulk');
    await page.getByText('1-3 of 3').waitFor();
    // Without selected rows there is no bulk action that Tab could reach.
    expect(await page.getByRole('button', { name: 'Set “Status”' }).count()).toBe(0);
    await page.locator('thead input[type=checkbox]').check();
    await page.getByRole('button', { name: 'Set “Status”' }).click();
    await page.getByRole('dialog').getByRole('combobox').click();
    await page.getByRole('option', { name: 'Archived' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('3 entries done').waitFor();
    const archived = await server.call(
      '/api/v2/content/faqs?filters=reference:starts:BULK&filters=status:eq:2',
      { token },
    );
    expect(archived.body).toHaveLength(3);
    await page.locator('thead input[type=checkbox]').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing matches.').waitFor();
    expect(problems).toEqual([]);

    await page.goto(address('/groups'));
    await page.locator('thead input[type=checkbox]').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog')
      .getByText(/which (is|are) still selected/)
      .waitFor();
  });

  it('adds members to a group and takes them out', async () => {
    const { page, problems } = await openAs(visits, '/groups/199');
    await page.getByLabel('Add a person').fill('sophie.bohm');
    await page.getByRole('option', { name: /^Sophie Böhm/ }).click();
    await page.getByText('Sophie Böhm was added').waitFor();
    await page.getByRole('searchbox', { name: 'Search members' }).fill('böhm');
    await page.getByRole('button', { name: 'Remove Sophie Böhm' }).click();
    await page.getByText('Nobody.').waitFor();
    expect(problems).toEqual([]);
  });

  it('orders categories by keyboard and by mouse', async () => {
    const { page, problems } = await openAs(visits, '/reorder');
    const first = page.getByRole('button', { name: 'Move Everyday' });
    await first.focus();
    await page.keyboard.press('Space');
    await page.getByText('Everyday is at place 1.').waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowDown');
    await page.getByText('Everyday is at place 2.').waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
    await page.getByText('The order is saved').waitFor();
    const titles = async () => {
      const list = await server.call('/api/v2/navigation/categories?sorter=position,title', {
        token,
      });
      return (list.body as { title: string }[]).slice(0, 2).map(({ title }) => title);
    };
    expect(await titles()).toEqual(['People and careers', 'Everyday']);
    await settled(page);

    const [handle, target] = await Promise.all(
      ['Move Everyday', 'Move People and careers'].map((name) =>
        page.getByRole('button', { name }).boundingBox(),
      ),
    );
    await page.mouse.move(handle!.x + 10, handle!.y + 10);
    await page.mouse.down();
    await page.mouse.move(handle!.x + 10, handle!.y - 5, { steps: 4 });
    await page.mouse.move(target!.x + 10, target!.y + 4, { steps: 6 });
    await page.mouse.up();
    await eventually(
      async () => expect(await titles()).toEqual(['Everyday', 'People and careers']),
      10_000,
    );
    await settled(page);
    expect(problems).toEqual([]);
  });

  it('shows the tile while its colour and audience are chosen', async () => {
    const { page, problems } = await openAs(visits, '/applications/17');
    await page.getByLabel('Title').fill('Customers, new');
    await page
      .getByText('Tile as people see it')
      .locator('..')
      .getByText('Customers, new')
      .waitFor();
    await page.locator('[data-attribute=audience] input').fill('choir');
    await page.getByText('Nothing found').waitFor();
    await page.locator('[data-attribute=audience] input').fill('expense');
    await page.getByRole('option', { name: /^Expense approvers/ }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { audience } = await stored('/api/v2/navigation/applications/17');
    expect((audience as { uri: string }[]).map(({ uri }) => uri)).toContain(
      '/directory/groups/199',
    );
    expect(problems).toEqual([]);
  });

  it('checks a file first, names its bad lines, and imports it when there are none', async () => {
    const { page, problems } = await openAs(visits, '/customers/import');
    const bad = [
      'name;reference;city;status;audience;nonsense',
      'Anker & Söhne;CSV-1;Köln;1;groups:EXPENSE-APPROVERS;x',
      '"Bär; GmbH";CSV-2;"Bonn";0;;x',
      ';CSV-3;Ulm;1;;x',
      'Clou;CSV-4;Ulm;nine;;x',
      'Dom;CSV-5;Ulm;1;groups:NOBODY;x',
      'Anker again;CSV-1;Köln;1;;x',
      'Few;CSV-6',
    ];
    const choose = (lines: string[]) =>
      page.locator('input[type=file]').setInputFiles({
        name: 'customers.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(lines.join('\r\n')),
      });
    await choose(bad);
    await page.getByText('nothing has been imported yet').waitFor();
    await page.getByText('Ignored columns, which are not writable attributes: nonsense').waitFor();
    const faults = page.locator('li', { hasText: /^Line \d+:/ });
    expect(await faults.allInnerTexts()).toEqual([
      'Line 4: name: This is needed.',
      'Line 5: status: “nine” is not one of 0, 1, 2',
      'Line 6: audience: there is no “NOBODY”',
      'Line 7: names the same entry as line 2',
      'Line 8: 2 cells, but the header has 6',
    ]);
    await expectAccessible(page);
    expect(await page.getByRole('button', { name: /^Import \d+ lines$/ }).isDisabled()).toBe(true);
    const count = async () =>
      (
        await server.call(
          '/api/v2/content/customers?filters=reference:starts:CSV-&sorter=reference',
          { token },
        )
      ).body as { name: string; status: number; audience: { reference: string }[] }[];
    expect(await count()).toEqual([]);
    await choose(bad.slice(0, 3));
    await page.getByRole('button', { name: 'Import 2 lines' }).click();
    await page.getByText('2 created').waitFor();
    await page.getByText('0 bad lines').waitFor();
    expect(await page.evaluate('document.activeElement.innerText')).toMatch(/^2 created/);
    expect(
      (await count()).map(({ name, status, audience }) => [
        name,
        status,
        audience.map(({ reference }) => reference),
      ]),
    ).toEqual([
      ['Anker & Söhne', 1, ['EXPENSE-APPROVERS']],
      ['Bär; GmbH', 0, []],
    ]);
    expect(problems).toEqual([]);
  });

  it('exports what is filtered as a file that imports without a change', async () => {
    const { page } = await openAs(visits, '/applications');
    await page.getByRole('link', { name: 'Leave requests' }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const path = await (await downloading).path();
    await page.goto(address('/applications/import'));
    await page.locator('input[type=file]').setInputFiles(path);
    await page.getByRole('button', { name: /^Import \d+ lines$/ }).click();
    await page.getByText('0 bad lines').waitFor();
    await page.getByText('0 created').waitFor();
    await page.getByText('0 changed').waitFor();
  });

  it('gives a user a photo and puts them into a group', async () => {
    const { page, problems } = await openAs(visits, '/users/60');
    const photo = page.getByRole('region', { name: 'Photo' });
    const remove = photo.getByRole('button', { name: 'Remove the photo' });
    const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: '#00a' } });
    await photo.locator('img').waitFor();
    expect(await remove.count()).toBe(0);
    const buffer = await picture.png().toBuffer();
    await photo
      .locator('input[type=file]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    await page.getByText('The photo is saved').waitFor();
    const nothing = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
    await photo.locator('input[type=file]').setInputFiles(nothing);
    await photo.getByText('This is no picture in JPEG, PNG or WebP.').waitFor();
    await remove.waitFor();
    const path = '/api/v2/directory/users/60/photo';
    expect((await server.call(path, { token, headers: { Accept: 'image/*' } })).status).toBe(200);
    await remove.click();
    await remove.waitFor({ state: 'detached' });
    await eventually(
      async () =>
        expect(await page.evaluate('document.activeElement.textContent')).toBe('Choose a picture'),
      10_000,
    );
    expect((await server.call(path, { token, headers: { Accept: 'image/*' } })).status).toBe(404);

    const groups = page.getByRole('region', { name: 'Groups' });
    await groups.getByLabel('Put into a group').fill('works');
    await page.getByRole('option', { name: /^Works council/ }).click();
    await groups.getByRole('link', { name: 'Works council' }).waitFor();
    // The user can type another group immediately.
    expect(await page.evaluate('document.activeElement.role')).toBe('combobox');
    const groupsOf = async () =>
      ((await stored('/api/v2/directory/users/60')).groups as { label: string }[]).map(
        ({ label }) => label,
      );
    expect(await groupsOf()).toContain('Works council');
    await groups.getByRole('button', { name: 'Take out of Works council' }).click();
    await groups.getByRole('link', { name: 'Works council' }).waitFor({ state: 'detached' });
    expect(await groupsOf()).not.toContain('Works council');
    // The browser itself logs the error status.
    expect(problems.filter((problem) => !/status of 4(00|04|15)/.test(problem))).toEqual([]);
  });

  it('shows sessions, keys, invitation and lock of a user, and acts on them', async () => {
    const theirs = await server.signIn('chloe.lefevre');
    await server.database.query(
      `INSERT INTO sign_ins (user_id, locked_until) VALUES (25, now() + interval '1 hour')
       ON CONFLICT (user_id) DO UPDATE SET locked_until = excluded.locked_until`,
    );
    const { page, problems } = await openAs(visits, '/users/25');
    await page
      .getByText(/^Locked until/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByText('Unlocked').waitFor();
    await page.getByRole('button', { name: 'Make an invitation code' }).click();
    expect(await page.getByRole('dialog').locator('code').innerText()).toMatch(/^\S{20,}$/);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByRole('dialog').getByLabel('Addresses').fill('nowhere');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText(/cannot be read: nowhere/).waitFor();
    await page.getByRole('dialog').getByLabel('Name').fill('Night job');
    await page.getByRole('dialog').getByLabel('Addresses').fill('127.0.0.1');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const key = await page.getByRole('dialog').locator('code').innerText();
    expect(await server.signIn('chloe.lefevre', key)).toMatch(/^[\w-]{43}$/);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Delete the key Night job' }).click();
    await page.getByText('No key.').waitFor();
    await page.getByRole('button', { name: 'End all' }).click();
    await page.getByText('0 open sessions').waitFor();
    expect((await server.call('/api/v2/directory/users/me', { token: theirs })).status).toBe(401);
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  it('leads to the own profile for the own password, and offers a field for that of others', async () => {
    const { page, problems } = await openAs(visits, '/users/24');
    const field = page.getByLabel('New password');
    await field.waitFor();
    await page.goto(address('/users/23'));
    const link = page.getByRole('link', { name: 'Open my profile' });
    await link.waitFor();
    expect(await field.count()).toBe(0);
    await link.click();
    await page.getByLabel('Current password').waitFor();
    expect(problems).toEqual([]);
  });

  it('changes a server parameter, and locks out only after a second yes', async () => {
    const { page, problems } = await openAs(visits, '/parameters', {
      login: 'sysadmin',
      password: sysadminPassword(),
    });
    await page.getByRole('button', { name: 'Change security.Lock.failures' }).click();
    await page.getByRole('dialog').getByLabel('Value').fill('1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('dialog')
      .getByText(/3 to 50/)
      .last()
      .waitFor();
    await page.getByRole('dialog').getByLabel('Value').fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Default: 10').waitFor();
    await page
      .getByRole('button', {
        name: 'Change security.Authentication.allowedAddresses.sysadmin',
      })
      .click();
    await page.getByRole('dialog').getByLabel('Value').fill('10.0.0.1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This would lock you out.').waitFor();
    await page.getByText('The address that you call from is not in this list').waitFor();
    await expectAccessible(page);
    const value = async () =>
      (
        await server.database.query(
          `SELECT value FROM parameters WHERE key = 'security.Authentication.allowedAddresses.sysadmin'`,
        )
      )[0]?.value as string;
    expect(await value()).not.toBe('10.0.0.1');
    await page.getByRole('button', { name: 'Set it all the same' }).click();
    await eventually(async () => expect(await value()).toBe('10.0.0.1'), 10_000);
    expect(problems.filter((problem) => !/40[019]/.test(problem))).toEqual([]);

    await page.goto(address('/parameters'));
    const audit = await server.call(
      '/api/v2/administration/audit?filters=action:eq:set-parameter&sorter=-id&range=0-1',
      { token },
    );
    expect((audit.body as { after: unknown }[])[0]?.after).toEqual({ value: '10.0.0.1' });
  });

  it('keeps what is chosen while a text that was just typed rests', async () => {
    const { page, problems } = await openAs(visits, '/audit');
    await page.locator('main li').first().waitFor();
    // Both in the same moment, which no real user could do reliably.
    await page.evaluate(`{
      const put = (field, value) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, value);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      };
      put(document.querySelector('main input[type=search]'), 'alice');
      put(document.querySelector('main .MuiSelect-nativeInput'), 'create');
    }`);
    await page.waitForURL(/actorLogin%40contains/);
    expect(page.url()).toContain('action%40eq');
    expect(problems).toEqual([]);
  });

  it('shows in the audit trail who did what', async () => {
    await server.call('/api/v2/directory/groups', {
      token,
      method: 'POST',
      body: { label: 'Audited choir' },
    });
    const { page, problems } = await openAs(visits, '/audit');
    await page.getByRole('searchbox', { name: 'Who' }).fill('alice');
    await page.getByLabel('What was done').click();
    await page.getByRole('option', { name: 'created', exact: true }).click();
    const line = page.locator('li', { hasText: 'Audited choir' }).first();
    await line.getByRole('button', { name: 'What changed' }).click();
    await line.getByRole('cell', { name: 'Audited choir' }).waitFor();
    await expectAccessible(page);
    await line.getByRole('link', { name: 'Group Audited choir' }).click();
    await heading(page, 'Audited choir').waitFor();
    // A key has a name too, but the row shows the name of its user.
    await server.call('/api/v2/directory/users/23/api-keys', {
      token,
      method: 'POST',
      body: { name: 'Nightly', expiration: null, addresses: null },
    });
    await page.goto(address('/audit'));
    await page.getByLabel('What was done').click();
    await page.getByRole('option', { name: 'Anything', exact: true }).click();
    const made = page.locator('li', { hasText: 'API key created' }).first();
    await made.getByRole('link', { name: 'User Alice Martin' }).waitFor();
    await made.getByRole('button', { name: 'What changed' }).click();
    await made.getByRole('cell', { name: 'Nightly' }).waitFor();
    expect(await made.getByRole('rowheader').allInnerTexts()).toEqual([
      'Name',
      'Beginning of the key',
    ]);
    expect(problems).toEqual([]);
  });

  it('is there soon (printed, not judged: the machine is shared)', async () => {
    const { page } = await openAs(visits, '/users');
    await page.locator('tbody tr').first().waitFor();
    await page.reload();
    await page.locator('tbody tr').first().waitFor();
    console.log('the console in the browser:', await speedOf(page));
  });

  it('shows the workplace as somebody else sees it, with the reasons', async () => {
    const { page, problems } = await openAs(visits, '/view-as');
    await page.getByLabel('Person').fill('chloe');
    await page.getByRole('option', { name: /^Chloé Lefèvre/ }).click();
    await page.getByText('The workplace of Chloé Lefèvre').waitFor();
    const preview = (await stored('/api/v2/navigation/preview?user=25')) as unknown as {
      applications: { application: { label: string }; shown: boolean }[];
    };
    const hidden = preview.applications.find(({ shown }) => !shown)!;
    await page
      .locator('li', { hasText: hidden.application.label })
      .getByText('hidden', { exact: true })
      .waitFor();
    expect(problems).toEqual([]);
  });
});
