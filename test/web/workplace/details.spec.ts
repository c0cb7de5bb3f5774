import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  heading,
  PHONE,
  settled,
} from '../../support/browser.js';
import { idOf } from '../../support/id-of.js';
import { searchField, startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

/** A time zone in which the dates of the test lie one day later than in that of the server. */
const FAR = { timezoneId: 'Pacific/Auckland' };

let site: TestWorkplace;
let task: string;
beforeAll(async () => {
  site = await startTestWorkplace();
  const made = await site.write('POST', '/api/v2/process/tasks', {
    title: 'Water the plants',
    application: await idOf(site.server, 'applications', 'EXPENSES'),
    assignee: await idOf(site.server, 'users', 'bruno.keller'),
    dueDate: '2019-05-04T20:30:00.000Z',
    priority: 3,
  });
  task = made.id as string;
  await site.write('POST', '/api/v2/content/news', {
    title: 'The plants have been watered',
    publicationDate: '2020-01-01T20:00:00.000Z',
  });
});
afterAll(() => site.close());

describeInBrowser('The details of tasks and of results', (visits) => {
  it('show one clock, that of the browser, and due dates with their time', async () => {
    const due = '5 May 2019, 08:30';
    const { page, problems } = await site.open(visits, 'bruno.keller', '', FAR);
    await page.getByRole('region', { name: 'My tasks' }).getByText(due).waitFor();
    await page.goto(site.address('/tasks'));
    await page.locator('.tasks').getByText(due).waitFor();
    await page.goto(site.address(`/tasks/${task}`));
    await page.locator('.page-head').getByText(due).waitFor();
    await searchField(page).fill('plants');
    const hit = page.getByRole('option', { name: /Water the plants/ });
    await hit.waitFor();
    expect(await hit.innerText()).toMatch(new RegExp(`^Water the plants\\n.* · ${due}$`));
    const news = page.getByRole('option', { name: /The plants have been watered/ });
    expect(await news.innerText()).toBe('The plants have been watered\n2 Jan 2020');
    await page.keyboard.press('Enter');
    await heading(page, 'Results for “plants”').waitFor();
    await page.locator('.results').getByText(due).waitFor();
    expect(problems).toEqual([]);
  });

  it('show due dates where more tasks are found at once than a list takes filters', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/search?q=c', FAR);
    await heading(page, 'Results for “c”').waitFor();
    const tasks = page.getByRole('region', { name: 'Tasks' });
    await tasks.getByRole('button').click();
    const found = tasks.getByRole('link');
    await found
      .filter({ hasText: / \d{4}, \d\d:\d\d/ })
      .nth(20)
      .waitFor();
    expect(problems).toEqual([]);
  });

  it('say directly under the title whether a task is open and when it is due, also on a phone', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', `/tasks/${task}`, {
      ...FAR,
      ...PHONE,
    });
    await page.locator('.facts').waitFor();
    const head = page.locator('.page-head');
    expect(await head.innerText()).toMatch(
      /^Task\n+Water the plants\n+Open\n+Due 5 May 2019, 08:30 overdue/,
    );
    expect(await page.locator('.facts dt').allInnerTexts()).not.toContain('Status');
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

  it('name the priority in words', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/tasks');
    const row = page.locator('.tasks tbody tr', { hasText: 'Water the plants' });
    expect(await row.locator('[data-column=priority]').innerText()).toBe('Very high');
    await expectAccessible(page);
    await page.goto(site.address(`/tasks/${task}`));
    await page.locator('.facts').getByText('Very high').waitFor();
    expect(problems).toEqual([]);
  });

  it('leave out the keywords, by which the search finds', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/search?q=urlaub');
    const hit = page
      .getByRole('region', { name: 'Applications' })
      .getByRole('link', { name: /Leave requests/ });
    await hit.waitFor();
    expect(await hit.innerText()).toBe('Leave requests');
    const faq = await idOf(site.server, 'faqs', 'DEMO-FAQ-1');
    await page.goto(site.address(`/faqs/${faq}`));
    await page.locator('main h1').waitFor();
    await settled(page);
    expect(await page.getByText('Keywords').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
