import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';
import { idOf } from '../../support/id-of.js';
import { linkIn, type Mailbox, mailSettings, startMailbox } from '../../support/mailbox.js';

let mailbox: Mailbox;
let site: TestConsole;
beforeAll(async () => {
  mailbox = await startMailbox();
  site = await startTestConsole(await mailSettings(mailbox));
});
afterAll(async () => {
  await site.close();
  await mailbox.close();
});

describeInBrowser('Console invitations', (visits) => {
  it('go out by mail, and the console says why a person gets none', async () => {
    const id = await idOf(site.server, 'users', 'sophie.bohm');
    const setStatus = (status: number) =>
      site.server.database.query('UPDATE users SET status = $1 WHERE id = $2', [status, id]);
    const { page } = await site.open(visits, `/users/${id}`);
    const byMail = page.getByRole('button', { name: 'Send an invitation by mail' });
    await byMail.click();
    const email = (await site.read(`/api/v2/directory/users/${id}`)).email as string;
    await page.getByText(`The invitation is on its way to ${email}`).waitFor();
    expect(linkIn(await mailbox.next(email))).toContain('/workplace/invitation#');
    await page.reload();
    await setStatus(0);
    const refusal = page.getByText('Only active and invited people can be invited.');
    await byMail.click();
    await refusal.waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Create an invitation link' }).click();
    await refusal.waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(mailbox.mails).toEqual([]);
  });
});
