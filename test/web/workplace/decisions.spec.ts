import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  heading,
  isFocused,
  PHONE,
  settled,
  takePicture,
  type Visits,
} from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { type Login, startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

/** What people decide on the page of a task, and what they learn there of others. */

const TASKS = '/api/v2/process/tasks';
const OUTCOMES = [
  { name: 'approve' },
  { name: 'reject', commentRequired: true },
  { name: 'escalate', label: 'Ask the board', confirm: true },
];
const VARIABLES = [
  { name: 'amount', label: 'Amount in €', value: 1234.5 },
  { name: 'urgent', label: 'Urgent', value: true },
  { name: 'delivery', label: 'Delivery', value: '2027-03-01' },
  { name: 'reason', label: 'Reason', value: 'The old ones\nare broken <b>.' },
  { name: 'places', label: 'Places', value: ['Rennes', 'Kiel'] },
  {
    name: 'lines',
    label: 'Order lines',
    value: [
      { article: 'Chair', pieces: 4 },
      { article: 'Desk', pieces: 2 },
    ],
  },
  { name: 'raw', label: 'Raw', value: { deep: { er: 1 } } },
];

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace();
  const { server } = site;
  await server.database.query(
    `INSERT INTO group_members (group_id, user_id) SELECT g.id, u.id FROM groups g, users u
     WHERE g.reference = 'EXPENSE-APPROVERS' AND u.login IN ('bruno.keller', 'chloe.lefevre') ON CONFLICT DO NOTHING`,
  );
});
afterAll(() => site.close());

const newTask = (more: object = {}) =>
  site.write('POST', TASKS, {
    title: 'Order chairs',
    application: 'EXPENSES',
    group: 'EXPENSE-APPROVERS',
    outcomes: OUTCOMES,
    variables: VARIABLES,
    ...more,
  }) as Promise<{ id: string; uri: string }>;

const task = (id: string) => site.read(`${TASKS}/${id}`);

async function openTask(
  visits: Visits,
  id: string,
  options: object = {},
  login: Login = 'bruno.keller',
) {
  const visit = await site.open(visits, login, `/tasks/${id}`, options);
  await visit.page.locator('.facts').first().waitFor();
  return visit;
}

const alertOf = (page: Page, text: string | RegExp) => page.getByRole('alert').getByText(text);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Changes a task as alice.martin. */
const change = (id: string, values: object) =>
  site.write(
    'PATCH',
    `${TASKS}/${id}`,
    Object.entries(values).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
  );

describeInBrowser('The page of a task', (visits) => {
  it('shows its variables by their labels, each by its kind', async () => {
    const { id } = await newTask();
    const { page, problems } = await openTask(visits, id);
    const facts = page.getByRole('region', { name: 'Details' });
    const valueOf = (label: string) =>
      facts.locator('dl > div', { has: page.getByText(label, { exact: true }) }).locator('dd');
    expect(await valueOf('Amount in €').innerText()).toBe('1,234.5');
    expect(await valueOf('Urgent').innerText()).toBe('Yes');
    expect(await valueOf('Delivery').innerText()).toBe('1 Mar 2027');
    expect(await valueOf('Reason').innerText()).toBe('The old ones\nare broken <b>.');
    expect(await valueOf('Places').innerText()).toBe('Rennes, Kiel');
    expect(await valueOf('Order lines').locator('td').allInnerTexts()).toEqual([
      'Chair',
      '4',
      'Desk',
      '2',
    ]);
    expect(JSON.parse(await valueOf('Raw').innerText())).toEqual({ deep: { er: 1 } });
    await settled(page);
    await expectAccessible(page);
    await takePicture(page, 'task');
    expect(problems).toEqual([]);
  });

  it('decides by an outcome, asks for a required comment, names the person who closed the task, and withdraws the decision', async () => {
    const { id } = await newTask();
    const { page, problems } = await openTask(visits, id);
    await button(page, 'Reject').click();
    await alertOf(page, 'Required for: Reject').waitFor();
    const comment = page.getByLabel('Comment', { exact: true });
    expect(await comment.evaluate(isFocused)).toBe(true);
    expect((await task(id)).status).toBe('open');
    await expectAccessible(page);
    await comment.fill('Too expensive');
    await button(page, 'Reject').click();
    const closure = page.getByRole('region', { name: 'How it was closed' });
    await closure.getByText('Too expensive').waitFor();
    expect(await closure.locator('strong').innerText()).toBe('Reject');
    await closure.getByRole('link', { name: 'Bruno Keller' }).waitFor();
    const history = page.getByRole('region', { name: 'History' }).locator('li');
    await history.first().getByText('Done: Reject').waitFor();
    expect(await button(page, 'Approve').count()).toBe(0);
    expect(await task(id)).toMatchObject({
      status: 'done',
      outcome: 'reject',
      comment: 'Too expensive',
    });
    await settled(page);
    await expectAccessible(page);
    await takePicture(page, 'task-closed');
    await button(page, 'Undo').click();
    await button(page, 'Approve').click();
    await closure.getByText('Approve', { exact: true }).waitFor();
    expect(await task(id)).toMatchObject({ outcome: 'approve', comment: null });
    expect(problems).toEqual([]);
  });

  it('says live that the decision waits for the engine, is refused with a reason, and is confirmed', async () => {
    const endpoint = (await site.write('POST', '/api/v2/process/endpoints', {
      ...{ label: 'Engine', mode: 'pull', confirms: true, kinds: ['task.decided'] },
    })) as { id: string };
    const path = `/api/v2/process/endpoints/${endpoint.id}`;
    const work = async (call: string, more: object = {}) => {
      const { deliveries } = (await site.write('POST', `${path}/fetch`, {
        ...{ worker: 'w', wait: 20 },
      })) as { deliveries: { id: string }[] };
      const ids = deliveries.map(({ id }) => id);
      await site.write('POST', `${path}/${call}`, { worker: 'w', deliveries: ids, ...more });
    };
    const { id } = await newTask({ title: 'Order lamps', dueDate: '2020-01-01T00:00:00.000Z' });
    const { page, problems } = await openTask(visits, id);
    await button(page, 'Approve').click();
    const state = page.getByRole('status');
    await state.getByText('Waits for the engine').waitFor();
    await expectAccessible(page);
    await work('refuse', { reason: 'The budget is spent' });
    await alertOf(page, 'The engine refused the decision. Please decide again.').waitFor();
    await alertOf(page, 'The budget is spent').waitFor();
    await expectAccessible(page);
    await takePicture(page, 'task-refused');
    const list = await site.open(visits, 'bruno.keller', '/tasks');
    await list.page
      .getByRole('row', { name: /Order lamps/ })
      .getByText('Refused by the engine')
      .waitFor();
    await button(page, 'Approve').click();
    await state.getByText('Waits for the engine').waitFor();
    const toast = state.getByText('“Order lamps”: Approve.');
    // It stays as long as the pointer is on it.
    await toast.hover();
    expect(await button(page, 'Undo').count()).toBe(1);
    await work('complete');
    await state.getByText('Confirmed by the engine').waitFor();
    await button(page, 'Undo').waitFor({ state: 'detached' });
    expect(await toast.count()).toBe(1);
    const history = page.getByRole('region', { name: 'History' }).locator('li');
    await history.first().getByText('Confirmed by the engine').waitFor();
    expect(await history.nth(2).innerText()).toMatch(/^Refused by the engine/);
    expect(await alertOf(page, 'The budget is spent').count()).toBe(0);
    // A page that is left asks no more.
    const left = await openTask(visits, (await newTask({ title: 'Order rugs' })).id);
    await button(left.page, 'Approve').click();
    await left.page.getByRole('status').getByText('Waits for the engine').waitFor();
    await left.page.getByRole('link', { name: 'Back to the list' }).click();
    await heading(left.page, /Expense claims/).waitFor();
    await left.page.getByText('“Order rugs”: Approve.').hover();
    await work('complete');
    await button(left.page, 'Undo').click();
    await left.page.getByText('The engine has already gone on: the decision stands.').waitFor();
    await site.write('DELETE', path);
    expect(problems).toEqual([]);
  });

  it('asks again where the engine wants a confirmation', async () => {
    const { id } = await newTask();
    const { page, problems } = await openTask(visits, id);
    await button(page, 'Ask the board').click();
    const dialog = page.getByRole('dialog', { name: 'Ask the board: are you sure?' });
    await dialog.waitFor();
    await expectAccessible(page);
    await button(page, 'Cancel').click();
    expect((await task(id)).status).toBe('open');
    await page.getByLabel('Comment', { exact: true }).fill('Too much');
    await button(page, 'Ask the board').click();
    await dialog.getByText('Too much').waitFor();
    // A person must not confirm a state that they have not read.
    await change(id, { variables: [{ name: 'amount', value: 9000 }] });
    await alertOf(page, 'This task has changed while you were reading.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('9,000').waitFor();
    expect((await task(id)).status).toBe('open');
    await button(page, 'Ask the board').click();
    await dialog.getByRole('button', { name: 'Ask the board' }).click();
    await page.getByText('“Order chairs”: Ask the board.').waitFor();
    expect(await task(id)).toMatchObject({ outcome: 'escalate', comment: 'Too much' });
    expect(problems).toEqual([]);
  });

  it('says at once that the task was cancelled, and keeps people from deciding it', async () => {
    const { id } = await newTask();
    const { page, problems } = await openTask(visits, id);
    await page.getByLabel('Comment', { exact: true }).fill('Well then');
    await settled(page);
    await change(id, { status: 'cancelled', comment: 'The order was withdrawn' });
    await alertOf(page, 'This task has just been cancelled: The order was withdrawn').waitFor();
    expect(await button(page, 'Approve').count()).toBe(0);
    await expectAccessible(page);
    await takePicture(page, 'task-cancelled');
    expect(problems).toEqual([]);
  });

  it('shows the reason to a person who decides a task that was closed or changed in the meantime', async () => {
    const [closed, changed] = [await newTask(), await newTask()];
    const { page } = await openTask(visits, closed.id);
    await settled(page);
    let isDeaf = true;
    // Without the news that the page would get on its own.
    await page.route(`**${closed.uri}`, (route) =>
      route.request().method() === 'GET' && isDeaf ? route.abort() : route.continue(),
    );
    await change(closed.id, { status: 'done', outcome: 'approve' });
    const answered = page.waitForResponse((one) => one.request().method() === 'PATCH');
    await page.getByLabel('Comment', { exact: true }).fill('No');
    await button(page, 'Reject').click();
    isDeaf = false;
    expect((await answered).status()).toBe(412);
    await alertOf(page, 'Alice Martin has just closed this task.').waitFor();
    const other = await openTask(visits, changed.id);
    await settled(other.page);
    await change(changed.id, { variables: [{ name: 'amount', value: 9000 }] });
    await alertOf(other.page, 'This task has changed while you were reading.').waitFor();
    await other.page.getByText('9,000').waitFor();
  });

  it('claims and releases a task of a group, and names the colleague who was faster', async () => {
    const { id, uri } = await newTask();
    const [bruno, chloe] = [
      await openTask(visits, id),
      await openTask(visits, id, { locale: 'fr-FR' }, 'chloe.lefevre'),
    ];
    await button(bruno.page, 'Take').click();
    await bruno.page.getByText('You have taken “Order chairs”.').waitFor();
    // Her page does not know yet.
    const { token } = { token: await site.server.signIn('chloe.lefevre') };
    const late = await site.server.call(`/api/v2${uri}/claim`, { method: 'POST', token });
    expect([late.status, late.body.message]).toEqual([409, 'Bruno Keller has taken the task']);
    await alertOf(chloe.page, 'Bruno Keller a maintenant cette tâche.').waitFor();
    expect(await button(chloe.page, 'Prendre').count()).toBe(0);
    await button(bruno.page, 'Give back').click();
    await button(bruno.page, 'Take').waitFor();
    await eventually(async () => expect(await button(chloe.page, 'Prendre').count()).toBe(1));
    expect(bruno.problems).toEqual([]);
  });

  it('leads to the list once a task is given back that the person sees no more', async () => {
    const { id } = await newTask({
      assignee: 'bruno.keller',
      group: null,
      candidates: ['chloe.lefevre'],
    });
    const { page, problems } = await openTask(visits, id);
    await button(page, 'Give back').click();
    await page.getByText('You have given back “Order chairs”.').waitFor();
    await page.waitForURL(/\/workplace\/(tasks|applications\/\d+)$/);
    // The live counters may have made the page ask for the task in between, which is a 404.
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  it.each([
    ['fr-FR', 'chloe.lefevre', 'Refuser', 'Commentaire', 'Obligatoire pour : Refuser'],
    ['de-DE', 'bruno.keller', 'Ablehnen', 'Kommentar', 'Nötig für: Ablehnen'],
  ] as const)(
    'speaks the language of the person (%s), also on a phone',
    async (locale, login, reject, comment, required) => {
      const { id } = await newTask();
      const language = locale.slice(0, 2);
      await site.server.database.query(`UPDATE users SET locale = $1 WHERE login = $2`, [
        language,
        login,
      ]);
      const { page, problems } = await openTask(visits, id, { ...PHONE, locale }, login);
      await page.getByLabel(comment, { exact: true }).waitFor();
      await button(page, reject).click();
      await alertOf(page, required).waitFor();
      await settled(page);
      await expectToFit(page);
      await expectAccessible(page);
      await takePicture(page, `task-phone-${language}`);
      await site.server.database.query(
        `UPDATE users SET locale = 'en' WHERE login = 'bruno.keller'`,
      );
      expect(problems).toEqual([]);
    },
  );

  it('is where lists lead for a task with outcomes', async () => {
    await newTask({ title: 'Decide on a lamp', dueDate: '2020-01-01T00:00:00.000Z' });
    const { page, problems } = await site.open(visits, 'bruno.keller', '/tasks');
    await page.getByRole('link', { name: 'Decide “Decide on a lamp”' }).click();
    await heading(page, 'Decide on a lamp').waitFor();
    await button(page, 'Approve').waitFor();
    expect(problems).toEqual([]);
  });
});
