import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { OpenStreams } from '../../../src/navigation/live/open-streams.js';
import { describeInBrowser, settled, signInAt } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { EVENTS } from '../../support/event-stream.js';
import { idOf } from '../../support/id-of.js';
import {
  counterOf,
  type Login,
  startTestWorkplace,
  type TestWorkplace,
} from '../../support/workplace.js';

/** The counters of the page follow the stream of the server. */

/** Sooner than the page would ask by itself. */
const SOON = 20_000;

let site: TestWorkplace;
let expenses: string;
beforeAll(async () => {
  site = await startTestWorkplace();
  expenses = await idOf(site.server, 'applications', 'EXPENSES');
});
afterAll(() => site.close());

const addTask = async (login: Login, dueDate?: string): Promise<unknown> =>
  site.server.database.query(
    `INSERT INTO tasks (title, application_id, assignee_id, due_date) VALUES ('Live', $1, $2, $3)`,
    [expenses, await idOf(site.server, 'users', login), dueDate],
  );
/** The number in the title of a tab. */
const titleCount = async (page: Page): Promise<number> =>
  Number(/^\((\d+)\) /.exec(await page.title())?.[1] ?? 0);
const expectTitle = (page: Page, count: number): Promise<void> =>
  eventually(async () => expect(await titleCount(page)).toBe(count), SOON);
const waitingOf = async (login: Login): Promise<number> =>
  (await site.read('/api/v2/process/tasks/waiting/counts', login)).count as number;
const streams = () => site.server.app.get(OpenStreams);
const peopleOf = () => [...streams().people.keys()];
/** Waits until exactly these people have one stream each. */
const expectStreams = (...logins: Login[]): Promise<void> =>
  eventually(async () => {
    const ids = await Promise.all(logins.map((login) => idOf(site.server, 'users', login)));
    expect(peopleOf().sort()).toEqual(ids.sort());
    expect(streams().count).toBe(logins.length);
  });
async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(site.address());
  await page.locator('main h1').waitFor();
  return page;
}

describeInBrowser('Live counters', (visits) => {
  it('change on the tile, in the navigation and in the title, without a reload', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller');
    await expectStreams('bruno.keller');
    const [tile, waiting] = [await counterOf(page), await waitingOf('bruno.keller')];
    await expectTitle(page, waiting);
    await addTask('bruno.keller');
    await expectTitle(page, waiting + 1);
    expect(await counterOf(page)).toBe(tile + 1);
    const navigation = page.locator('.navigation-link .count .unseen');
    expect(await navigation.first().textContent()).toBe(` ${waiting + 1} waiting`);
    await page
      .getByText(`Tasks: ${waiting + 1} waiting`, { exact: true })
      .waitFor({ state: 'attached' });
    expect(problems).toEqual([]);
  });

  it('use the language of the person, and animate only without reduced motion', async () => {
    const { page } = await site.open(visits, 'chloe.lefevre', '', { locale: 'fr-FR' });
    await expectStreams('chloe.lefevre');
    const waiting = await waitingOf('chloe.lefevre');
    await expectTitle(page, waiting);
    await addTask('chloe.lefevre');
    const changed = page.locator('.navigation-link .count.changed');
    await changed.waitFor();
    expect(await changed.locator('.unseen').textContent()).toBe(` ${waiting + 1} en attente`);
    const animation = () =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector('.navigation-link .count.changed')).animationName`,
      );
    expect(await animation()).toBe('none');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await animation()).toBe('count-changed');
  });

  it('come to all tabs of a browser by one stream, which passes to another tab', async () => {
    const { page } = await site.open(visits, 'bruno.keller');
    await expectStreams('bruno.keller');
    const second = await openTab(page.context());
    const waiting = await waitingOf('bruno.keller');
    await Promise.all([page, second].map((tab) => expectTitle(tab, waiting)));
    await addTask('bruno.keller');
    await Promise.all([page, second].map((tab) => expectTitle(tab, waiting + 1)));
    await expectStreams('bruno.keller');
    await page.close();
    await expectStreams('bruno.keller');
    await addTask('bruno.keller');
    await expectTitle(second, waiting + 2);
  });

  it('are never those of another person in the same browser', async () => {
    const { page } = await site.open(visits, 'bruno.keller');
    await expectStreams('bruno.keller');
    const other = await openTab(page.context());
    const token = await site.server.signIn('chloe.lefevre');
    await other.evaluate(`sessionStorage.setItem('token', ${JSON.stringify(token)})`);
    await other.reload();
    await expectStreams('bruno.keller', 'chloe.lefevre');
    const [bruno, chloe] = [await waitingOf('bruno.keller'), await waitingOf('chloe.lefevre')];
    const seen: number[] = [];
    await expectTitle(other, chloe);
    await addTask('bruno.keller');
    await expectTitle(page, bruno + 1);
    await eventually(async () => {
      seen.push(await titleCount(other));
      expect(seen.length).toBeGreaterThan(20);
    });
    expect(new Set(seen)).toEqual(new Set([chloe]));
  });

  it('end with the session, and begin again with that of the next person', async () => {
    const { page } = await visits.open(site.address());
    await signInAt(page, 'bruno.keller');
    await settled(page);
    const second = await openTab(page.context());
    await expectStreams('bruno.keller');
    await page.locator('header details summary').last().click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.locator('input[name=password]').waitFor();
    await expectStreams();
    await signInAt(page, 'chloe.lefevre');
    await expectStreams('chloe.lefevre');
    await addTask('bruno.keller');
    const waiting = await waitingOf('chloe.lefevre');
    await Promise.all([page, second].map((tab) => expectTitle(tab, waiting)));
    await addTask('chloe.lefevre');
    await Promise.all([page, second].map((tab) => expectTitle(tab, waiting + 1)));
  });

  it('come back after a while when the server ends the stream', async () => {
    const { page } = await site.open(visits, 'bruno.keller');
    await expectStreams('bruno.keller');
    const waiting = await waitingOf('bruno.keller');
    await expectTitle(page, waiting);
    const again = page.waitForRequest((request) => request.url().endsWith(EVENTS));
    const ended = performance.now();
    for (const stream of [...streams().all()]) streams().end(stream, 'stopping');
    await addTask('bruno.keller');
    await again;
    expect(performance.now() - ended).toBeGreaterThan(400);
    await expectTitle(page, waiting + 1);
  });

  it('make the page load only the next tasks when they change', async () => {
    const { page } = await site.open(visits, 'bruno.keller');
    await expectStreams('bruno.keller');
    await settled(page);
    const { count: waiting, overdue } = (await site.read(
      '/api/v2/process/tasks/waiting/counts',
      'bruno.keller',
    )) as { count: number; overdue: number };
    await expectTitle(page, waiting);
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await addTask('bruno.keller', '2020-01-01');
    await expectTitle(page, waiting + 1);
    await page.getByText(new RegExp(`(One is|${overdue + 1} are) overdue`)).waitFor();
    // A busy machine shows the new count in two messages, and asks twice.
    await eventually(() => expect(calls.length).toBeGreaterThanOrEqual(1), SOON);
    await settled(page);
    expect(new Set(calls)).toEqual(new Set(['/api/v2/process/tasks/waiting']));
  });

  it('make the page load changes from before its stream begins', async () => {
    const { page } = await visits.open('about:blank');
    let begin = (): void => undefined;
    const mayBegin = new Promise<void>((resolve) => (begin = resolve));
    await page.context().route(`**${EVENTS}`, async (route) => {
      await mayBegin;
      await route.continue();
    });
    await page.goto(site.address());
    await signInAt(page, 'bruno.keller');
    const waiting = await waitingOf('bruno.keller');
    await expectTitle(page, waiting);
    await page.getByRole('region', { name: 'My tasks' }).locator('.task-title').first().waitFor();
    await addTask('bruno.keller');
    const tasks = page.waitForRequest((request) => request.url().includes('/tasks/waiting?'));
    begin();
    await Promise.all([tasks, expectTitle(page, waiting + 1)]);
  });

  it('load nothing while the tab is hidden', async () => {
    const { page } = await site.open(visits, 'bruno.keller');
    await expectStreams('bruno.keller');
    await settled(page);
    const waiting = await waitingOf('bruno.keller');
    await expectTitle(page, waiting);
    await page.evaluate(`Object.defineProperty(document, 'visibilityState',
      { value: 'hidden', configurable: true })`);
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await addTask('bruno.keller');
    await expectTitle(page, waiting + 1);
    await page.waitForTimeout(2_500);
    expect(calls).toEqual([]);
    await page.evaluate(`delete document.visibilityState;
      document.dispatchEvent(new Event('visibilitychange'))`);
    await eventually(() => expect(calls).toContain('/api/v2/process/tasks/waiting'), SOON);
  });

  it('keep the tasks on the page, which says that the server is unreachable', async () => {
    const { page } = await site.open(visits, 'bruno.keller');
    await expectStreams('bruno.keller');
    const titles = page.getByRole('region', { name: 'My tasks' }).locator('.task-title');
    await titles.first().waitFor();
    const shown = await titles.allInnerTexts();
    await page.context().route('**/{api,navigation}/**', (route) => route.abort());
    for (const stream of [...streams().all()]) streams().end(stream, 'stopping');
    // The first stream is tried after 1.4 to 5.1 seconds.
    await page.locator('.form-problem').waitFor({ timeout: SOON });
    expect(await titles.allInnerTexts()).toEqual(shown);
    expect(await page.getByRole('alert').count()).toBe(1);
    await page.context().unroute('**/{api,navigation}/**');
    await page.locator('.form-problem').waitFor({ state: 'detached' });
    expect(await titles.allInnerTexts()).toEqual(shown);
  });

  it('leave the next tasks where newer ones do not come', async () => {
    const { page } = await site.open(visits, 'bruno.keller');
    await expectStreams('bruno.keller');
    const card = page.getByRole('region', { name: 'My tasks' });
    const titles = card.locator('.task-title');
    await titles.first().waitFor();
    const shown = await titles.allInnerTexts();
    await page.context().route('**/tasks/waiting?*', (route) => route.abort());
    await addTask('bruno.keller');
    await card.getByRole('alert').waitFor({ timeout: SOON });
    expect(await titles.allInnerTexts()).toEqual(shown);
  });

  it('are asked for where no stream comes through', async () => {
    const { page } = await visits.open('about:blank');
    await page.context().route(`**${EVENTS}`, (route) => route.abort());
    await page.goto(site.address());
    await signInAt(page, 'bruno.keller');
    const waiting = await waitingOf('bruno.keller');
    await expectTitle(page, waiting);
    await addTask('bruno.keller');
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await expectTitle(page, waiting + 1);
  });
});
