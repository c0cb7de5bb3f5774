import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
  withoutKeyboard,
} from './support/browser.js';
import { eventually } from './support/eventually.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const PEOPLE = ['alice.martin', 'bruno.keller', 'chloe.lefevre'] as const;
type Login = (typeof PEOPLE)[number];

interface Category {
  title: string;
  applications: { title: string; indicator: { count: number } | null }[];
}

/** All pages; `me` stands for the caller. */
const PAGES = {
  tiles: '',
  tasks: '/applications/3',
  task: '/tasks/DEMO-2',
  person: '/users/me',
  document: '/documents/1',
  news: '/news/1',
  question: '/faqs/1',
  customer: '/customers/1',
  help: '/help/leave',
  profile: '/profile',
  missing: '/no/such/page',
};

/** The pages with a screenshot in the documentation. */
const PICTURED = new Set(['tiles', 'tasks', 'person']);

const PHONE = { width: 390, height: 844 };

let server: TestServer;
const tokens = {} as Record<Login, string>;
const ids = {} as Record<Login, string>;

beforeAll(async () => {
  server = await startTestServer();
  for (const login of PEOPLE) {
    tokens[login] = await server.signIn(login);
    const { body } = await server.call('/api/v2/directory/users/me', { token: tokens[login] });
    ids[login] = body.id;
  }
});
afterAll(() => server.close());

const address = (path = ''): string => `http://127.0.0.1:${server.port}/workplace${path}`;

const read = async (path: string, login: Login = 'alice.martin') =>
  (await server.call(path, { token: tokens[login] })).body;

const write = async (method: string, path: string, body?: unknown, token?: string) => {
  const answer = await server.call(path, { method, token: token ?? tokens['alice.martin'], body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.body;
};

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name });
const searchField = (page: Page) =>
  page.getByRole('combobox', { name: /search people|rechercher/i });

describeInBrowser('/workplace', (visits) => {
  /** A page with a separate session, so that ending it affects no other test. */
  const openAs = async (login: Login, path = '', options: VisitOptions = {}) => {
    const visit = await visits.open(address(path), { token: tokens[login], ...options });
    await visit.page.locator('main h1').waitFor();
    return visit;
  };

  describe('signing in', () => {
    it('shows the tiles of who does, and keeps the token out of cookies and addresses', async () => {
      const { page, problems } = await visits.open(address());
      const addresses: string[] = [];
      page.on('request', (request) => addresses.push(request.url()));
      await expectAccessible(page);
      await signInAt(page, 'bruno.keller');
      await heading(page, 'Hello, Buno').waitFor();
      await page.getByRole('region', { name: 'Everyday' }).waitFor();
      await searchField(page).fill('keller');
      await page.getByRole('option').first().waitFor();
      const token = await page.evaluate<string>(`sessionStorage.getItem('token')`);
      expect(token.length).toBeGreaterThan(20);
      expect(await page.context().cookies()).toEqual([]);
      expect(await page.evaluate(`document.cookie + JSON.stringify(localStorage)`)).not.toContain(
        token,
      );
      expect(addresses.filter((one) => one.includes(token))).toEqual([]);
      expect(page.url()).toBe(address());
      const origin = `http://127.0.0.1:${server.port}/`;
      expect(
        addresses.filter((one) => !one.startsWith(origin) && !one.startsWith('blob:')),
      ).toEqual([]);
      expect(problems).toEqual([]);
    });

    it('says what is wrong, and lets try again', async () => {
      const { page, problems } = await visits.open(address());
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('Enter your login and your password.').waitFor();
      await page.getByLabel('Login').fill('bruno.keller');
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('Login or password is wrong.').waitFor();
      await expectAccessible(page);
      expect(await page.evaluate(`sessionStorage.length`)).toBe(0);
      await signInAt(page, 'bruno.keller');
      await heading(page, 'Hello, Buno').waitFor();
      // The browser itself logs the error status.
      expect(problems.filter((text) => !/status of 401/.test(text))).toEqual([]);
    });

    it('stays on the address that was asked for, and asks again when the session ends', async () => {
      const { page } = await visits.open(address(`/users/${ids['chloe.lefevre']}`));
      await signInAt(page, 'bruno.keller');
      await heading(page, 'Chloé Lefèvre').waitFor();
      await settled(page);
      const token = await page.evaluate<string>(`sessionStorage.getItem('token')`);
      await write('DELETE', '/api/v2/authentication', undefined, token);
      await page.getByRole('link', { name: 'Back to the workplace' }).click();
      await page.getByRole('alert').getByText('Your session has ended.').waitFor();
      await signInAt(page, 'bruno.keller');
      await heading(page, 'Hello, Buno').waitFor();
      await page.getByLabel('Account').click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await heading(page, 'Sign in').waitFor();
      expect(await page.getByRole('alert').textContent()).toBe('');
      expect(await page.evaluate(`sessionStorage.getItem('token')`)).toBeNull();
    });
  });

  it('leads administrators to the console and back, and nobody else', async () => {
    const { page, problems } = await openAs('alice.martin');
    await page.getByLabel('Account').click();
    await page.getByRole('link', { name: 'Console' }).click();
    await heading(page, 'Hello, Alice Martin').waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Workplace' }).click();
    await heading(page, 'Hello, Alice').waitFor();
    expect(problems).toEqual([]);
    const other = await openAs('bruno.keller');
    await other.page.getByLabel('Account').click();
    await other.page.getByRole('link', { name: 'My profile' }).waitFor();
    expect(await other.page.getByRole('link', { name: 'Console' }).count()).toBe(0);
  });

  it('keeps what was typed when the session ends, for the same person only', async () => {
    const token = await server.signIn('chloe.lefevre');
    const { page } = await openAs('chloe.lefevre', '/profile', { token, locale: 'fr-FR' });
    const field = page.getByLabel('Surnom');
    const end = async () => {
      const used = await page.evaluate<string>(`sessionStorage.getItem('token')`);
      await write('DELETE', '/api/v2/authentication', undefined, used);
    };
    await field.fill('Typed before');
    await end();
    await field.press('Enter');
    await page.getByRole('alert').getByText('Votre session est terminée.').first().waitFor();
    expect(await field.isVisible()).toBe(false);
    await signInAt(page, 'chloe.lefevre');
    await field.waitFor();
    expect(await field.inputValue()).toBe('Typed before');
    expect(await field.evaluate(isFocused)).toBe(true);
    expect(await page.title()).toBe('Mon profil · Espace de travail');
    await end();
    await field.press('Enter');
    await page.locator('input[name=password]').waitFor();
    await signInAt(page, 'bruno.keller');
    await page.getByText('Bruno Keller · bruno.keller').waitFor();
    expect(await page.getByLabel('Nickname').inputValue()).toBe('Buno');
  });

  describe('tiles', () => {
    it.each(PEOPLE)('are those of %s, with their counters', async (login) => {
      const { page, problems } = await openAs(login);
      await page.locator('.tile').first().waitFor();
      const shown =
        await page.evaluate(`[...document.querySelectorAll('.category')].map((section) => [
        section.querySelector('h2').textContent,
        ...[...section.querySelectorAll('.tile')].map((tile) =>
          tile.querySelector('.tile-title').textContent + ' ' +
          (tile.querySelector('.count [aria-hidden]')?.textContent ?? 0))
      ])`);
      const categories = (await read('/navigation/workplace', login)) as Category[];
      expect(shown).toEqual(
        categories.map(({ title, applications }) => [
          title,
          ...applications.map((one) => `${one.title} ${one.indicator?.count ?? 0}`),
        ]),
      );
      expect(problems).toEqual([]);
    });

    it('are found by keyword, kept as favourites, and shown as a list', async () => {
      const { page, problems } = await openAs('chloe.lefevre', '', { locale: 'fr-FR' });
      await heading(page, 'Bonjour Chloé').waitFor();
      await page
        .getByRole('button', { name: 'Ajouter Expense claims aux favoris' })
        .first()
        .click();
      const favourites = page.getByRole('region', { name: 'Favoris' });
      await favourites.getByRole('link', { name: /Expense claims/ }).waitFor();
      await page.getByRole('radio', { name: 'Liste' }).check();
      await page.locator('.tiles.list').first().waitFor();
      await page.reload();
      await favourites.getByRole('link', { name: /Expense claims/ }).waitFor();
      expect(await page.locator('.tiles.grid').count()).toBe(0);
      await expectAccessible(page);
      await page.getByPlaceholder('Filtrer les applications').fill('CLAIMS expense');
      await expect(page.locator('.tile mark').first().textContent()).resolves.toBe('Expense');
      expect(new Set(await page.locator('.tile-title').allTextContents())).toEqual(
        new Set(['Expense claims']),
      );
      await page.getByPlaceholder('Filtrer les applications').fill('nothing like it');
      await page.getByRole('button', { name: 'Effacer le filtre' }).click();
      await page
        .getByRole('button', { name: 'Retirer Expense claims des favoris' })
        .first()
        .click();
      await favourites.waitFor({ state: 'detached' });
      expect(problems).toEqual([]);
    });

    it('stay without a network, and say that they may be old until it is back', async () => {
      const { page } = await openAs('bruno.keller');
      await page.locator('.tile').first().waitFor();
      await page.context().setOffline(true);
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      const notice = page.getByRole('alert').getByText('The server cannot be reached.');
      await notice.waitFor();
      expect(await page.locator('.tile').count()).toBeGreaterThan(5);
      await page.context().setOffline(false);
      await notice.waitFor({ state: 'detached' });
    });

    it('are asked for conditionally while somebody looks', async () => {
      const { page } = await openAs('bruno.keller');
      await page.locator('.tile').first().waitFor();
      const look = async () => {
        const answer = page.waitForResponse(/\/navigation\/workplace$/);
        await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
        return (await answer).status();
      };
      expect(await look()).toBe(304);
      await write('POST', '/api/v2/process/tasks', {
        title: 'Check expense claim 900',
        application: '/navigation/applications/3',
        assignee: ids['bruno.keller'],
      });
      const before = await counterOf(page);
      expect(await look()).toBe(200);
      await page
        .locator('.count [aria-hidden]', { hasText: `${before + 1}` })
        .first()
        .waitFor();
      expect(await counterOf(page)).toBe(before + 1);
    });
  });

  describe('tasks', () => {
    it('leave the list and the counter when they are done, and come back when that is undone', async () => {
      const { page, problems } = await openAs('bruno.keller');
      const before = await counterOf(page);
      await page
        .getByRole('link', { name: /Expense claims/ })
        .first()
        .click();
      await heading(page, 'Expense claims').waitFor();
      const rows = page.locator('.tasks tbody tr');
      await rows.first().waitFor();
      const title = await rows.first().locator('.task-title').innerText();
      await page.getByRole('button', { name: `Mark “${title}” as done` }).click();
      await page.getByRole('status').getByText(`“${title}” is done.`).waitFor();
      await page.getByRole('link', { name: title, exact: true }).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Back to the workplace' }).click();
      await page.locator('.tile').first().waitFor();
      expect(await counterOf(page)).toBe(before - 1);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('status').getByText(`“${title}” is open again.`).waitFor();
      await page
        .locator('.count [aria-hidden]', { hasText: `${before}` })
        .first()
        .waitFor();
      expect(await counterOf(page)).toBe(before);
      expect(problems).toEqual([]);
    });

    it('are said to be done for as long as somebody points at the message', async () => {
      const { page, problems } = await openAs('bruno.keller', '/applications/2');
      await page.clock.install();
      await page
        .getByRole('button', { name: /as done$/ })
        .first()
        .click();
      const undo = page.getByRole('button', { name: 'Undo' });
      await undo.hover();
      await page.clock.fastForward(60_000);
      expect(await undo.count()).toBe(1);
      await page.mouse.move(5, 5);
      await page.clock.fastForward(29_000);
      expect(await undo.count()).toBe(1);
      await page.clock.fastForward(2_000);
      await undo.waitFor({ state: 'detached' });
      expect(problems).toEqual([]);
    });

    it('are sorted, filtered and paged by the server', async () => {
      const many = Array.from({ length: 30 }, (_, at) => ({
        title: `Paging ${String(at).padStart(2, '0')} <b>`,
        application: '/navigation/applications/3',
        assignee: ids['alice.martin'],
        dueDate: `2027-01-${String(at + 1).padStart(2, '0')}T09:00:00.000Z`,
      }));
      for (const body of many) await write('POST', '/api/v2/process/tasks', body);
      const { page, problems } = await openAs('alice.martin', '/applications/3');
      const titles = page.locator('.tasks .task-title');
      await page.getByRole('searchbox', { name: 'Filter tasks' }).fill('paging');
      await page.locator('.tasks tbody tr', { hasText: 'Paging' }).nth(24).waitFor();
      await page.getByRole('button', { name: 'Task', exact: true }).click();
      await titles.first().getByText('Paging 00 <b>', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Task', exact: true }).click();
      await titles.first().getByText('Paging 29 <b>').waitFor();
      expect(await page.getByRole('columnheader', { name: 'Task' }).getAttribute('aria-sort')).toBe(
        'descending',
      );
      await page.getByRole('button', { name: 'Next page' }).click();
      await titles.first().getByText('Paging 04 <b>').waitFor();
      await page.getByText('26–30 of 30').waitFor();
      expect(await titles.count()).toBe(5);
      expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
      await page.getByRole('combobox', { name: 'Due' }).selectOption('overdue');
      await page.getByText('No task matches these filters.').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Clear the filters' }).click();
      await page.locator('.tasks tbody tr').nth(24).waitFor();
      expect(problems).toEqual([]);
    });
  });

  describe('search', () => {
    it('says when the server cannot be asked, and tries again', async () => {
      const { page } = await openAs('bruno.keller');
      await settled(page);
      await page.context().setOffline(true);
      await searchField(page).fill('keller');
      const notice = page.locator('.search-panel').getByRole('alert');
      await notice.getByText('The server cannot be reached.').waitFor();
      expect(await page.getByText('Nothing found').count()).toBe(0);
      await page.context().setOffline(false);
      await notice.getByRole('button', { name: 'Try again' }).click();
      await page
        .getByRole('option', { name: /Bruno Keller/ })
        .first()
        .waitFor();
      expect(await notice.count()).toBe(0);
    });

    it('asks to sign in when the session has ended, though every search answers 200', async () => {
      const token = await server.signIn('bruno.keller');
      const { page, problems } = await openAs('bruno.keller', '', { token });
      await settled(page);
      // The tiles would update by themselves, but later.
      await page.route(/\/navigation\/workplace$/, () => undefined);
      await write('DELETE', '/api/v2/authentication', undefined, token);
      await searchField(page).fill('qqqqqq');
      await page.getByRole('alert').getByText('Your session has ended.').waitFor();
      expect(problems.filter((text) => !/status of 401/.test(text))).toEqual([]);
    });

    it('goes on by the markers, and marks what was found', async () => {
      const { page, problems } = await openAs('bruno.keller');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('helvion');
      const people = page.getByRole('group', { name: 'People' }).getByRole('option');
      await people.nth(4).waitFor();
      await takePicture(page, 'search');
      await expectAccessible(page);
      const more = page.getByRole('option', { name: 'More from People' });
      for (const count of [20, 40]) {
        await more.click();
        await people.nth(count).waitFor();
      }
      const links = await people.evaluateAll((all: { getAttribute(name: string): string }[]) =>
        all.map((one) => one.getAttribute('href')).filter((href) => href !== null),
      );
      expect([links.length, new Set(links).size]).toEqual([40, 40]);
      await searchField(page).fill('lefevre');
      await people.locator('mark', { hasText: 'Lefèvre' }).first().waitFor();
      await searchField(page).fill('qqqqqq');
      await page.getByText('Nothing found for “qqqqqq”.').waitFor();
      expect(problems).toEqual([]);
    });
  });

  it('can be used by the keyboard alone', async () => {
    const { page, problems } = await visits.open(address());
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.getByLabel('Login').waitFor();
    await page.keyboard.type('bruno.keller');
    await press('Tab');
    await page.keyboard.type('Portal-Demo-2026');
    await press('Enter');
    await heading(page, 'Hello, Buno').waitFor();
    await press('/');
    await page.keyboard.type('chloé lef');
    await page
      .getByRole('option', { name: /Chloé Lefèvre/ })
      .first()
      .waitFor();
    await press('Enter');
    await heading(page, 'Chloé Lefèvre').waitFor();
    expect(await page.evaluate(`document.activeElement.tagName`)).toBe('H1');
    await press('Control+k');
    await page.keyboard.type('helvion');
    await page.getByRole('option').nth(1).waitFor();
    // The answer to the first characters may be there already; the complete term starts a new search.
    await page.locator('.search-field .spin').waitFor({ state: 'detached' });
    const active = () => searchField(page).getAttribute('aria-activedescendant');
    const first = await active();
    await press('ArrowDown');
    expect(await active()).not.toBe(first);
    await press('ArrowUp');
    expect(await active()).toBe(first);
    await press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await tabTo(page, page.getByRole('link', { name: 'Back to the workplace' }));
    await press('Enter');
    await heading(page, 'Hello, Buno').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Add Hiring to favourites' }));
    await press('Space');
    const favourite = page
      .getByRole('region', { name: 'Favourites' })
      .getByRole('button', { name: /Hiring/ });
    await favourite.waitFor();
    await page.locator('main h1').focus();
    await tabTo(page, favourite);
    await press('Space');
    await favourite.waitFor({ state: 'detached' });
    await page.locator('main h1').focus();
    await tabTo(page, page.getByRole('link', { name: /Expense claims/ }));
    await press('Enter');
    await heading(page, 'Expense claims').waitFor();
    const done = page.getByRole('button', { name: /as done$/ });
    await done.first().waitFor();
    const second = await done.nth(1).getAttribute('aria-label');
    await tabTo(page, done);
    await press('Enter');
    const focused = () => page.evaluate(`document.activeElement.getAttribute('aria-label')`);
    await eventually(async () => expect(await focused()).toBe(second), 10_000);
    await tabTo(page, page.getByRole('button', { name: 'Undo' }));
    await press('Enter');
    await page.getByRole('status').getByText('is open again.').waitFor();
    expect(await page.evaluate(`document.activeElement.tagName`)).toBe('H1');
    // Shift+Tab leads back into the header: skip link, brand, search field, account.
    await page.locator('main h1').focus();
    await press('Shift+Tab', 'Shift+Tab');
    expect(await page.evaluate(`document.activeElement.tagName`)).toBe('SUMMARY');
    await press('Enter', 'Tab');
    await page.getByRole('link', { name: 'My profile' }).waitFor();
    expect(await page.evaluate(`document.activeElement.textContent.trim()`)).toBe('My profile');
    await press('Escape');
    await page.getByRole('link', { name: 'My profile' }).waitFor({ state: 'hidden' });
    expect(problems).toEqual([]);
  });

  it('can be used by the mouse alone', async () => {
    const { page, problems } = await openAs('alice.martin');
    const { keys } = await withoutKeyboard(page);
    const before = await counterOf(page);
    await page.getByRole('button', { name: 'Add Leave requests to favourites' }).first().click();
    const favourites = page.getByRole('region', { name: 'Favourites' });
    await favourites.getByRole('button', { name: /Leave requests/ }).click();
    await favourites.waitFor({ state: 'detached' });
    await page.locator('label', { has: page.getByRole('radio', { name: 'List' }) }).click();
    await page.locator('.tiles.list').first().waitFor();
    await page.locator('label', { has: page.getByRole('radio', { name: 'Tiles' }) }).click();
    await page.locator('.tiles.grid').first().waitFor();
    await page
      .getByRole('link', { name: /Expense claims/ })
      .first()
      .click();
    await heading(page, 'Expense claims').waitFor();
    await page.getByRole('button', { name: 'Due', exact: true }).click();
    await page.locator('th[aria-sort]', { hasText: 'Due' }).waitFor();
    await page
      .getByRole('button', { name: /as done$/ })
      .first()
      .click();
    await page
      .getByRole('status')
      .getByText(/ is done\.$/)
      .waitFor();
    await page.getByRole('link', { name: 'Workplace', exact: true }).click();
    await heading(page, 'Hello, Alice').waitFor();
    expect(await counterOf(page)).toBe(before - 1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => expect(await counterOf(page)).toBe(before), 10_000);
    await page.getByLabel('Account').click();
    await page.locator('label', { has: page.getByRole('radio', { name: 'Dark' }) }).click();
    await page.getByRole('link', { name: 'My profile' }).click();
    await heading(page, 'My profile').waitFor();
    await page.getByText('You have no API keys.').waitFor();
    await page.getByLabel('Account').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    expect(await keys()).toBe(0);
    expect(problems).toEqual([]);
    tokens['alice.martin'] = await server.signIn('alice.martin');
  });

  it('speaks French, to who does and to who chooses so', async () => {
    const { page } = await visits.open(address(), { locale: 'fr-CA' });
    await heading(page, 'Connexion').waitFor();
    expect(await page.evaluate(`document.documentElement.lang`)).toBe('fr');
    await page.getByRole('radio', { name: 'English' }).check();
    await heading(page, 'Sign in').waitFor();
    await signInAt(page, 'bruno.keller');
    await heading(page, 'Hello, Buno').waitFor();
    await page.getByLabel('Account').click();
    const choose = async (language: string) => {
      const kept = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
      await page.getByRole('radio', { name: language }).check();
      await kept;
    };
    await choose('Français');
    await heading(page, 'Bonjour Buno').waitFor();
    expect((await read('/api/v2/directory/users/me', 'bruno.keller')).locale).toBe('fr');
    await choose('English');
    await heading(page, 'Hello, Buno').waitFor();
  });

  it('is dark where the device or the person wants it', async () => {
    const { page } = await openAs('bruno.keller', '', { colorScheme: 'dark' });
    const brightness = () =>
      page.evaluate<number>(
        `Number(/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0])`,
      );
    await eventually(async () => expect(await brightness()).toBeLessThan(60), 10_000);
    await page.getByLabel('Account').click();
    await page.getByRole('radio', { name: 'Light' }).check();
    await eventually(async () => expect(await brightness()).toBeGreaterThan(200), 10_000);
    await page.reload();
    await page.locator('main h1').waitFor();
    await eventually(async () => expect(await brightness()).toBeGreaterThan(200), 10_000);
  });

  describe('every page', () => {
    /** One visit on a wide, light screen and one on a phone; each opens all pages in the same tab. */
    const kept: Record<string, Visit> = {};
    const goTo = async (name: string, login: Login, path: string, options: VisitOptions) => {
      const own = path.replace('/me', `/${ids[login]}`);
      const before = kept[name];
      const visit = (kept[name] ??= await openAs(login, own, { ...options, isKept: true }));
      if (before) await visit.page.goto(address(own));
      await visit.page.locator('main h1').waitFor();
      await settled(visit.page);
      return visit;
    };
    const pages = Object.entries(PAGES);

    it.each(pages)(
      '(%s) is accessible, light and dark, with no error in the console',
      async (name, path) => {
        const { page, problems } = await goTo('wide', 'bruno.keller', path, {});
        if (PICTURED.has(name)) await takePicture(page, name);
        await expectAccessible(page);
        await page.emulateMedia({ colorScheme: 'dark' });
        if (name === 'tiles') await takePicture(page, 'tiles-dark');
        // Everything else is as in the light theme.
        await expectAccessible(page, 'color-contrast');
        await page.emulateMedia({ colorScheme: 'light' });
        expect(await page.title()).toMatch(/^.+ · Workplace$/);
        expect(problems.splice(0)).toEqual([]);
      },
    );

    it.each(pages)('(%s) fits a phone, in French', async (name, path) => {
      const options = { ...PHONE, locale: 'fr-FR' };
      const { page, problems } = await goTo('phone', 'chloe.lefevre', path, options);
      if (name === 'tiles') await takePicture(page, 'phone');
      await expectToFit(page);
      await page.getByRole('link', { name: 'Espace de travail', exact: true }).waitFor();
      expect(problems.splice(0)).toEqual([]);
    });
  });

  it('fits a phone however long a word is, and leaves out what is not known', async () => {
    const word = 'Donaudampfschifffahrtsgesellschaftskapitänsangelegenheiten';
    const user = await write('POST', '/api/v2/directory/users', {
      login: 'long.words',
      lastName: word,
      userFunction: `Leiterin ${word}`,
      email: `${'long'.repeat(15)}@helvion.example`,
    });
    const task = await write('POST', '/api/v2/process/tasks', {
      title: `Read ${word}`,
      description: `https://helvion.example/${'without-a-blank-'.repeat(10).replaceAll('-', '')}`,
      application: '/navigation/applications/3',
      assignee: ids['bruno.keller'],
    });
    const { page, problems } = await openAs('bruno.keller', `/users/${user.id}`, PHONE);
    await heading(page, word).waitFor();
    await settled(page);
    await expectToFit(page);
    expect(await page.getByRole('region', { name: 'Organization' }).count()).toBe(0);
    await page.goto(address(`/tasks/${task.id}`));
    await heading(page, `Read ${word}`).waitFor();
    await settled(page);
    await expectToFit(page);
    expect(problems).toEqual([]);
  });

  describe('the own profile', () => {
    it('says which of the sessions is this one', async () => {
      const login = 'lea.session';
      const password = 'Lea-Portal-2026';
      const user = await write('POST', '/api/v2/directory/users', {
        login,
        lastName: 'Session',
        password,
      });
      await server.signIn(login, password);
      // Both would expire in the same second; this one gets a different expiration.
      await server.database.query(
        `UPDATE tokens SET expiration = expiration + interval '10 s' WHERE user_id = $1`,
        [user.id],
      );
      const token = await server.signIn(login, password);
      const { page } = await visits.open(address('/profile'), { token });
      const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');
      await sessions.nth(1).waitFor();
      expect(await sessions.filter({ hasText: 'This session' }).count()).toBe(1);
      await sessions
        .filter({ hasNotText: 'This session' })
        .getByRole('button', { name: /^End the session/ })
        .click();
      await sessions.nth(1).waitFor({ state: 'detached' });
      await page.getByText('This session', { exact: true }).waitFor();
      const endAll = page.getByRole('button', { name: 'End all sessions' });
      expect(await endAll.evaluate(isFocused)).toBe(true);
    });

    it('changes the photo, the contact details and the API keys', async () => {
      const { page, problems } = await openAs('chloe.lefevre', '/profile', { locale: 'fr-FR' });
      const photo = await sharp({
        create: { width: 40, height: 40, channels: 3, background: '#0a0' },
      })
        .png()
        .toBuffer();
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: photo });
      await page.getByRole('status').getByText('Enregistré').waitFor();
      await page.locator('input[type=file]').setInputFiles({
        name: 'me.png',
        mimeType: 'image/png',
        buffer: Buffer.from('no picture'),
      });
      await page.getByText('Ce n’est pas une image JPEG, PNG ou WebP.').waitFor();
      await page.getByLabel('Mobile').fill('+33 6 12 34 56 78');
      const kept = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
      await page.getByRole('button', { name: 'Enregistrer' }).click();
      expect((await kept).status()).toBe(200);
      const me = await read('/api/v2/directory/users/me', 'chloe.lefevre');
      expect(me.mobilePhoneNumber).toBe('+33 6 12 34 56 78');
      const keys = page.getByRole('region', { name: 'Clés d’API' });
      await keys.getByRole('textbox').fill('Un programme');
      await keys.getByRole('button', { name: 'Créer une clé' }).click();
      const key = await keys.locator('.secret code').innerText();
      const body = { login: 'chloe.lefevre', password: key };
      const answer = await server.call('/api/v2/authentication', { method: 'POST', body });
      expect(answer.status).toBe(200);
      await keys.getByRole('button', { name: 'Supprimer la clé Un programme' }).click();
      await keys.getByText('Vous n’avez pas de clé d’API.').waitFor();
      expect(await keys.getByRole('textbox').evaluate(isFocused)).toBe(true);
      // The browser itself logs the error status.
      expect(problems.filter((text) => !/status of 4(00|15)/.test(text))).toEqual([]);
    });

    it('offers to remove a photo where there is one', async () => {
      const { page, problems } = await openAs('bruno.keller', '/profile');
      await settled(page);
      const remove = page.getByRole('button', { name: 'Remove the photo' });
      expect(await remove.count()).toBe(0);
      const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: '#00a' } });
      const buffer = await picture.png().toBuffer();
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
      await remove.click();
      await remove.waitFor({ state: 'detached' });
      await eventually(
        async () => expect(await page.evaluate('document.activeElement.tagName')).toBe('H1'),
        10_000,
      );
      expect(problems).toEqual([]);
    });

    it('puts a refusal at its field, says whose language it is, and keeps what was typed', async () => {
      const { page } = await openAs('chloe.lefevre', '/profile', { locale: 'fr-FR' });
      const field = page.getByLabel('Mobile');
      await field.fill('+33 6 00 00 00 01');
      await page.getByLabel('Surnom').fill('Clo');
      const body = JSON.stringify({
        code: 400,
        message: 'bad',
        fields: [{ name: '/mobilePhoneNumber', message: 'no such number' }],
      });
      await page.route(/\/users\/\d+$/, (route) =>
        route.request().method() === 'PATCH'
          ? route.fulfill({ status: 400, contentType: 'application/json', body })
          : route.continue(),
      );
      await page.getByRole('button', { name: 'Enregistrer' }).click();
      const fault = page.locator('label', { has: field }).locator('.fault');
      await fault.getByText('Refusé par le serveur : « no such number »').waitFor();
      expect(await fault.locator('[lang=en]').textContent()).toBe('no such number');
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      expect(await field.inputValue()).toBe('+33 6 00 00 00 01');
      expect(await page.getByLabel('Surnom').inputValue()).toBe('Clo');
    });

    it('shows the password rules while one types, and changes the password', async () => {
      const login = 'nora.page';
      const made = await write('POST', '/api/v2/directory/users', {
        login,
        lastName: 'Page',
        password: 'Nora-Portal-2026',
      });
      await server.signIn(login, 'Nora-Portal-2026');
      const { page, problems } = await visits.open(address('/profile'));
      await signInAt(page, login, 'Nora-Portal-2026');
      const form = page.getByRole('region', { name: 'Password' });
      const met = form.locator('.met');
      await form.getByLabel('New password').fill('abc');
      await met.nth(0).waitFor();
      expect(await met.count()).toBe(1);
      const submit = form.getByRole('button', { name: 'Change the password' });
      expect(await submit.isDisabled()).toBe(true);
      await form.getByLabel('Current password').fill('Nora-Portal-2026');
      await form.getByLabel('New password').fill('Nora-Portal-2026');
      await submit.click();
      await form
        .getByRole('alert')
        .getByText('The new password needs to be none of your last 5 passwords.')
        .waitFor();
      await form.getByLabel('New password').fill('Nora-Portal-2027!');
      expect(await met.count()).toBe(5);
      await submit.click();
      await page.getByRole('status').getByText('The password is changed.').waitFor();
      // The change of password ended the other session; this one remains.
      const sessions = page.getByRole('region', { name: 'Sessions' });
      await eventually(
        async () => expect(await sessions.getByRole('listitem').count()).toBe(1),
        10_000,
      );
      await server.signIn(login, 'Nora-Portal-2027!');
      await sessions.getByRole('button', { name: 'End all sessions' }).click();
      await page.getByRole('alert').getByText('Your session has ended.').waitFor();
      expect(made.login).toBe(login);
      expect(problems.filter((text) => !/status of 40[01]/.test(text))).toEqual([]);
    });
  });

  it('shows what was written as text, whatever it looks like', async () => {
    const hostile = (name: string) =>
      `${name} </script><img src=x onerror="window.hacked=1"><svg onload="window.hacked=1">{{7*7}}`;
    const user = await write('POST', '/api/v2/directory/users', {
      login: 'hostile',
      lastName: hostile('Zorro'),
      title: hostile('Zorro'),
      nickName: hostile('Nick'),
      userFunction: hostile('Function'),
      description: hostile('About'),
      password: 'Hostile-Portal-2026',
    });
    const category = await write('POST', '/api/v2/navigation/categories', {
      title: hostile('Category'),
    });
    const application = await write('POST', '/api/v2/navigation/applications', {
      title: hostile('Tile'),
      type: 'PROCESS',
      keywords: hostile('keyword'),
      categories: [category.uri],
    });
    const view = await write('POST', '/api/v2/process/views', {
      label: hostile('View'),
      application: application.uri,
      columns: ['title'],
    });
    await write('PATCH', `/api/v2${application.uri}`, [
      { op: 'replace', path: '/view', value: view.uri },
    ]);
    const task = await write('POST', '/api/v2/process/tasks', {
      title: hostile('Task'),
      description: hostile('Description'),
      application: application.uri,
      assignee: user.uri,
    });
    const faq = await write('POST', '/api/v2/content/faqs', {
      question: hostile('Zorro asks'),
      answer: hostile('Answer'),
    });
    const { page, problems } = await visits.open(address());
    await signInAt(page, 'hostile', 'Hostile-Portal-2026');
    await heading(page, hostile('Hello, Nick')).waitFor();
    await page.locator('.tile-title', { hasText: hostile('Tile') }).waitFor();
    await searchField(page).fill('zorro');
    await page.getByRole('option', { name: hostile('Zorro asks') }).waitFor();
    for (const [path, text] of [
      [`/users/${user.id}`, 'Zorro'],
      [`/applications/${application.id}`, 'Tile'],
      [`/tasks/${task.id}`, 'Task'],
      [`/faqs/${faq.id}`, 'Zorro asks'],
    ] as const) {
      await page.goto(address(path));
      await heading(page, hostile(text)).waitFor();
      await settled(page);
    }
    expect(
      await page.evaluate(
        `[typeof window.hacked, document.querySelectorAll('main svg[onload], main img[src=x]').length]`,
      ),
    ).toEqual(['undefined', 0]);
    expect(problems).toEqual([]);
  });

  it('is there soon (printed, not judged: the machine is shared)', async () => {
    const { page } = await openAs('bruno.keller');
    await page.locator('.tile').first().waitFor();
    await page.reload();
    await page.locator('.tile').first().waitFor();
    console.log('the workplace in the browser:', await speedOf(page));
  });
});

const isFocused = (one: { ownerDocument: { activeElement: unknown } }): boolean =>
  one.ownerDocument.activeElement === one;

/** The counter on the tile of expense claims. */
async function counterOf(page: Page): Promise<number> {
  const tile = page.locator('.tile', { hasText: 'Expense claims' }).first();
  await tile.waitFor();
  const count = tile.locator('.count [aria-hidden]');
  return (await count.count()) === 0 ? 0 : Number(await count.first().textContent());
}
