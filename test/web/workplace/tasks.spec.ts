import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  heading,
  PHONE,
} from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { idOf } from '../../support/id-of.js';
import { counterOf, startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace();
});
afterAll(() => site.close());

describeInBrowser('Workplace tasks', (visits) => {
  it('leave the list and the counter when they are done, and come back on undo', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller');
    const before = await counterOf(page);
    await page
      .getByRole('link', { name: /Expense claims/ })
      .first()
      .click();
    await heading(page, 'Expense claims').waitFor();
    const rows = page.locator('.tasks tbody tr');
    await rows.first().waitFor();
    const title = await rows.first().locator('.task-title').innerText();
    await page.getByRole('button', { name: `Mark “${title}” as done` }).click();
    await page.getByRole('status').getByText(`“${title}” is done.`).waitFor();
    await page.getByRole('link', { name: title, exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Back to the workplace' }).click();
    await eventually(async () => expect(await counterOf(page)).toBe(before - 1));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('status').getByText(`“${title}” is open again.`).waitFor();
    await eventually(async () => expect(await counterOf(page)).toBe(before));
    expect(problems).toEqual([]);
  });

  it('lead back to the list that they were opened from, or to that of their application', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller');
    await page
      .getByRole('link', { name: /Expense claims/ })
      .first()
      .click();
    await page.locator('.task-title').first().click();
    const back = page.getByRole('link', { name: 'Back to the list' });
    await back.waitFor();
    const address = page.url();
    await back.click();
    await heading(page, 'Expense claims').waitFor();
    await page.goto(address);
    await back.click();
    await heading(page, 'Expense claims').waitFor();
    await page.getByRole('link', { name: 'Back to the workplace' }).click();
    await page.locator('.tile').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('open by their links even where a reference is the id of another task', async () => {
    const other = await idOf(site.server, 'tasks', 'DEMO-2');
    await site.write('POST', '/api/v2/process/tasks', {
      title: 'Order a chair',
      reference: other,
      application: await idOf(site.server, 'applications', 'EXPENSES'),
      assignee: await idOf(site.server, 'users', 'bruno.keller'),
      dueDate: '2020-01-01T00:00:00.000Z',
    });
    const { page, problems } = await site.open(visits, 'bruno.keller');
    for (const list of ['', '/tasks']) {
      await page.goto(site.address(list));
      await page.getByRole('link', { name: 'Order a chair', exact: true }).click();
      await page.waitForURL(/\/tasks\/\d+$/);
      await heading(page, 'Order a chair').waitFor();
    }
    expect(problems).toEqual([]);
  });

  it('say in the heading and the title of the tab that an application is hidden or unknown', async () => {
    const hidden = await idOf(site.server, 'applications', 'FLEET');
    for (const id of [hidden, '999999']) {
      const { page } = await site.open(visits, 'bruno.keller', `/applications/${id}`);
      await heading(page, 'Page not found').waitFor();
      await eventually(async () =>
        expect(await page.title()).toMatch(/^\(\d+\) Page not found · Workplace$/),
      );
    }
  });

  it('do not say that an application is unknown when the server cannot be reached', async () => {
    const { page } = await site.open(visits, 'bruno.keller');
    await page.route('**/api/v2/navigation/applications/999999', (route) => route.abort());
    await page.goto(site.address('/applications/999999'));
    await heading(page, 'Application').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
  });

  it('can be undone one by one', async () => {
    const travel = await idOf(site.server, 'applications', 'TRAVEL');
    const { page, problems } = await site.open(visits, 'bruno.keller', `/applications/${travel}`);
    const done = page.getByRole('button', { name: /as done$/ });
    const messages = page.locator('.toast');
    const titles: string[] = [];
    for (const count of [1, 2]) {
      titles.push((await page.locator('.task-title').first().innerText()).trim());
      await done.first().click();
      await messages.filter({ hasText: `“${titles.at(-1)}” is done.` }).waitFor();
      expect(await messages.count()).toBe(count);
      await page
        .getByRole('link', { name: titles.at(-1)!, exact: true })
        .waitFor({ state: 'detached' });
    }
    await messages.filter({ hasText: titles[0] }).getByRole('button', { name: 'Undo' }).click();
    await page.getByText(`“${titles[0]}” is open again.`).waitFor();
    await messages
      .filter({ hasText: `“${titles[1]}” is done.` })
      .getByRole('button')
      .click();
    await page.getByText(`“${titles[1]}” is open again.`).waitFor();
    await page.setViewportSize(PHONE);
    await expectToFit(page);
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

  it('can be undone for as long as the pointer is on the message', async () => {
    const travel = await idOf(site.server, 'applications', 'TRAVEL');
    const { page, problems } = await site.open(visits, 'bruno.keller', `/applications/${travel}`);
    await page.clock.install();
    await page
      .getByRole('button', { name: /as done$/ })
      .first()
      .click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.hover();
    await page.clock.fastForward(60_000);
    expect(await undo.count()).toBe(1);
    await page.mouse.move(5, 5);
    await page.clock.fastForward(29_000);
    expect(await undo.count()).toBe(1);
    await page.clock.fastForward(2_000);
    await undo.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('are sorted, filtered and paged by the server', async () => {
    const expenses = await idOf(site.server, 'applications', 'EXPENSES');
    const alice = await idOf(site.server, 'users', 'alice.martin');
    const many = Array.from({ length: 30 }, (_, at) => ({
      title: `Paging ${String(at).padStart(2, '0')} <b>`,
      application: expenses,
      assignee: alice,
      dueDate: `2027-01-${String(at + 1).padStart(2, '0')}T09:00:00.000Z`,
    }));
    for (const body of many) await site.write('POST', '/api/v2/process/tasks', body);
    const { page, problems } = await site.open(visits, 'alice.martin', `/applications/${expenses}`);
    const titles = page.locator('.tasks .task-title');
    await page.getByRole('searchbox', { name: 'Filter tasks' }).fill('paging');
    await page.locator('.tasks tbody tr', { hasText: 'Paging' }).nth(24).waitFor();
    await page.getByRole('button', { name: 'Task', exact: true }).click();
    await titles.first().getByText('Paging 00 <b>', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Task', exact: true }).click();
    await titles.first().getByText('Paging 29 <b>').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Task' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    await page.getByRole('button', { name: 'Next page' }).click();
    await titles.first().getByText('Paging 04 <b>').waitFor();
    await page.getByText('26–30 of 30').waitFor();
    expect(await titles.count()).toBe(5);
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Due' }).selectOption('overdue');
    await page.getByText('No task matches these filters.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.locator('.tasks tbody tr').nth(24).waitFor();
    expect(problems).toEqual([]);
  });
});
