import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  heading,
  press,
  tabTo,
  withoutKeyboard,
} from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import {
  counterOf,
  searchField,
  startTestWorkplace,
  type TestWorkplace,
} from '../../support/workplace.js';

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace();
});
afterAll(() => site.close());

describeInBrowser('Workplace keyboard and mouse', (visits) => {
  it('sign in, search, keep a favourite and complete a task with the keyboard alone', async () => {
    const { page, problems } = await visits.open(site.address());
    await page.getByLabel('Login').waitFor();
    await page.keyboard.type('bruno.keller');
    await press(page, 'Tab');
    await page.keyboard.type('Portal-Demo-2026');
    await press(page, 'Enter');
    await heading(page, 'Hello, Bruno').waitFor();
    await press(page, '/');
    await page.keyboard.type('chloé lef');
    await page
      .getByRole('option', { name: /Chloé Lefèvre/ })
      .first()
      .waitFor();
    await press(page, 'ArrowDown', 'Enter');
    await heading(page, 'Chloé Lefèvre').waitFor();
    expect(await page.evaluate(`document.activeElement.tagName`)).toBe('H1');
    await press(page, 'Control+k');
    await page.keyboard.type('helvion');
    await page.getByRole('option').nth(1).waitFor();
    // The answer to the first characters may be there already; the complete term starts a new search.
    await page.locator('.search-field .spin').waitFor({ state: 'detached' });
    const active = () => searchField(page).getAttribute('aria-activedescendant');
    expect(await active()).toBeNull();
    await press(page, 'ArrowDown');
    const first = await active();
    await press(page, 'ArrowDown');
    expect(await active()).not.toBe(first);
    await press(page, 'ArrowUp');
    expect(await active()).toBe(first);
    await press(page, 'Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await tabTo(page, page.getByRole('link', { name: 'Back to the workplace' }));
    await press(page, 'Enter');
    await heading(page, 'Hello, Bruno').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Add Hiring to favourites' }));
    await press(page, 'Space');
    const favourite = page
      .getByRole('region', { name: 'Favourites' })
      .getByRole('button', { name: /Hiring/ });
    await favourite.waitFor();
    await page.locator('main h1').focus();
    await tabTo(page, favourite);
    await press(page, 'Space');
    await favourite.waitFor({ state: 'detached' });
    await page.locator('main h1').focus();
    await tabTo(page, page.getByRole('link', { name: /Expense claims/ }));
    await press(page, 'Enter');
    await heading(page, 'Expense claims').waitFor();
    const done = page.getByRole('button', { name: /as done$/ });
    await done.first().waitFor();
    const second = await done.nth(1).getAttribute('aria-label');
    await tabTo(page, done);
    await press(page, 'Enter');
    const focused = () => page.evaluate(`document.activeElement.getAttribute('aria-label')`);
    await eventually(async () => expect(await focused()).toBe(second));
    await tabTo(page, page.getByRole('button', { name: 'Undo' }));
    await press(page, 'Enter');
    await page.getByRole('status').getByText('is open again.').waitFor();
    expect(await page.evaluate(`document.activeElement.tagName`)).toBe('H1');
    // Shift+Tab leads back into the header: skip link, brand, search field, account.
    await page.locator('main h1').focus();
    await press(page, 'Shift+Tab', 'Shift+Tab');
    expect(await page.evaluate(`document.activeElement.tagName`)).toBe('SUMMARY');
    await press(page, 'Enter', 'Tab');
    await page.getByRole('link', { name: 'My profile' }).waitFor();
    expect(await page.evaluate(`document.activeElement.textContent.trim()`)).toBe('My profile');
    await press(page, 'Escape');
    await page.getByRole('link', { name: 'My profile' }).waitFor({ state: 'hidden' });
    expect(problems).toEqual([]);
  });

  it('keep a favourite, complete a task, choose colours and sign out with the mouse alone', async () => {
    const { page, problems } = await site.open(visits, 'alice.martin');
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
    await eventually(async () => expect(await counterOf(page)).toBe(before - 1));
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => expect(await counterOf(page)).toBe(before));
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
  });
});
