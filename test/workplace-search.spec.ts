import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  endSession,
  expectAccessible,
  settled,
  takePicture,
} from './support/browser.js';
import { searchField, startTestWorkplace, type TestWorkplace } from './support/workplace.js';

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace();
});
afterAll(() => site.close());

describeInBrowser('Workplace search', (visits) => {
  it('says that the server cannot be reached, and tries again', async () => {
    const { page } = await site.open(visits, 'bruno.keller');
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
    const { page, problems } = await site.open(visits, 'bruno.keller');
    await settled(page);
    // The tiles would update by themselves, but later.
    await page.route(/\/navigation\/workplace$/, () => undefined);
    await endSession(page, site.server);
    await searchField(page).fill('qqqqqq');
    await page.getByRole('alert').getByText('Your session has ended.').waitFor();
    expect(problems.filter((text) => !/status of 401/.test(text))).toEqual([]);
  });

  it('loads more records by the markers, and highlights what was found', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller');
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
    await page.getByText('No results for “qqqqqq”.').waitFor();
    expect(problems).toEqual([]);
  });
});
