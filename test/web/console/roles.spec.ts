import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  describeInBrowser,
  expectAccessible,
  heading,
  settled,
  takePicture,
} from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { idOf } from '../../support/id-of.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startTestConsole();
});
afterAll(() => site.close());

const HOLDER = 'bruno.keller';

/** Gives one person one role and no other. */
async function giveRole(role: string, scope: Record<string, string> = {}): Promise<void> {
  await site.server.database.query(
    'DELETE FROM role_assignments a USING users u WHERE u.id = a.user_id AND u.login = $1',
    [HOLDER],
  );
  const { status } = await site.call('/api/v2/directory/role-assignments', {
    method: 'POST',
    body: { user: HOLDER, role, ...scope },
  });
  expect(status).toBe(201);
}

const menuOf = (page: Page): Promise<string[]> =>
  page.getByRole('navigation').first().getByRole('link').allInnerTexts();

const isLocked = (page: Page, attribute: string) =>
  page
    .locator(`[data-attribute=${attribute}]`)
    .evaluate((field) => field.closest('[inert]') !== null);

const CONTENT = ['Documents', 'News', 'Questions'];
const MENUS: [role: string, menu: string[]][] = [
  ['process-engine', ['Tasks']],
  ['people-administrator', ['Users', 'Organizations', 'Groups', 'Absences']],
  ['helpdesk', ['Users', 'Tasks', 'Absences']],
  ['editor', CONTENT],
  [
    'process-owner',
    ['Applications', 'Tasks', 'Endpoints', 'Sources of tasks', 'Views', 'Order of tiles'],
  ],
  [
    'auditor',
    [
      ...['Users', 'Service accounts', 'Providers', 'Organizations', 'Groups', 'Roles'],
      ...['Assignments of roles', 'Categories', 'Applications', 'Tasks', 'Endpoints', 'Absences'],
      ...['Sources of tasks', 'Views', 'See the workplace as…', ...CONTENT, 'Customers'],
      'Audit trail',
    ],
  ],
  [
    'administrator',
    [
      ...['Users', 'Service accounts', 'Providers', 'Organizations', 'Groups', 'Roles'],
      ...['Assignments of roles', 'Categories', 'Applications', 'Tasks', 'Endpoints', 'Absences'],
      ...['Sources of tasks', 'Views', 'Order of tiles', 'See the workplace as…', ...CONTENT],
      ...['Customers', 'Audit trail'],
    ],
  ],
];

describeInBrowser('Console roles', (visits) => {
  const open = (path: string) => site.open(visits, path, { login: HOLDER });

  it.each(MENUS)('offers %s what the role permits', async (role, menu) => {
    await giveRole(role);
    const { page, problems } = await open('/');
    await heading(page, /^Hello/).waitFor();
    expect(await menuOf(page)).toEqual(['Overview', ...menu]);
    await settled(page);
    expect(problems).toEqual([]);
  });

  it('let the helpdesk assign a task, and change nothing else of it', async () => {
    await giveRole('helpdesk');
    const created = await site.call('/api/v2/process/tasks', {
      method: 'POST',
      body: { title: 'Lost badge', application: 'EXPENSES', assignee: HOLDER },
    });
    const { id } = created.body as { id: string };
    const { page, problems } = await open(`/tasks/${id}`);
    await page.getByText('Your roles let you change a part of this record').waitFor();
    expect(await isLocked(page, 'title')).toBe(true);
    expect(await isLocked(page, 'assignee')).toBe(false);
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
    await page.locator('[data-attribute=assignee] input').fill('sophie');
    await page.getByRole('option', { name: /^Sophie Böhm/ }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await site.read(`/api/v2/process/tasks/${id}`)).toMatchObject({
      title: 'Lost badge',
      assignee: { reference: 'sophie.bohm' },
    });
    await page.goto(site.address('/tasks'));
    await page.getByText('Lost badge').first().waitFor();
    expect(await page.getByRole('link', { name: 'Create', exact: true }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('let an auditor read a user, and change nothing', async () => {
    await giveRole('auditor');
    const sophie = await idOf(site.server, 'users', 'sophie.bohm');
    const { page, problems } = await open(`/users/${sophie}`);
    await page.getByText('Your roles let you read this record').waitFor();
    await settled(page);
    for (const attribute of ['lastName', 'status', 'administrator'])
      expect([attribute, await isLocked(page, attribute)]).toEqual([attribute, true]);
    const buttons = page.locator('main').getByRole('button');
    const labels = await buttons.evaluateAll((all) =>
      all.filter((one) => !one.closest('[inert]')).map((one) => one.textContent),
    );
    expect(labels).toEqual(['See the console as …']);
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

  it('keep the administrators of people from making more of these', async () => {
    await giveRole('people-administrator');
    const { page, problems } = await open('/users/create');
    await page.getByRole('button', { name: 'Create', exact: true }).waitFor();
    expect(await isLocked(page, 'lastName')).toBe(false);
    expect(await isLocked(page, 'administrator')).toBe(true);
    expect(problems).toEqual([]);
  });

  it('say that a page is not for an editor', async () => {
    await giveRole('editor');
    const { page, problems } = await open('/users');
    await heading(page, 'No access to this page').waitFor();
    await expectAccessible(page);
    await takePicture(page, 'denied');
    await page.getByRole('link', { name: 'News' }).first().click();
    await page.getByRole('link', { name: 'Create', exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it('unlock of a confined role only what its scope reaches', async () => {
    await giveRole('editor', { application: 'EXPENSES' });
    const refused = await open('/news');
    await heading(refused.page, 'No access to the console').waitFor();
    await giveRole('process-owner', { application: 'EXPENSES' });
    const { page } = await open('/');
    await heading(page, /^Hello/).waitFor();
    expect(await menuOf(page)).toEqual([
      ...['Overview', 'Applications', 'Tasks', 'Endpoints', 'Sources of tasks', 'Views'],
      'Order of tiles',
    ]);
  });

  it('name what a person may do and the role that gives it, and show the console as that person', async () => {
    await giveRole('helpdesk', { organization: 'FINANCE' });
    const bruno = await idOf(site.server, 'users', HOLDER);
    const { page, problems } = await site.open(visits, `/users/${bruno}`);
    const rights = page.getByRole('region', { name: 'What this person may do, and why' });
    await rights.getByRole('row').nth(1).waitFor();
    await rights.scrollIntoViewIfNeeded();
    await takePicture(page, 'rights');
    const rows = await rights.getByRole('row').allInnerTexts();
    expect(rows.map((row) => row.split(/\s*\t\s*/))).toEqual([
      ['With', 'May', 'Because of'],
      [
        'Users',
        'read, invite, unlock, end sessions, reset second steps by two',
        'Helpdesk, in Finance and legal',
      ],
      ['Tasks', 'read', 'Helpdesk, in Finance and legal'],
      ['Tasks', 'change (Assignee, Group)', 'Helpdesk, in Finance and legal'],
      ['Absences', 'read', 'Helpdesk, in Finance and legal'],
    ]);
    await rights.getByRole('button', { name: 'See the console as …' }).click();
    await heading(page, /^Hello/).waitFor();
    const banner = page.getByRole('alert').filter({ hasText: 'as Bruno Keller' });
    await banner.waitFor();
    expect(await menuOf(page)).toEqual(['Overview', 'Users', 'Tasks', 'Absences']);
    await expectAccessible(page);
    await takePicture(page, 'see-as');
    // Own data and own token, so nothing may be written.
    await page.getByRole('link', { name: 'Tasks' }).first().click();
    await page.locator('tbody tr').first().getByRole('link').click();
    await page.locator('[data-attribute=assignee] input').fill('chloe');
    await page.getByRole('option', { name: /^Chloé/ }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Nothing can be changed while you see the console').waitFor();
    await page.getByRole('button', { name: 'Back to my own console' }).click();
    await eventually(async () => expect(await menuOf(page)).toContain('Audit trail'));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it('show the console as a role, and suggest permissions for a new one', async () => {
    const editor = await idOf(site.server, 'roles', 'editor');
    const { page, problems } = await site.open(visits, `/roles/${editor}`);
    await page.getByText('This role comes with the server').waitFor();
    await page.getByRole('button', { name: 'See the console as …' }).click();
    await page.getByRole('alert').filter({ hasText: 'as Editor' }).waitFor();
    expect(await menuOf(page)).toEqual(['Overview', ...CONTENT]);
    await page.getByRole('button', { name: 'Back to my own console' }).click();
    await page.getByRole('link', { name: 'Roles', exact: true }).first().click();
    await page.getByRole('link', { name: 'Create', exact: true }).click();
    await page.locator('[data-attribute=label] input').fill('Telephone list');
    const permissions = page.locator('[data-attribute=permissions] input');
    await permissions.fill('change (e-mail');
    await page.getByRole('option', { name: /^users:change:email/ }).waitFor();
    await takePicture(page, 'permissions');
    await page.getByRole('option', { name: /^users:change:email/ }).click();
    await permissions.fill('news:*');
    await permissions.press('Enter');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await eventually(async () =>
      expect(
        await site.read('/api/v2/directory/roles?filters=label:eq:Telephone%20list'),
      ).toMatchObject([{ permissions: ['users:change:email', 'news:*'] }]),
    );
    expect(problems).toEqual([]);
  });
});
