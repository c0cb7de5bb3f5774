import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  isFocused,
  PHONE,
} from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { idOf } from '../../support/id-of.js';
import { startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

/** Filters of the inbox that people save and share (docs/workplace.md). */

let site: TestWorkplace;
let team: string;
const wait = async (title: string, assignee: string) =>
  site.write('POST', '/api/v2/process/tasks', {
    title,
    application: 'EXPENSES',
    assignee,
    dueDate: '2020-01-01T00:00:00.000Z',
  });
beforeAll(async () => {
  site = await startTestWorkplace();
  const group = await site.write('POST', '/api/v2/directory/groups', { label: 'Desk team' });
  team = group.id as string;
  for (const login of ['bruno.keller', 'chloe.lefevre'])
    await site.write(
      'PUT',
      `/api/v2/directory/groups/${team}/members/${await idOf(site.server, 'users', login)}`,
    );
  await wait('Choose a desk', 'bruno.keller');
  await wait('Choose a desk lamp', 'chloe.lefevre');
});
beforeEach(() => site.server.database.query('DELETE FROM task_filters'));
afterAll(() => site.close());

describeInBrowser('Saved filters of the inbox', (visits) => {
  it('are saved, counted live, changed, moved and deleted', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/tasks');
    const saved = page.getByRole('region', { name: 'Saved filters' });
    const entry = (name: string | RegExp) => saved.getByRole('button', { name });
    await page.getByRole('searchbox', { name: 'Filter tasks' }).fill('desk');
    await entry('Save this filter').click();
    const dialog = page.getByRole('dialog', { name: 'Save this filter' });
    await dialog.getByLabel('Name').fill('Desks');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await entry(/^Desks/).waitFor();
    await eventually(async () =>
      expect(
        await entry(/^Desks/)
          .locator('[aria-hidden]')
          .innerText(),
      ).toBe('1'),
    );
    await wait('Another desk', 'bruno.keller');
    await eventually(async () =>
      expect(
        await entry(/^Desks/)
          .locator('[aria-hidden]')
          .innerText(),
      ).toBe('2'),
    );
    await entry('All tasks').click();
    await page.getByText(/^1–25 of/).waitFor();
    await page.getByRole('combobox', { name: 'Due' }).selectOption('overdue');
    await entry('Save this filter').click();
    const second = page.getByRole('dialog', { name: 'Save this filter' });
    await second.getByLabel('Name').fill('Late');
    await second.getByRole('button', { name: 'Save' }).click();
    await entry(/^Late/).and(page.locator('[aria-pressed=true]')).waitFor();
    await entry('Move forward').click();
    const labels = async () =>
      (await saved.locator('li button span:first-of-type').allInnerTexts()).filter(
        (text) => text === 'Late' || text === 'Desks',
      );
    await eventually(async () => expect(await labels()).toEqual(['Late', 'Desks']));
    await entry(/^Desks/).click();
    await page.getByRole('link', { name: 'Another desk' }).waitFor();
    expect(await page.getByRole('searchbox', { name: 'Filter tasks' }).inputValue()).toBe('desk');
    await page.reload();
    await page.getByRole('link', { name: 'Another desk' }).waitFor();
    await page.getByRole('searchbox', { name: 'Filter tasks' }).fill('another');
    await entry('Save the changes').click();
    await eventually(async () =>
      expect(
        await entry(/^Desks/)
          .locator('[aria-hidden]')
          .innerText(),
      ).toBe('1'),
    );
    await entry('Delete the filter').click();
    await eventually(async () => expect(await labels()).toEqual(['Late']));
    expect(await entry('All tasks').evaluate(isFocused)).toBe(true);
    await expectAccessible(page);
    await page.setViewportSize(PHONE);
    await expectToFit(page);
    expect(problems).toEqual([]);
  });

  it('are shared with a group, whose members see their own matches and lose the filter at once', async () => {
    const mine = await site.open(visits, 'bruno.keller', '/tasks');
    const theirs = await site.open(visits, 'chloe.lefevre', '/tasks', { locale: 'en-GB' });
    await mine.page.getByRole('searchbox', { name: 'Filter tasks' }).fill('desk');
    await mine.page.getByRole('button', { name: 'Save this filter' }).click();
    const dialog = mine.page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Desks');
    await dialog.getByLabel('Desk team').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const entry = theirs.page.getByRole('button', { name: /^Desks/ });
    await entry.waitFor();
    await entry.getByText('Bruno Keller').waitFor();
    await entry.click();
    await theirs.page.getByRole('link', { name: 'Choose a desk lamp' }).waitFor();
    expect(await theirs.page.locator('.saved-filters .buttons button').count()).toBe(1);
    const chloe = await idOf(site.server, 'users', 'chloe.lefevre');
    const member = `/api/v2/directory/groups/${team}/members/${chloe}`;
    await site.write('DELETE', member);
    await entry.waitFor({ state: 'detached' });
    await site.write('PUT', member);
    expect([...mine.problems, ...theirs.problems]).toEqual([]);
  });

  it('show their faults, and conditions that the controls cannot show', async () => {
    const bruno = await idOf(site.server, 'users', 'bruno.keller');
    const add = (label: string, filters: string) =>
      site.server.database.query(
        `INSERT INTO task_filters (label, owner_id, filters) VALUES ($1, $2, $3)`,
        [label, bruno, filters],
      );
    await add('Broken', '{colour:eq:red}');
    await add('Starting', '{title:starts:Choose}');
    const { page, problems } = await site.open(visits, 'bruno.keller', '/tasks');
    await page.getByRole('button', { name: /^Starting/ }).click();
    await page.getByRole('status').getByText('1 task', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Filter tasks' }).fill('lamp');
    await page.getByText('No task matches these filters.').waitFor();
    await page.getByRole('button', { name: /^Broken/ }).click();
    await page.getByText(/This filter cannot be counted: Unknown attribute/).waitFor();
    await page.getByRole('button', { name: 'All tasks' }).click();
    await page.getByText(/^1–25 of/).waitFor();
    expect(problems.filter((text) => !text.includes('409'))).toEqual([]);
  });
});
