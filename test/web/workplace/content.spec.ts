import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  heading,
  settled,
  takePicture,
} from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

const PAGE_SIZE = 20;
const DAY = 86_400_000;

interface Item {
  label: string;
}

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace();
  const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();
  await site.write('POST', '/api/v2/content/news', {
    title: 'What comes tomorrow',
    publicationDate: inDays(1),
  });
  await site.write('POST', '/api/v2/content/news', {
    title: 'What was yesterday',
    publicationDate: inDays(-0.02),
    endDate: inDays(-0.01),
  });
  await site.write('POST', '/api/v2/content/documents', { title: 'Only a draft', status: 0 });
});
afterAll(() => site.close());

const labels = (items: unknown): string[] => (items as Item[]).map(({ label }) => label);

describeInBrowser('The lists of content', (visits) => {
  const entries = '.content-entry .task-title';

  it('show all news behind the news of the home page, the newest first, page by page', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller');
    const all = labels(
      await site.read(
        '/api/v2/content/news?range=0-100&sorter=-publicationDate,-creationDate',
        'bruno.keller',
      ),
    );
    expect(all.length).toBeGreaterThan(PAGE_SIZE);
    await page.getByRole('link', { name: 'All news' }).click();
    await heading(page, 'News').waitFor();
    await page.locator(entries).first().waitFor();
    expect(await page.locator(entries).allInnerTexts()).toEqual(all.slice(0, PAGE_SIZE));
    await takePicture(page, 'news-list');
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText(`${PAGE_SIZE + 1}–`).waitFor();
    await settled(page);
    expect(await page.locator(entries).allInnerTexts()).toEqual(
      all.slice(PAGE_SIZE, 2 * PAGE_SIZE),
    );
    expect(page.url()).toBe(site.address('/news?start=20'));
    expect(problems).toEqual([]);
  });

  it('appear by themselves after the server was too busy', async () => {
    const { database } = site.server;
    await database.query('BEGIN; LOCK TABLE customers');
    const { page } = await site.open(visits, 'bruno.keller', '/customers');
    await page.getByText('The server is busy. Try again in a moment.').waitFor();
    await database.query('COMMIT');
    await page.locator(entries).first().waitFor();
  });

  it.each([
    ['documents', 'Documents'],
    ['faqs', 'Questions'],
    ['customers', 'Customers'],
  ])('show all %s that the person may see', async (kind, title) => {
    const { page, problems } = await site.open(visits, 'bruno.keller', `/${kind}`);
    await heading(page, new RegExp(`^${title}`)).waitFor();
    await page.locator(entries).first().waitFor();
    const all = await site.read(`/api/v2/content/${kind}?range=0-20&sorter=label`, 'bruno.keller');
    expect(await page.locator(entries).allInnerTexts()).toEqual(labels(all));
    await takePicture(page, `list-${kind}`);
    expect(problems).toEqual([]);
  });

  it('are filtered by title, and keep the filter on the way back', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/documents');
    await page.locator(entries).first().waitFor();
    const [title = ''] = await page.locator(entries).allInnerTexts();
    const filter = page.getByRole('searchbox', { name: 'Filter by title' });
    await filter.fill(title.toUpperCase());
    await page.getByRole('link', { name: title, exact: true }).waitFor();
    await eventually(async () => {
      for (const one of await page.locator(entries).allInnerTexts()) expect(one).toContain(title);
    });
    await page.getByRole('link', { name: title, exact: true }).click();
    await heading(page, title).waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await heading(page, 'Documents').waitFor();
    expect(await filter.inputValue()).toBe(title.toUpperCase());
    await filter.fill('qqqqqq');
    await page.getByText('Nothing matches this filter.').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.locator(entries).nth(3).waitFor();
    expect(page.url()).toBe(site.address('/documents'));
    expect(problems).toEqual([]);
  });

  it('mark for administrators the news of other days, and leave drafts to the console', async () => {
    const { page, problems } = await site.open(visits, 'alice.martin', '/news');
    const planned = page.locator('.content-entry', { hasText: 'What comes tomorrow' });
    await planned.getByText('planned').waitFor();
    await page
      .locator('.content-entry', { hasText: 'What was yesterday' })
      .getByText('expired')
      .waitFor();
    await expectAccessible(page);
    await page.goto(site.address('/documents?text=draft'));
    await page.getByText('Nothing matches this filter.').waitFor();
    expect(problems).toEqual([]);
  });
});
