import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { StopLinks } from '../../../src/process/mails/stop-links.service.js';
import { describeInBrowser, expectAccessible, heading } from '../../support/browser.js';
import { idOf } from '../../support/id-of.js';
import { type Mailbox, mailSettings, startMailbox } from '../../support/mailbox.js';
import { startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

let mailbox: Mailbox;
let site: TestWorkplace;
let bruno: string;
beforeAll(async () => {
  mailbox = await startMailbox();
  site = await startTestWorkplace(await mailSettings(mailbox));
  // It is not time for a digest: no test waits for one.
  await site.server.database.query(
    `UPDATE parameters SET value = 'true' WHERE key IN ('mail.digest', 'mail.reminders')`,
  );
  await site.server.database.query(
    `UPDATE task_mail_rounds SET next_round = now() + interval '1 day'`,
  );
  bruno = await idOf(site.server, 'users', 'bruno.keller');
});
afterAll(async () => {
  await site.close();
  await mailbox.close();
});

const settings = async () =>
  (await site.read(`/api/v2/directory/users/${bruno}/mail-settings`)) as Record<string, unknown>;

describeInBrowser('Workplace mails', (visits) => {
  it('stop by a link without a sign-in, when the person presses the button', async () => {
    const path = await site.server.app.get(StopLinks).pathOf({ kind: 'reminders', userId: bruno });
    const { page, problems } = await visits.open(site.address(path.replace('/workplace', '')));
    await heading(page, 'Stop the reminders?').waitFor();
    await expectAccessible(page);
    expect(await settings()).toMatchObject({ digest: true, reminders: true });
    await page.getByRole('button', { name: 'Stop these e-mails' }).click();
    await heading(page, 'You get no reminders any more').waitFor();
    await expectAccessible(page);
    expect(await settings()).toMatchObject({ digest: true, reminders: false });
    expect(problems).toEqual([]);
  });

  it('are chosen in the profile', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/profile');
    const section = page.getByRole('region', { name: 'E-mails about your tasks' });
    await section.getByRole('checkbox', { name: /Daily digest/ }).uncheck();
    await page.getByText('Saved').waitFor();
    await expectAccessible(page);
    expect(await settings()).toMatchObject({ digest: false });
    await page.reload();
    await section.getByRole('checkbox', { name: /Daily digest/ }).waitFor();
    expect(await section.getByRole('checkbox', { name: /Daily digest/ }).isChecked()).toBe(false);
    expect(problems).toEqual([]);
  });
});
