import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  heading,
  isFocused,
  PHONE,
  settled,
  tabTo,
  takePicture,
} from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace();
});
afterAll(() => site.close());

const main = (page: Page) => page.getByRole('navigation', { name: 'Main' });

/** The links that a page marks as the current one, with the kind of the mark. */
const current = (page: Page) =>
  main(page)
    .locator('[aria-current]')
    .evaluateAll((all: { innerText: string; getAttribute(name: string): string }[]) =>
      all.map((one) => [one.innerText.split('\n')[0], one.getAttribute('aria-current')]),
    );

const waitingFor = async (login: 'bruno.keller'): Promise<number> =>
  (await site.read('/api/v2/process/tasks/waiting/counts', login)).count as number;

describeInBrowser('The navigation of the workplace', (visits) => {
  it('leads to home, tasks, people and news, and marks where the person is', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller');
    expect(await current(page)).toEqual([['Home', 'page']]);
    for (const [link, title, path] of [
      ['Tasks', 'My tasks', '/tasks'],
      ['People', 'People', '/people'],
      ['News', 'News', '/news'],
      ['Home', 'Hello, Bruno', ''],
    ] as const) {
      await main(page)
        .getByRole('link', { name: new RegExp(`^${link}`) })
        .click();
      await heading(page, title).waitFor();
      expect(page.url()).toBe(site.address(path));
      expect(await current(page)).toEqual([[link, 'page']]);
    }
    await page.goto(site.address('/tasks/DEMO-2'));
    await page.locator('main h1').waitFor();
    expect(await current(page)).toEqual([['Tasks', 'true']]);
    expect(problems).toEqual([]);
  });

  it('counts the tasks that wait, and counts again when one is done', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller');
    const before = await waitingFor('bruno.keller');
    expect(before).toBeGreaterThan(1);
    const named = (count: number) =>
      main(page).getByRole('link', { name: `Tasks ${count} waiting`, exact: true });
    await named(before).click();
    await page
      .getByRole('button', { name: /^Mark / })
      .first()
      .click();
    await named(before - 1).waitFor();
    expect(problems).toEqual([]);
  });

  it('begins a list again where the person is in it already', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/people?text=lefevre');
    const filter = page.getByRole('searchbox', { name: 'Filter people' });
    expect(await filter.inputValue()).toBe('lefevre');
    await main(page).getByRole('link', { name: 'People' }).click();
    await eventually(async () => expect(await filter.inputValue()).toBe(''));
    await page.getByText('1–24').waitFor();
    expect(page.url()).toBe(site.address('/people'));
    expect(problems).toEqual([]);
  });

  it('opens further pages with the keyboard', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller');
    const more = main(page).locator('summary', { hasText: 'More' });
    const documents = main(page).getByRole('link', { name: 'Documents' });
    await tabTo(page, more);
    await page.keyboard.press('Enter');
    await documents.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await documents.waitFor({ state: 'hidden' });
    expect(await more.evaluate(isFocused)).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await heading(page, 'Documents').waitFor();
    await documents.waitFor({ state: 'hidden' });
    expect(await more.getAttribute('data-current')).toBe('true');
    expect(problems).toEqual([]);
  });

  it.each([
    ['fr-FR', 'chloe.lefevre', 'Principale'],
    ['de-DE', 'alice.martin', 'Hauptnavigation'],
  ] as const)('is a bar at the bottom of a phone: %s', async (locale, login, name) => {
    await site.server.database.query(`UPDATE users SET locale = 'de' WHERE login = 'alice.martin'`);
    const options = { ...PHONE, width: 360, locale };
    const { page, problems } = await site.open(visits, login, '/people', options);
    await settled(page);
    const bar = page.getByRole('navigation', { name, exact: true });
    const box = (await bar.boundingBox())!;
    expect([box.x, box.width, box.y + box.height]).toEqual([0, 360, PHONE.height]);
    for (const link of await bar.locator('.navigation-link').all())
      if (await link.isVisible())
        expect(
          await link.evaluate(
            (one: { scrollWidth: number; clientWidth: number }) =>
              one.scrollWidth - one.clientWidth,
          ),
        ).toBeLessThanOrEqual(0);
    await expectToFit(page);
    await bar.locator('summary').click();
    const opened = (await bar.locator('.more-menu ul').boundingBox())!;
    expect(opened.x).toBeGreaterThanOrEqual(0);
    expect(opened.y + opened.height).toBeLessThan(box.y);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, 'color-contrast');
    await takePicture(page, `navigation-phone-${locale}`);
    // The last line of a page is above the bar.
    await page.keyboard.press('Escape');
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    const pager = (await page.locator('.pager').boundingBox())!;
    expect(pager.y + pager.height).toBeLessThan(box.y);
    expect(problems).toEqual([]);
  });

  it('stands in the header of a phone on its side, where a bar would hide the page', async () => {
    const { page } = await site.open(visits, 'bruno.keller', '', { width: 844, height: 390 });
    const box = (await main(page).boundingBox())!;
    expect(box.y + box.height).toBeLessThan(200);
    await page.evaluate('scrollTo(0, 300)');
    expect((await main(page).boundingBox())!.y).toBeLessThan(0);
  });
});
