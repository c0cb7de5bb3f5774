import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  PHONE,
  settled,
  takePicture,
} from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { idOf } from '../../support/id-of.js';
import { startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

/** Several tasks at once, comments, and tasks that change hands. */

const TASKS = '/api/v2/process/tasks';
const OUTCOMES = [{ name: 'approve' }, { name: 'reject', commentRequired: true }];

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace();
});
afterAll(() => site.close());

const newTask = (title: string, more: object = {}) =>
  site.write('POST', TASKS, {
    title,
    application: 'EXPENSES',
    assignee: 'bruno.keller',
    dueDate: '2020-01-01T00:00:00.000Z',
    outcomes: OUTCOMES,
    ...more,
  }) as Promise<{ id: string }>;
const task = (id: string) => site.read(`${TASKS}/${id}`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const choose = (page: Page, title: string) =>
  page.getByRole('checkbox', { name: `Choose “${title}”` }).check();

describeInBrowser('Several tasks', (visits) => {
  it('offer the actions that all chosen tasks allow, and show a result each', async () => {
    const chairs = await newTask('Bulk chairs');
    const desks = await newTask('Bulk desks', { outcomes: [...OUTCOMES, { name: 'later' }] });
    await newTask('Bulk lamps', { outcomes: [{ name: 'later' }] });
    const { page, problems } = await site.open(visits, 'bruno.keller', '/tasks?text=bulk');
    await choose(page, 'Bulk lamps');
    await choose(page, 'Bulk desks');
    const bar = page.getByRole('region', { name: 'Chosen tasks' });
    const offered = () => bar.getByRole('button').allInnerTexts();
    expect(await offered()).toEqual(['later', 'Clear selection']);
    await choose(page, 'Bulk chairs');
    expect(await offered()).toEqual(['Clear selection']);
    await bar.getByText('There is nothing that all of them allow.').waitFor();
    await page.getByRole('checkbox', { name: 'Choose “Bulk lamps”' }).uncheck();
    await eventually(async () =>
      expect(await offered()).toEqual(['Approve', 'Reject', 'Clear selection']),
    );
    await settled(page);
    await expectAccessible(page);
    await takePicture(page, 'bulk');
    await site.write('PATCH', `${TASKS}/${desks.id}`, [
      { op: 'replace', path: '/status', value: 'cancelled' },
      { op: 'replace', path: '/comment', value: 'Withdrawn' },
    ]);
    await bar.getByRole('button', { name: 'Reject' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Comment').fill('Too expensive');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Reject' }).click();
    const results = page.getByRole('region', { name: 'Results' });
    await results.getByText('1 of 2 done').waitFor();
    expect(await results.locator('li').allInnerTexts()).toEqual([
      expect.stringMatching(/Bulk desks.*The task has been cancelled: Withdrawn/s),
      expect.stringMatching(/Bulk chairs.*done/s),
    ]);
    await expectAccessible(page);
    await takePicture(page, 'bulk-results');
    expect(await task(chairs.id)).toMatchObject({ outcome: 'reject', comment: 'Too expensive' });
    expect(problems).toEqual([]);
  });

  it('release tasks together that wait only for candidates', async () => {
    const candidates = ['bruno.keller', 'chloe.lefevre'];
    const back = await newTask('Pass on one', { candidates });
    await newTask('Pass on two', { candidates });
    await newTask('Pass on mine');
    // Only an engine's tasks may have candidates that the list does not show.
    await site.server.database.query(
      `WITH engine AS (INSERT INTO sources (label) VALUES ('Engine') RETURNING id)
       UPDATE tasks SET source_id = engine.id, external_id = tasks.title FROM engine WHERE tasks.title LIKE 'Pass on%'`,
    );
    const { page } = await site.open(visits, 'bruno.keller', '/tasks?text=pass');
    for (const title of ['one', 'two', 'mine']) await choose(page, `Pass on ${title}`);
    await page.getByRole('region', { name: 'Chosen tasks' }).getByText('Give back').click();
    const results = page.getByRole('region', { name: 'Results' });
    await results.getByText('2 of 3 done').waitFor();
    await results.getByText('Only a task of a group or of candidates can be given back').waitFor();
    expect(await task(back.id)).toMatchObject({ assignee: null });
  });

  it('are more than a call may have', async () => {
    await site.server.database.query(
      `INSERT INTO parameters (key, value) VALUES ('security.Throttle.writes', '1000')`,
    );
    await site.server.database.query(
      `INSERT INTO tasks (title, application_id, assignee_id)
       SELECT 'Heap ' || n, (SELECT id FROM applications WHERE reference = 'EXPENSES'),
         (SELECT id FROM users WHERE login = 'bruno.keller') FROM generate_series(1, 101) n`,
    );
    const { page } = await site.open(visits, 'bruno.keller', '/tasks?text=heap');
    const bar = page.getByRole('region', { name: 'Chosen tasks' });
    for (let chosen = 0; chosen < 101;) {
      await page
        .getByText(`${chosen + 1}–`)
        .first()
        .waitFor();
      const boxes = page.getByRole('checkbox', { name: /^Choose “Heap/ });
      const onPage = Math.min(25, 101 - chosen);
      // The page names its range before its rows have come.
      const free = page.getByRole('checkbox', { name: /^Choose “Heap/, checked: false });
      await eventually(async () => expect(await free.count()).toBe(onPage));
      for (const box of await boxes.all()) await box.check();
      chosen += onPage;
      await bar.getByText(chosen === 1 ? 'One task' : `${chosen} tasks chosen`).waitFor();
      if (chosen < 101) await button(page, 'Next page').click();
    }
    let calls = 0;
    await page.route('**/tasks/bulk', (route) =>
      ++calls === 2 ? route.abort() : route.continue(),
    );
    await bar.getByRole('button').first().click();
    const results = page.getByRole('region', { name: 'Results' });
    await results.getByText('100 of 101 done').waitFor();
    await results.getByText('One task was not reached and stays chosen.').waitFor();
    await results.getByRole('button', { name: 'Close' }).click();
    await bar.getByText('One task chosen').waitFor();
    await bar.getByRole('button').first().click();
    await results.getByText('1 of 1 done').waitFor();
  });

  it('keep their comment when a call fails, for the next attempt', async () => {
    const { id } = await newTask('Attempt chairs');
    await newTask('Attempt desks');
    const { page } = await site.open(visits, 'bruno.keller', '/tasks?text=attempt');
    for (const title of ['Attempt chairs', 'Attempt desks']) await choose(page, title);
    const bar = page.getByRole('region', { name: 'Chosen tasks' });
    await bar.getByRole('button', { name: 'Reject' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Comment').fill('Too expensive');
    await page.route('**/tasks/bulk', (route) => route.abort(), { times: 1 });
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await dialog.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    expect(await dialog.getByLabel('Comment').inputValue()).toBe('Too expensive');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('region', { name: 'Results' }).getByText('2 of 2 done').waitFor();
    expect(await task(id)).toMatchObject({ outcome: 'reject', comment: 'Too expensive' });
  });

  it('are offered outcomes in the language of the account, as are their pages', async () => {
    const { database } = site.server;
    const outcomes = [
      { name: 'approve', translations: { de: { label: 'Freigeben' } } },
      { name: 'reject', label: 'Send back', translations: { fr: { label: 'Renvoyer' } } },
    ];
    const { id } = await newTask('Words one', { outcomes });
    await newTask('Words two', { outcomes: [...outcomes.slice(0, 1), { name: 'reject' }] });
    await database.query(`UPDATE users SET locale = 'de' WHERE login = 'bruno.keller'`);
    const { page, problems } = await site.open(visits, 'bruno.keller', '/tasks?text=words', {
      locale: 'de-DE',
    });
    await page.getByRole('checkbox', { name: '„Words one“ wählen' }).check();
    const offered = () => page.locator('section.bulk').getByRole('button').allInnerTexts();
    // The translation of the engine wins over the word of the page, and its label too.
    await eventually(async () =>
      expect((await offered()).slice(0, 2)).toEqual(['Freigeben', 'Send back']),
    );
    await page.getByRole('checkbox', { name: '„Words two“ wählen' }).check();
    await eventually(async () => expect((await offered()).slice(0, 1)).toEqual(['Freigeben']));
    expect(await offered()).not.toContain('Send back');
    await page.goto(site.address(`/tasks/${id}`));
    await button(page, 'Send back').waitFor();
    await button(page, 'Freigeben').click();
    await page.locator('section.closure').getByText('Freigeben').waitFor();
    await page.locator('ol.history').getByText('Freigeben').waitFor();
    await database.query(`UPDATE users SET locale = 'en' WHERE login = 'bruno.keller'`);
    expect(problems).toEqual([]);
  });

  it('fit on a phone, in German', async () => {
    const { database } = site.server;
    await newTask('Phone one');
    await database.query(`UPDATE users SET locale = 'de' WHERE login = 'bruno.keller'`);
    const options = { ...PHONE, locale: 'de-DE' };
    const { page, problems } = await site.open(
      visits,
      'bruno.keller',
      '/tasks?text=phone',
      options,
    );
    await page.getByRole('checkbox', { name: '„Phone one“ wählen' }).check();
    await page.getByText('Eine Aufgabe gewählt').waitFor();
    await button(page, 'Genehmigen').waitFor();
    await settled(page);
    await expectToFit(page);
    await expectAccessible(page);
    await takePicture(page, 'bulk-phone');
    await database.query(`UPDATE users SET locale = 'en' WHERE login = 'bruno.keller'`);
    expect(problems).toEqual([]);
  });
});

describeInBrowser('The page of a task', (visits) => {
  it('has a thread of comments', async () => {
    const { id } = await newTask('Talk about it');
    await site.write('POST', `${TASKS}/${id}/comments`, { text: 'How many?' });
    const { page, problems } = await site.open(visits, 'bruno.keller', `/tasks/${id}`);
    const thread = page.getByRole('region', { name: 'Comments' });
    await thread.getByText('How many?').waitFor();
    expect(await button(page, 'Send').isDisabled()).toBe(true);
    await thread.getByLabel('Add a comment').fill('Four\n<b>of them</b>');
    await button(page, 'Send').click();
    await thread.locator('li').nth(1).waitFor();
    expect(await thread.locator('li').allInnerTexts()).toEqual([
      expect.stringMatching(/^Alice Martin.*How many\?$/s),
      expect.stringMatching(/^Bruno Keller.*Four\n<b>of them<\/b>$/s),
    ]);
    expect(await thread.getByLabel('Add a comment').inputValue()).toBe('');
    await settled(page);
    await expectAccessible(page);
    await takePicture(page, 'task-comments');
    expect(problems).toEqual([]);
  });

  it('shows a task again that is back in sight', async () => {
    const group = (await site.write('POST', '/api/v2/directory/groups', {
      label: 'Comes and goes',
      reference: 'COMES-AND-GOES',
    })) as { id: string };
    const bruno = await idOf(site.server, 'users', 'bruno.keller');
    const member = `/api/v2/directory/groups/${group.id}/members/${bruno}`;
    await site.write('PUT', member);
    const { id } = await newTask('Comes back', { assignee: null, group: 'COMES-AND-GOES' });
    const { page } = await site.open(visits, 'bruno.keller', `/tasks/${id}`);
    await button(page, 'Approve').waitFor();
    await site.write('DELETE', member);
    const gone = page.getByRole('alert').getByText(/This task .* for you/);
    await gone.waitFor();
    expect(await button(page, 'Approve').count()).toBe(0);
    await site.write('PUT', member);
    await button(page, 'Approve').waitFor();
    expect(await gone.count()).toBe(0);
  });

  it('keeps the page and unsaved entries when a proxy answers in place of the server', async () => {
    const { id } = await newTask('Behind a proxy');
    const { page } = await site.open(visits, 'bruno.keller', `/tasks/${id}`);
    const comment = page.getByLabel('Add a comment');
    await comment.fill('Half a sentence');
    const page404 = { status: 200, contentType: 'text/html', body: '<p>Back soon</p>' };
    await page.route(/\/comments(\?|$)/, (route) => route.fulfill(page404));
    await button(page, 'Send').click();
    await page.getByText('The server cannot be reached. Check your connection.').waitFor();
    expect(await comment.inputValue()).toBe('Half a sentence');
    await page.unroute(/\/comments(\?|$)/);
    await button(page, 'Send').click();
    await eventually(async () => expect(await comment.inputValue()).toBe(''));
  });

  it('lets only administrators assign the task to another person', async () => {
    const { id } = await newTask('Hand it on');
    const bruno = await site.open(visits, 'bruno.keller', `/tasks/${id}`);
    await button(bruno.page, 'Approve').waitFor();
    expect(await button(bruno.page, 'Reassign').count()).toBe(0);
    const { page, problems } = await site.open(visits, 'alice.martin', `/tasks/${id}`);
    await button(page, 'Reassign').click();
    const dialog = page.getByRole('dialog', { name: 'Reassign' });
    await dialog.getByLabel('Find a person').fill('lefèvre');
    const chloe = dialog.getByRole('button', { name: /Chloé Lefèvre/ });
    await chloe.waitFor();
    await settled(page);
    await expectAccessible(page);
    await chloe.click();
    await page.getByText('“Hand it on” now belongs to Chloé Lefèvre.').waitFor();
    expect((await task(id)).assignee).toMatchObject({ reference: 'chloe.lefevre' });
    const gone = bruno.page.getByRole('alert').getByText('This task is no longer waiting for you.');
    await gone.waitFor();
    expect(await button(bruno.page, 'Approve').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
