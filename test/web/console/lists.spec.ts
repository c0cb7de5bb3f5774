import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  PHONE,
  settled,
} from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';
import { idOf } from '../../support/id-of.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startTestConsole();
});
afterAll(() => site.close());

/** A category with a long name. @returns its URI */
async function wideCategory(): Promise<string> {
  const title = `A ${'very '.repeat(20)}long name of a category`;
  const body = { title, position: 900, active: false };
  const answer = await site.call('/api/v2/navigation/categories', { method: 'POST', body });
  return (answer.body as { uri: string }).uri;
}

describeInBrowser('Console lists', (visits) => {
  it('filter by several values', async () => {
    const { page, problems } = await site.open(visits, '/users');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Attribute').click();
    await page.getByRole('option', { name: 'Login', exact: true }).click();
    await page.getByLabel('Condition').click();
    await page.getByRole('option', { name: 'is one of', exact: true }).click();
    await page.getByText('Commas separate the values.').waitFor();
    await page.getByRole('dialog').getByLabel('Value').fill('bruno.keller,chloe.lefevre');
    await page.getByRole('button', { name: 'Add filter' }).click();
    const chip = 'Login is one of bruno.keller, chloe.lefevre';
    await page.getByRole('button', { name: chip }).waitFor();
    await page.getByText('1-2 of 2').waitFor();
    expect(problems).toEqual([]);
  });

  it('search, filter by attribute and operator, sort, and stay so after a reload', async () => {
    const { page, problems } = await site.open(visits, '/users');
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
    const dach = await idOf(site.server, 'organizations', 'SALES-DACH');
    const list = await site.call(
      `/api/v2/directory/users?range=0-500&filters=organization:eq:${dach}&sorter=-login`,
    );
    const people = list.body as { title: string }[];
    await page.getByText(`of ${people.length}`).waitFor();
    await page.getByText('Sorted by Last name, ascending').waitFor();
    expect(await page.locator('[aria-sort]').count()).toBe(0);
    const sortByLogin = page.getByRole('button', { name: /sort by login/i });
    await sortByLogin.click();
    await page.getByText('Sorted by Login, ascending').waitFor();
    await sortByLogin.click();
    await page.locator('tbody tr').first().getByText(people[0]!.title).waitFor();
    await page.getByText('Sorted by Login, descending').waitFor();
    expect(await page.locator('[aria-sort]').count()).toBe(1);
    await page.locator('th[aria-sort=descending]', { hasText: 'Login' }).waitFor();

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

  it('say that there are more people where counting them takes too long, and show the next page', async () => {
    const { page, problems } = await site.open(visits, '/groups');
    // As the server answers when it does not count in time (test/resources/list-limits.spec.ts).
    await page.route(/\/api\/v2\/directory\/users\?/, async (route) => {
      const response = await route.fetch();
      const headers = response.headers();
      delete headers['x-total-count'];
      delete headers['preference-applied'];
      await route.fulfill({ response, headers });
    });
    await page.goto(site.address('/users'));
    await page.getByText('1-25 of more than 25').waitFor();
    await page.getByRole('button', { name: 'Go to next page' }).click();
    await page.getByText(/^26-\d+ of/).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    expect(problems).toEqual([]);
  });

  it('show the status and the due date of a task in its second line on a phone', async () => {
    const { page, problems } = await site.open(visits, '/tasks', PHONE);
    const first = page.locator('main li', { has: page.getByRole('link') }).first();
    await first.locator('[data-state=status]').waitFor();
    expect(await first.locator('[data-state]').allInnerTexts()).toEqual([
      expect.stringMatching(/^(Open|Done|Cancelled)$/),
      expect.stringMatching(/^Due: .*\d{4}/),
    ]);
    await page.getByText('Sorted by ID, descending').waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    expect(problems).toEqual([]);
  });

  it('say that the server cannot be reached, and load on the next try', async () => {
    const { page } = await site.open(visits, '/groups');
    await page.getByRole('link', { name: 'Hiring team' }).waitFor();
    await settled(page);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: /sort by reference/i }).click();
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('tbody tr').first().getByText('Project Aurora').waitFor();
    await page.goto(site.address('/view-as'));
    await page.getByLabel('Person').waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Person').fill('bruno');
    await page.getByText('The server cannot be reached.').waitFor();
    expect(await page.getByText('Nothing found').count()).toBe(0);
  });

  it('filter by date, and keep names on one line beside a wide column', async () => {
    await site.call('/api/v2/navigation/applications', {
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
    const { page } = await site.open(visits, `/applications?filter=${filter}`);
    await page.getByRole('button', { name: /^Created after 1 Jan 2024/ }).waitFor();
    const link = page.getByRole('link', { name: 'Business travel' });
    await link.waitFor();
    expect((await link.boundingBox())!.height).toBeLessThan(35);
  });

  it('change and delete several entries at once, and keep entries selected that could not be deleted', async () => {
    for (const reference of ['BULK-1', 'BULK-2', 'BULK-3'])
      await site.call('/api/v2/content/faqs', {
        method: 'POST',
        body: { question: `Bulk ${reference}?`, reference },
      });
    const { page, problems } = await site.open(visits, '/faqs');
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
    const archived = await site.call(
      '/api/v2/content/faqs?filters=reference:starts:BULK&filters=status:eq:2',
    );
    expect(archived.body).toHaveLength(3);
    await page.locator('thead input[type=checkbox]').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing matches.').waitFor();
    expect(problems).toEqual([]);

    await page.goto(site.address('/groups'));
    await page.locator('thead input[type=checkbox]').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog')
      .getByText(/which (is|are) still selected/)
      .waitFor();
  });

  it('stop deleting when the person stops it, and say how far it came', async () => {
    for (const reference of ['STOP-1', 'STOP-2', 'STOP-3'])
      await site.call('/api/v2/content/faqs', {
        method: 'POST',
        body: { question: `Stop ${reference}?`, reference },
      });
    const { page, problems } = await site.open(visits, '/faqs');
    await page.getByRole('searchbox', { name: 'Search' }).fill('stop');
    await page.getByText('1-3 of 3').waitFor();
    await page.locator('thead input[type=checkbox]').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await page.route('**/content/faqs/*', async (route) => {
      if (route.request().method() === 'DELETE')
        await dialog.getByRole('button', { name: 'Stop' }).click();
      return route.continue();
    });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('Stopped. Done: 1. Not reached: 2, which are still selected.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('2 items selected').waitFor();
    const left = await site.call('/api/v2/content/faqs?filters=reference:starts:STOP');
    expect(left.body).toHaveLength(2);
    expect(problems).toEqual([]);
  });

  it('are exported as a whole, and not at all where a file would be too long', async () => {
    await site.server.database.query(
      `INSERT INTO groups (label, reference) SELECT 'Export ' || n, 'EXPORT-' || n FROM generate_series(1, 20001) n`,
    );
    const { page } = await site.open(visits, '/groups');
    await page.getByRole('searchbox', { name: 'Search' }).fill('export');
    await page.getByText(/of 20,?001/).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const lines = (await text(await (await downloading).createReadStream())).trim().split('\n');
    expect(lines).toHaveLength(20_002);
    await page.route('**/directory/groups?*', async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'x-total-count': '200001' };
      return route.fulfill({ response, headers });
    });
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByText(/^A file holds up to 200,?000 entries/).waitFor();
  });
});
