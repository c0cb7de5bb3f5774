import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { describeInBrowser, expectAccessible, heading } from '../../support/browser.js';
import { idOf } from '../../support/id-of.js';
import {
  counterOf,
  PEOPLE,
  searchField,
  startTestWorkplace,
  type TestWorkplace,
} from '../../support/workplace.js';

const FAVOURITES = '/api/v2/directory/users/me/favourites';

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace();
});
afterAll(() => site.close());

interface Category {
  title: string;
  applications: { title: string; indicator: { count: number } | null }[];
}

describeInBrowser('Workplace tiles', (visits) => {
  it.each(PEOPLE)('are those of %s, with their counters', async (login) => {
    const { page, problems } = await site.open(visits, login);
    await page.locator('.tile').first().waitFor();
    const shown =
      await page.evaluate(`[...document.querySelectorAll('.category')].map((section) => [
      section.querySelector('h2').textContent,
      ...[...section.querySelectorAll('.tile')].map((tile) =>
        tile.querySelector('.tile-title').textContent + ' ' +
        (tile.querySelector('.count [aria-hidden]')?.textContent ?? 0))
    ])`);
    const categories = (await site.read('/navigation/workplace', login)) as Category[];
    expect(shown).toEqual(
      categories.map(({ title, applications }) => [
        title,
        ...applications.map((one) => `${one.title} ${one.indicator?.count ?? 0}`),
      ]),
    );
    expect(problems).toEqual([]);
  });

  it('are filtered by keyword, kept as favourites, and shown as a list', async () => {
    const { page, problems } = await site.open(visits, 'chloe.lefevre', '', { locale: 'fr-FR' });
    await heading(page, 'Bonjour Chloé').waitFor();
    await page.getByRole('button', { name: 'Ajouter Notes de frais aux favoris' }).first().click();
    const favourites = page.getByRole('region', { name: 'Favoris' });
    await favourites.getByRole('link', { name: /Notes de frais/ }).waitFor();
    await page.getByRole('radio', { name: 'Liste' }).check();
    await page.locator('.tiles.list').first().waitFor();
    await page.reload();
    await favourites.getByRole('link', { name: /Notes de frais/ }).waitFor();
    expect(await page.locator('.tiles.grid').count()).toBe(0);
    await expectAccessible(page);
    await searchField(page).fill('FRAIS note');
    await expect(page.locator('.tile mark').first().textContent()).resolves.toBe('Note');
    expect(new Set(await page.locator('.tile-title').allTextContents())).toEqual(
      new Set(['Notes de frais']),
    );
    await page.getByText('1 application', { exact: true }).waitFor();
    await searchField(page).fill('nothing like it');
    // The list of results lies over the page until it is closed; the filter stays.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Effacer le filtre' }).click();
    expect(await searchField(page).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Retirer Notes de frais des favoris' }).first().click();
    await favourites.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('change no favourite before the favourites are loaded', async () => {
    const { page } = await site.open(visits, 'bruno.keller');
    await page.getByRole('button', { name: 'Add Leave requests to favourites' }).first().click();
    const favourites = page.getByRole('region', { name: 'Favourites' });
    await favourites.getByRole('link', { name: /Leave requests/ }).waitFor();
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(`**${FAVOURITES}`, async (route) => {
      await released;
      await route.continue();
    });
    await page.reload();
    const add = page.getByRole('button', { name: 'Add Expense claims to favourites' }).first();
    await add.waitFor();
    expect(await add.isDisabled()).toBe(true);
    release();
    const kept = page.waitForResponse((response) => response.request().method() === 'PUT');
    await add.click();
    await kept;
    const { applications } = (await site.read(FAVOURITES, 'bruno.keller')) as {
      applications: { label: string }[];
    };
    expect(applications.map(({ label }) => label)).toEqual(['Leave requests', 'Expense claims']);
  });

  it('keep the favourites that another tab chooses at the same moment', async () => {
    const first = await site.open(visits, 'alice.martin');
    const second = await site.open(visits, 'alice.martin');
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let hold = () => undefined as void;
    const held = new Promise<void>((resolve) => (hold = resolve));
    await first.page.route('**/favourites**', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      hold();
      await released;
      return route.continue();
    });
    const choose = async ({ page }: typeof first, title: string) => {
      const kept = page.waitForResponse((response) => response.request().method() === 'PUT');
      await page
        .getByRole('button', { name: `Add ${title} to favourites` })
        .first()
        .click();
      return kept;
    };
    // The first tab has sent its change when the second one makes its own, but the server reads it afterwards.
    const ofFirst = choose(first, 'Leave requests');
    await held;
    await choose(second, 'Canteen menu');
    release();
    await ofFirst;
    const { applications } = (await site.read(FAVOURITES, 'alice.martin')) as {
      applications: { label: string }[];
    };
    expect(applications.map(({ label }) => label)).toEqual(['Canteen menu', 'Leave requests']);
    const favourites = first.page.getByRole('region', { name: 'Favourites' });
    await favourites.getByRole('link', { name: /Canteen menu/ }).waitFor();
  });

  it('say that there can be no more favourites, and take the star back', async () => {
    const { database } = site.server;
    await database.query(
      `INSERT INTO applications (reference, title, type)
        SELECT 'BULK-' || n, 'Bulk ' || n, 'LINK' FROM generate_series(1, 100) n`,
    );
    await database.query(
      `INSERT INTO favourites (user_id, application_id, position)
        SELECT $1, id, row_number() OVER (ORDER BY id) FROM applications WHERE reference LIKE 'BULK-%'`,
      [await idOf(site.server, 'users', 'chloe.lefevre')],
    );
    const { page } = await site.open(visits, 'chloe.lefevre', '', { locale: 'fr-FR' });
    const add = page.getByRole('button', { name: 'Ajouter Notes de frais aux favoris' }).first();
    await add.focus();
    await page.keyboard.press('Space');
    await page
      .getByRole('status')
      .getByText('Vous avez déjà autant de favoris que possible. Retirez-en d’abord un.')
      .waitFor();
    await eventually(async () => expect(await add.getAttribute('aria-pressed')).toBe('false'));
    await expectAccessible(page);
    await database.query(`DELETE FROM applications WHERE reference LIKE 'BULK-%'`);
  });

  it('report that a tile was removed when it is chosen as a favourite, and hide it', async () => {
    const { page } = await site.open(visits, 'bruno.keller');
    const add = page.getByRole('button', { name: 'Add Canteen menu to favourites' }).first();
    await add.waitFor();
    const setActive = (active: boolean) =>
      site.server.database.query(`UPDATE applications SET active = $1 WHERE title = $2`, [
        active,
        'Canteen menu',
      ]);
    await setActive(false);
    await add.click();
    await page.getByRole('status').getByText('You can no longer open Canteen menu.').waitFor();
    await page.getByRole('link', { name: /Canteen menu/ }).waitFor({ state: 'detached' });
    await setActive(true);
  });

  it('stay without a network, with a notice until it is back', async () => {
    const { page } = await site.open(visits, 'bruno.keller');
    await page.locator('.tile').first().waitFor();
    await page.context().setOffline(true);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    const notice = page.getByRole('alert').getByText('The server cannot be reached.');
    await notice.waitFor();
    expect(await page.locator('.tile').count()).toBeGreaterThan(5);
    await page.context().setOffline(false);
    await notice.waitFor({ state: 'detached' });
  });

  it('are loaded by conditional requests, with new counters', async () => {
    const { page } = await site.open(visits, 'bruno.keller');
    await page.locator('.tile').first().waitFor();
    const look = async () => {
      const answer = page.waitForResponse(/\/navigation\/workplace$/);
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      return (await answer).status();
    };
    expect(await look()).toBe(304);
    const before = await counterOf(page);
    await site.write('POST', '/api/v2/process/tasks', {
      title: 'Check expense claim 900',
      application: await idOf(site.server, 'applications', 'EXPENSES'),
      assignee: await idOf(site.server, 'users', 'bruno.keller'),
    });
    expect(await look()).toBe(200);
    await page
      .locator('.count [aria-hidden]', { hasText: `${before + 1}` })
      .first()
      .waitFor();
    expect(await counterOf(page)).toBe(before + 1);
  });
});
