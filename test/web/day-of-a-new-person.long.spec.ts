import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser, heading, settled, signInAt } from '../support/browser.js';
import { linkIn, type Mailbox, mailSettings, startMailbox } from '../support/mailbox.js';
import { inHours, taskLinkIn } from '../support/task-mails.js';
import { sysadminPassword } from '../support/test-database.js';
import { searchField, startTestWorkplace, type TestWorkplace } from '../support/workplace.js';

/** From the invitation to the next morning, on one server with a mail server. */

const LOGIN = 'nora.vogel';
const PASSWORD = 'Correct-Horse-2026';
const EMAIL = 'nora.vogel@portal.example';
/** From an evening to the next morning, longer than a token is valid. */
const NIGHT = '14 hours';

let mailbox: Mailbox;
let site: TestWorkplace;
beforeAll(async () => {
  mailbox = await startMailbox();
  site = await startTestWorkplace(await mailSettings(mailbox));
});
afterAll(async () => {
  await site.close();
  await mailbox.close();
});

/** Creates the person with a task that is due soon, and mails the invitation. */
async function prepare(): Promise<void> {
  const person = { login: LOGIN, firstName: 'Nora', lastName: 'Vogel', email: EMAIL };
  const { id: assignee } = await site.write('POST', '/api/v2/directory/users', person);
  const [application] = await site.read(
    '/api/v2/navigation/applications?filters=type:eq:PROCESS&range=0-1',
  );
  await site.write('POST', '/api/v2/process/tasks', {
    title: 'Order a laptop',
    application: application.uri as string,
    assignee,
    dueDate: inHours(20),
  });
  await site.write('POST', '/api/v2/directory/users/invitations', {
    users: [assignee],
    delivery: 'mail',
  });
}

/** Switches reminders on, and makes their next round due. */
async function remind(): Promise<void> {
  const token = await site.server.signIn('sysadmin', sysadminPassword());
  const set = await site.server.call(
    '/api/v2/administration/parameters/com.platform.mail.reminders',
    { method: 'PUT', token, body: { value: true } },
  );
  expect(set.status).toBe(200);
  await site.server.database.query('UPDATE task_mail_rounds SET next_round = now()');
}

/** Makes every session and every token as old as they are after a night. */
async function letNightPass(): Promise<void> {
  const { database } = site.server;
  await database.query(
    `UPDATE browser_sessions SET creation_date = creation_date - interval '${NIGHT}',
      last_use_date = last_use_date - interval '${NIGHT}', expiration = expiration - interval '${NIGHT}'`,
  );
  await database.query(`UPDATE tokens SET creation_date = creation_date - interval '${NIGHT}',
    expiration = expiration - interval '${NIGHT}', proof_date = proof_date - interval '${NIGHT}'`);
}

describeInBrowser('The day of a new person', (visits) => {
  it('goes from the invitation mail to the next morning with two entries of a password', async () => {
    await prepare();

    const { page, problems } = await visits.open(linkIn(await mailbox.next(EMAIL)));
    const context = page.context();
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByLabel('New password').press('Enter');
    await heading(page, 'Hello, Nora').waitFor();
    await page.getByRole('link', { name: 'One task is waiting for you.' }).waitFor();

    const tile = page.locator('a.tile-link', { hasText: 'Annual appraisals' }).first();
    const opened = context.waitForEvent('page');
    await tile.click({ modifiers: ['ControlOrMeta'] });
    const third = await opened;
    await heading(third, 'Annual appraisals').waitFor();

    await remind();
    const taskLink = taskLinkIn(await mailbox.next(EMAIL));
    const second = await context.newPage();
    await second.goto(taskLink);
    await heading(second, 'Order a laptop').waitFor();

    await searchField(second).fill('bruno keller');
    await second
      .getByRole('option', { name: /Bruno Keller/ })
      .first()
      .click();
    await heading(second, 'Bruno Keller').waitFor();

    await page.getByLabel('Account').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [page, second, third]) await heading(tab, 'Sign in').waitFor();
    expect(await context.cookies()).toEqual([]);

    await signInAt(page, LOGIN, PASSWORD);
    await heading(page, 'Hello, Nora').waitFor();
    await settled(page);
    const { cookies, origins } = await context.storageState();
    await context.close();
    await letNightPass();
    const storageState = { cookies, origins };
    const morning = await visits.open(taskLink, { storageState });
    await heading(morning.page, 'Order a laptop').waitFor();
    expect(morning.problems).toEqual([]);
    expect(problems).toEqual([]);
  });
});
