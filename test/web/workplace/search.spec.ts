import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  endSession,
  expectAccessible,
  expectToFit,
  heading,
  settled,
  takePicture,
} from '../../support/browser.js';
import { searchField, startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

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

  it('shows everything that is found on a page, and loads more records by the markers', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('helvion');
    await page.getByRole('group', { name: 'People' }).getByRole('option').nth(3).waitFor();
    await takePicture(page, 'search');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await heading(page, 'Results for “helvion”').waitFor();
    expect(page.url()).toBe(site.address('/search?q=helvion'));
    expect(await page.getByRole('option').count()).toBe(0);
    const section = page.getByRole('region', { name: 'People' });
    const people = section.getByRole('link');
    await people.nth(4).waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    const more = section.getByRole('button', { name: 'More from People' });
    for (const count of [20, 40]) {
      await more.click();
      await people.nth(count - 1).waitFor();
    }
    const links = await people.evaluateAll((all: { getAttribute(name: string): string }[]) =>
      all.map((one) => one.getAttribute('href')),
    );
    expect([links.length, new Set(links).size]).toEqual([40, 40]);
    expect(problems).toEqual([]);
  });

  it('keeps the text of the results in the address, for the way back and a bookmark', async () => {
    const { page, problems } = await site.open(
      visits,
      'bruno.keller',
      '/search?q=expense%20claims',
      {
        viewport: { width: 360, height: 740 },
      },
    );
    await heading(page, 'Results for “expense claims”').waitFor();
    expect(await searchField(page).inputValue()).toBe('expense claims');
    await page.getByRole('region', { name: 'Applications' }).waitFor();
    expect(await page.locator('.results h2').first().textContent()).toBe('Applications');
    await expectToFit(page);
    await searchField(page).fill('chloe');
    await page.keyboard.press('Enter');
    await heading(page, 'Results for “chloe”').waitFor();
    await page
      .getByRole('link', { name: /Chloé Lefèvre/ })
      .first()
      .click();
    await heading(page, 'Chloé Lefèvre').waitFor();
    expect(await searchField(page).inputValue()).toBe('');
    await page.goBack();
    await heading(page, 'Results for “chloe”').waitFor();
    await page.goBack();
    await heading(page, 'Results for “expense claims”').waitFor();
    expect(problems).toEqual([]);
  });

  it('finds applications and tasks, highlights the matches, and reports an empty result', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller');
    await searchField(page).fill('expense claims');
    const applications = page.getByRole('group', { name: 'Applications' });
    await applications.locator('mark', { hasText: 'Expense' }).first().waitFor();
    expect(new Set(await page.locator('.tile-title').allTextContents())).toEqual(
      new Set(['Expense claims']),
    );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, 'Expense claims').waitFor();
    await searchField(page).fill('check expense');
    await page.getByRole('group', { name: 'Tasks' }).getByRole('option').first().click();
    await page.getByText('Task', { exact: true }).first().waitFor();
    expect(page.url()).toContain('/workplace/tasks/');
    await searchField(page).fill('lefevre');
    const people = page.getByRole('group', { name: 'People' });
    await people.locator('mark', { hasText: 'Lefèvre' }).first().waitFor();
    await searchField(page).fill('qqqqqq');
    await page.getByText('No results for “qqqqqq”.').waitFor();
    expect(problems).toEqual([]);
  });

  it('highlights the other spelling of an umlaut, and suggests a name near a misspelled one', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller');
    await searchField(page).fill('mueller');
    const people = page.getByRole('group', { name: 'People' });
    await people.locator('mark', { hasText: 'Müller' }).first().waitFor();
    await searchField(page).fill('kelller');
    await page.getByText('Did you mean: Keller').waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Results for “kelller”').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Keller', exact: true }).click();
    await heading(page, 'Results for “Keller”').waitFor();
    await page.getByRole('main').locator('mark', { hasText: 'Keller' }).first().waitFor();
    expect(problems).toEqual([]);
  });
});
