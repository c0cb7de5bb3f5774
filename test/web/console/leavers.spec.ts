import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  heading,
  settled,
  takePicture,
} from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startTestConsole();
});
afterAll(() => site.close());

/** A user with open tasks. */
async function leaver(login: string, titles: string[]): Promise<string> {
  const made = await site.call('/api/v2/directory/users', {
    method: 'POST',
    body: { login, lastName: 'Leaver', firstName: login, status: 1 },
  });
  for (const title of titles) await task(title, login);
  return (made.body as { id: string }).id;
}

const task = (title: string, assignee: string | null) =>
  site.call('/api/v2/process/tasks', {
    method: 'POST',
    body: { title, application: 'EXPENSES', assignee, group: 'HIRING' },
  });

/** Whom the open tasks with a title wait for. */
const ownersOf = async (title: string) =>
  (
    (await site.read(
      `/api/v2/process/tasks?filters=title:starts:${title}&sorter=title`,
    )) as unknown as { assignee: { reference: string } | null }[]
  ).map(({ assignee }) => assignee?.reference ?? null);

describeInBrowser('Console and people who leave', (visits) => {
  it('ask before a user with open tasks becomes inactive, and hand these over', async () => {
    const id = await leaver('lea.first', ['First one', 'First two']);
    const { page, problems } = await site.open(visits, `/users/${id}`);
    await page.locator('[data-attribute=status] [role=combobox]').click();
    await page.getByRole('option', { name: 'Inactive', exact: true }).click();
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    const dialog = page.getByRole('dialog', {
      name: 'lea.first Leaver still has responsibilities',
    });
    await dialog.getByText('2 open tasks').waitFor();
    await expectAccessible(page);
    // The status stays as it is when the question is cancelled.
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await site.read(`/api/v2/directory/users/${id}`)).toMatchObject({ status: 1 });
    await save.click();
    await dialog.getByLabel('Person or group').fill('sophie');
    await page.getByRole('option', { name: /^Sophie Böhm/ }).click();
    await dialog.getByText('This moves 2 tasks, 0 candidatures and 0 substitutions.').waitFor();
    await takePicture(page, 'leaving');
    expect(await ownersOf('First')).toEqual(['lea.first', 'lea.first']);
    await dialog.getByRole('button', { name: 'Hand over' }).click();
    await dialog.getByText('Nothing waits for this person').waitFor();
    expect(await ownersOf('First')).toEqual(['sophie.bohm', 'sophie.bohm']);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await site.read(`/api/v2/directory/users/${id}`)).toMatchObject({ status: 0 });
    expect(problems).toEqual([]);
  });

  it('offer a handover before a deletion, and back to the group of each task', async () => {
    const id = await leaver('lea.second', ['Second']);
    const { page, problems } = await site.open(visits, `/users/${id}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 open task', { exact: true }).waitFor();
    await dialog.getByLabel('Back to the group and the candidates').check();
    await dialog.getByRole('button', { name: 'Hand over' }).click();
    await dialog.getByText('Nothing waits for this person').waitFor();
    expect(await ownersOf('Second')).toEqual([null]);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await heading(page, 'Users').waitFor();
    expect((await site.call(`/api/v2/directory/users/${id}`)).status).toBe(404);
    expect(problems).toEqual([]);
  });

  it('warn after a change of many users', async () => {
    await leaver('lea.third', ['Third']);
    const { page, problems } = await site.open(visits, '/users');
    await page.getByRole('searchbox', { name: 'Search' }).fill('lea.third');
    await page.getByText('lea.third', { exact: true }).waitFor();
    await page.locator('thead input[type=checkbox]').check();
    await page.getByRole('button', { name: 'Set “Status”' }).click();
    await page.getByRole('dialog').getByRole('combobox').click();
    await page.getByRole('option', { name: 'Archived', exact: true }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('lea.third Leaver still has: 1 open task').waitFor();
    expect(problems).toEqual([]);
  });

  it('count the tasks that nobody can decide, and list them', async () => {
    await leaver('lea.sixth', ['Sixth']);
    await site.server.database.query(
      `UPDATE tasks SET group_id = NULL WHERE title = 'Sixth';
       UPDATE users SET status = 0 WHERE login = 'lea.sixth'`,
    );
    const { page, problems } = await site.open(visits, '/');
    await page.getByText(/nobody (who )?can decide/).waitFor();
    await expectAccessible(page);
    await takePicture(page, 'nobody');
    await page.getByRole('link', { name: 'Show them' }).click();
    await page.getByText('Nobody can decide it').waitFor();
    await page.getByRole('link', { name: 'Sixth' }).waitFor();
    expect(await page.getByRole('link', { name: 'First one' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('erase a user once the login is typed', async () => {
    const id = await leaver('lea.fourth', []);
    const { page, problems } = await site.open(visits, `/users/${id}`);
    await page.getByRole('button', { name: 'Erase' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase lea.fourth Leaver for good?' });
    const confirm = dialog.getByRole('button', { name: 'Erase' });
    await dialog.getByLabel('Type lea.fourth to confirm').fill('lea.fort');
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type lea.fourth to confirm').fill('lea.fourth');
    await takePicture(page, 'erase');
    await confirm.click();
    await heading(page, `Former employee ${id}`).waitFor();
    expect(await site.read(`/api/v2/directory/users/${id}`)).toMatchObject({
      login: `former-${id}`,
      status: 3,
    });
    expect(problems).toEqual([]);
  });

  it('assign the selected tasks to a person, and all found ones to a group', async () => {
    await leaver('lea.fifth', ['Fifth a', 'Fifth b', 'Fifth c']);
    await site.call('/api/v2/process/tasks', {
      method: 'POST',
      body: { title: 'Fifth d', application: 'EXPENSES', status: 'done', assignee: 'lea.fifth' },
    });
    const { page, problems } = await site.open(visits, '/tasks');
    await page.getByRole('searchbox', { name: 'Search' }).fill('fifth');
    await settled(page);
    for (const title of ['Fifth a', 'Fifth d'])
      await page.getByRole('row', { name: title }).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Assign 2 tasks' }).waitFor();
    await dialog.getByLabel('Person or group').fill('sophie');
    await page.getByRole('option', { name: /^Sophie Böhm/ }).click();
    await expectAccessible(page);
    await takePicture(page, 'assign');
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await dialog.getByText('Assigned: 1. This task stays as it is:').waitFor();
    await dialog.getByText(/Fifth d/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await ownersOf('Fifth')).toEqual(['sophie.bohm', 'lea.fifth', 'lea.fifth', 'lea.fifth']);
    await page.getByRole('button', { name: 'Assign all found' }).click();
    await dialog.getByLabel('Person or group').fill('works');
    await page.getByRole('option', { name: /^Works council/ }).click();
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await page.getByText('3 tasks assigned').waitFor();
    await eventually(async () =>
      expect(await ownersOf('Fifth')).toEqual([null, null, null, 'lea.fifth']),
    );
    expect(problems).toEqual([]);
  });
});
