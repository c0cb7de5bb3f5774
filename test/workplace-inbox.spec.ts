import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  heading,
  PHONE,
  settled,
} from './support/browser.js';
import { idOf } from './support/id-of.js';
import { startTestWorkplace, type TestWorkplace } from './support/workplace.js';

let site: TestWorkplace;
let waiting: number;
beforeAll(async () => {
  site = await startTestWorkplace();
  const audience = [await idOf(site.server, 'users', 'alice.martin')];
  const hidden = await site.write('POST', '/api/v2/navigation/applications', {
    title: 'Office move',
    type: 'PROCESS',
    audience,
  });
  await site.write('POST', '/api/v2/process/tasks', {
    title: 'Choose a desk',
    application: hidden.uri,
    assignee: await idOf(site.server, 'users', 'bruno.keller'),
    dueDate: '2020-01-01T00:00:00.000Z',
  });
  const counts = await site.read('/api/v2/process/tasks/waiting/counts', 'bruno.keller');
  waiting = counts.count as number;
});
afterAll(() => site.close());

const all = () => `${waiting} tasks are waiting for you.`;

describeInBrowser('The inbox', (visits) => {
  it('opens from the sentence of the home page and holds the number that it says', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller');
    await page.getByRole('link', { name: all() }).click();
    await heading(page, 'My tasks').waitFor();
    await page.getByText(`1–25 of ${waiting}`).waitFor();
    await page.getByText(all()).waitFor();
    expect(await page.title()).toBe('My tasks · Workplace');
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, 'color-contrast');
    expect(problems).toEqual([]);
  });

  it('names the application of a task where the application is hidden', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/tasks');
    const first = page.locator('.tasks tbody tr').first();
    await first.getByText('Choose a desk').waitFor();
    const cell = first.locator('[data-column=applicationTitle]');
    expect(await cell.innerText()).toBe('Office move');
    expect(await cell.getByRole('link').count()).toBe(0);
    await first.getByRole('link', { name: 'Choose a desk' }).click();
    await heading(page, 'Choose a desk').waitFor();
    await page.getByText('Office move').waitFor();
    expect(problems).toEqual([]);
  });

  it('is filtered by application, date and text, and counts what is left', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/tasks');
    const rows = page.locator('.tasks tbody tr');
    await rows.first().waitFor();
    await page
      .getByRole('combobox', { name: 'Application', exact: true })
      .selectOption('Office move');
    await page.getByRole('status').getByText('1 task', { exact: true }).waitFor();
    expect(await rows.count()).toBe(1);
    await page.getByRole('combobox', { name: 'Due' }).selectOption('overdue');
    await page.getByRole('searchbox', { name: 'Filter tasks' }).fill('nothing of the kind');
    await page.getByText('No task matches these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText(`1–25 of ${waiting}`).waitFor();
    expect(problems).toEqual([]);
  });

  it('keeps its filters and its order when a task is opened and left, and after a reload', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/tasks');
    const rows = page.locator('.tasks tbody tr');
    const application = page.getByRole('combobox', { name: 'Application', exact: true });
    const text = page.getByRole('searchbox', { name: 'Filter tasks' });
    await rows.first().waitFor();
    await application.selectOption('Office move');
    await text.fill('desk');
    await page.getByRole('button', { name: 'Task', exact: true }).click();
    await page.getByRole('status').getByText('1 task', { exact: true }).waitFor();
    const isKept = async () => {
      await page.getByRole('status').getByText('1 task', { exact: true }).waitFor();
      expect(await application.inputValue()).toBe('Office move');
      expect(await text.inputValue()).toBe('desk');
      expect(await page.locator('th[aria-sort=ascending]').innerText()).toBe('Task');
    };
    await page.getByRole('link', { name: 'Choose a desk' }).click();
    await heading(page, 'Choose a desk').waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await isKept();
    await page.getByRole('link', { name: 'Choose a desk' }).click();
    await heading(page, 'Choose a desk').waitFor();
    await page.goBack();
    await isKept();
    await page.reload();
    await isKept();
    expect(problems).toEqual([]);
  });

  it('is worked off by keyboard: the next task takes the focus', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/tasks');
    const done = page.getByRole('button', { name: /as done$/ });
    await done.first().focus();
    const second = await done.nth(1).getAttribute('aria-label');
    await page.keyboard.press('Enter');
    await page.getByText(`${waiting - 1} tasks are waiting for you.`).waitFor();
    await page.locator(`button:focus[aria-label=${JSON.stringify(second)}]`).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(all()).waitFor();
    expect(problems).toEqual([]);
  });

  it('fits a phone, in French', async () => {
    const options = { ...PHONE, locale: 'fr-FR' };
    const { page, problems } = await site.open(visits, 'chloe.lefevre', '/tasks', options);
    await heading(page, 'Mes tâches').waitFor();
    await page.locator('.tasks tbody tr').first().waitFor();
    await settled(page);
    await expectToFit(page);
    expect(problems).toEqual([]);
  });
});
