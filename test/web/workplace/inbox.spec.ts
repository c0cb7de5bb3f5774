import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  heading,
  PHONE,
  settled,
} from '../../support/browser.js';
import { idOf } from '../../support/id-of.js';
import { startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';
import { eventually } from '../../support/eventually.js';

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
    await eventually(async () =>
      expect(await page.title()).toBe(`(${waiting}) My tasks · Workplace`),
    );
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

  it('is filtered by application, date and text, and counts the matches', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/tasks');
    const rows = page.locator('.tasks tbody tr');
    await rows.first().waitFor();
    await page
      .getByRole('combobox', { name: 'Application', exact: true })
      .selectOption('title:Office move');
    await page.getByRole('status').getByText('1 task', { exact: true }).waitFor();
    await eventually(async () => expect(await rows.count()).toBe(1));
    await page.getByRole('combobox', { name: 'Due' }).selectOption('overdue');
    await page.getByRole('searchbox', { name: 'Filter tasks' }).fill('nothing of the kind');
    await page.getByText('No task matches these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText(`1–25 of ${waiting}`).waitFor();
    expect(problems).toEqual([]);
  });

  it('is filtered by the application itself where another one has the same title', async () => {
    const titles = ['Same title', 'same title'];
    const [first, second] = await Promise.all(
      titles.map((title) =>
        site.write('POST', '/api/v2/navigation/applications', { title, type: 'PROCESS' }),
      ),
    );
    const assignee = await idOf(site.server, 'users', 'alice.martin');
    for (const [title, application] of [
      ['Of the first', first],
      ['Of the second', second],
      ['Of the second too', second],
    ] as const)
      await site.write('POST', '/api/v2/process/tasks', {
        title,
        application: application!.uri,
        assignee,
      });
    const { page, problems } = await site.open(visits, 'alice.martin', '/tasks');
    const application = page.getByRole('combobox', { name: 'Application', exact: true });
    await application
      .getByRole('option', { name: 'same title (2)', exact: true })
      .waitFor({ state: 'attached' });
    await application.selectOption({ label: 'same title (2)' });
    await page.getByRole('status').getByText('2 tasks', { exact: true }).waitFor();
    await application.selectOption({ label: 'Same title (1)' });
    await page.getByRole('status').getByText('1 task', { exact: true }).waitFor();
    await eventually(async () => expect(await page.locator('.tasks tbody tr').count()).toBe(1));
    await page.reload();
    await page.getByRole('link', { name: 'Of the first' }).waitFor();
    await eventually(async () =>
      expect(await application.locator('option:checked').innerText()).toBe('Same title (1)'),
    );
    expect(problems).toEqual([]);
  });

  it('lists tasks of the person’s groups, without those assigned to them for another group', async () => {
    const me = await idOf(site.server, 'users', 'alice.martin');
    const application = await site.write('POST', '/api/v2/navigation/applications', {
      title: 'Group work',
      type: 'PROCESS',
    });
    const [own, other] = await Promise.all(
      ['Own group', 'Other group'].map((label) =>
        site.write('POST', '/api/v2/directory/groups', { label }),
      ),
    );
    await site.write('PUT', `/api/v2/directory/groups/${own!.id}/members/${me}`);
    const tasks = [
      { title: 'For my group', group: own!.uri },
      { title: 'For me and my group', group: own!.uri, assignee: me },
      { title: 'For me and another group', group: other!.uri, assignee: me },
      { title: 'For me alone', assignee: me },
    ];
    for (const task of tasks)
      await site.write('POST', '/api/v2/process/tasks', { ...task, application: application.uri });
    const { page, problems } = await site.open(
      visits,
      'alice.martin',
      `/tasks?application=${application.id}`,
    );
    const whom = page.getByRole('combobox', { name: 'Waiting for', exact: true });
    const count = (text: string) =>
      page.getByRole('status').getByText(text, { exact: true }).waitFor();
    await whom.selectOption('groups');
    await count('2 tasks');
    await page.getByRole('link', { name: 'For my group' }).waitFor();
    await page.getByRole('link', { name: 'For me and my group' }).waitFor();
    await whom.selectOption('me');
    await count('3 tasks');
    expect(problems).toEqual([]);
  });

  it('keeps its filters and its order when a task is opened and left, and after a reload', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/tasks');
    const rows = page.locator('.tasks tbody tr');
    const application = page.getByRole('combobox', { name: 'Application', exact: true });
    const text = page.getByRole('searchbox', { name: 'Filter tasks' });
    await rows.first().waitFor();
    await application.selectOption('title:Office move');
    await text.fill('desk');
    await page.getByRole('button', { name: 'Task', exact: true }).click();
    await page.getByRole('status').getByText('1 task', { exact: true }).waitFor();
    const isKept = async () => {
      await page.getByRole('status').getByText('1 task', { exact: true }).waitFor();
      expect(await application.inputValue()).toBe('title:Office move');
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
    await done.first().waitFor();
    await settled(page);
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

  it('is worked with a finger on a phone: folded filters, and a row that is one target', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/tasks', {
      ...PHONE,
      hasTouch: true,
    });
    await page.locator('.tasks tbody tr').first().waitFor();
    await settled(page);
    expect(await smallTargets(page)).toEqual([]);
    const due = page.getByRole('combobox', { name: 'Due' });
    expect(await due.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filters', exact: true }).tap();
    await due.selectOption('overdue');
    await page.getByRole('button', { name: 'Filters (1)', exact: true }).waitFor();
    await settled(page);
    expect(await smallTargets(page)).toEqual([]);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Filters (1)', exact: true }).tap();
    expect(await due.isVisible()).toBe(false);
    const row = page.locator('.tasks tbody tr', { hasText: 'Choose a desk' });
    const box = (await row.locator('[data-column=choice] label').boundingBox())!;
    // At the edge of its target, beside the box itself.
    await page.touchscreen.tap(box.x + 3, box.y + 3);
    await page.getByText('One task chosen').waitFor();
    // The name of the application is no target of its own.
    await row.locator('[data-column=applicationTitle]').tap({ force: true });
    await heading(page, 'Choose a desk').waitFor();
    expect(problems).toEqual([]);
  });
});

/** What a finger would miss: controls whose target is less than 44 pixels wide or high. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('main :is(a, button, input, select), .top :is(a, input, summary)')]
    .filter((one) => !one.closest('thead'))
    .filter((one) => one.checkVisibility() && getComputedStyle(one).pointerEvents !== 'none')
    .map((one) => one.closest('label:has(input)') ?? (one.matches('.task-title') ? one.closest('tr') : one))
    .filter((one) => {
      const { width, height } = one.getBoundingClientRect();
      return Math.min(width, height) < 44;
    })
    .map((one) => one.outerHTML.slice(0, 120))`);
