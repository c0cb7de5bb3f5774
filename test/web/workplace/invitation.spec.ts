import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  heading,
  settled,
  signInAt,
  takePicture,
} from '../../support/browser.js';
import { linkIn, type Mailbox, mailSettings, startMailbox } from '../../support/mailbox.js';
import { startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

const PASSWORD = 'Correct-Horse-2026';
const USERS = '/api/v2/directory/users';

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

/** Creates an invited user, and returns the address of their invitation. */
async function invite(user: Record<string, unknown>): Promise<string> {
  const { id } = await site.write('POST', USERS, user);
  const { code } = await site.write('POST', `${USERS}/${id as string}/invitation`);
  return site.address(`/invitation#${code as string}`);
}

describeInBrowser('Workplace invitation', (visits) => {
  it('shows the rules while the person types, sets the password and signs them in', async () => {
    const address = await invite({ login: 'nora.vogel', firstName: 'Nora', lastName: 'Vogel' });
    const { page, problems } = await visits.open(address);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await heading(page, 'Choose your password').waitFor();
    await page.getByText('Welcome, Nora Vogel. Your login is nora.vogel.').waitFor();
    await expectAccessible(page);
    const field = page.getByLabel('New password');
    const submit = page.getByRole('button', { name: 'Set the password and sign in' });
    await field.fill('Correct-Horse');
    await page.getByRole('listitem').filter({ hasText: 'an uppercase letter – met' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'a digit – not met yet' }).waitFor();
    expect(await submit.isDisabled()).toBe(true);
    // An invited user has no former passwords at the first invitation.
    expect(await page.getByText('last 5 passwords').count()).toBe(0);
    await takePicture(page, 'workplace-invitation');
    await field.fill(PASSWORD);
    await field.press('Enter');
    await heading(page, /^Hello, Nora/).waitFor();
    expect(page.url()).toBe(site.address());
    expect(sent.filter((one) => one.includes(address.split('#')[1]!))).toEqual([]);
    expect(problems).toEqual([]);

    await page.goto(address);
    await heading(page, 'This link is no longer valid').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'To the sign-in page' }).click();
    await heading(page, /^Hello, Nora/).waitFor();
    expect(await site.server.signIn('nora.vogel', PASSWORD)).toBeDefined();
  });

  it('ends the session of another person when the sign-in after the invitation fails', async () => {
    const address = await invite({ login: 'nina.weber', lastName: 'Weber' });
    const token = await site.server.signIn('bruno.keller');
    const { page } = await visits.open(address, { token });
    await page.route('**/api/v2/authentication', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByLabel('New password').press('Enter');
    await heading(page, 'Sign in').waitFor();
    expect(await heading(page, /^Hello/).count()).toBe(0);
  });

  it('reads in the language of the person, on a phone and in the dark', async () => {
    const address = await invite({ login: 'luc.petit', lastName: 'Petit', locale: 'fr' });
    const { page, problems } = await visits.open(address, {
      width: 360,
      height: 740,
      colorScheme: 'dark',
    });
    await heading(page, 'Choisissez votre mot de passe').waitFor();
    await settled(page);
    await expectToFit(page);
    await expectAccessible(page);
    await takePicture(page, 'workplace-invitation-phone');
    expect(problems).toEqual([]);
  });

  it('asks for another password when the server rejects it, and keeps the code', async () => {
    const address = await invite({ login: 'eva.lang', firstName: 'Eva', lastName: 'Lang' });
    const first = await visits.open(address);
    await first.page.getByLabel('New password').fill(PASSWORD);
    await first.page.getByLabel('New password').press('Enter');
    await heading(first.page, /^Hello, Eva/).waitFor();
    const { id } = (await site.read(`${USERS}?filters=login:eq:eva.lang`))[0] as { id: string };
    const { code } = await site.write('POST', `${USERS}/${id}/invitation`);
    const { page } = await visits.open(site.address(`/invitation#${code as string}`));
    const field = page.getByLabel('New password');
    await field.fill(PASSWORD);
    await field.press('Enter');
    await page
      .getByRole('alert')
      .getByText('The new password needs to differ from your last 5 passwords.')
      .waitFor();
    await page.getByRole('listitem').filter({ hasText: 'last 5 passwords' }).waitFor();
    await field.fill('Battery-Staple-2027');
    await field.press('Enter');
    await heading(page, /^Hello, Eva/).waitFor();
  });

  it('says that a link without a code is not valid, and leads to the sign-in page', async () => {
    const { page, problems } = await visits.open(site.address('/invitation'));
    await heading(page, 'This link is no longer valid').waitFor();
    await page.getByRole('link', { name: 'To the sign-in page' }).click();
    await signInAt(page, 'bruno.keller');
    await heading(page, 'Hello, Bruno').waitFor();
    expect(problems).toEqual([]);
  });
});

describeInBrowser('Workplace forgotten password', (visits) => {
  it('leads from the sign-in page by a mail to a new password and a session', async () => {
    const { page, problems } = await visits.open(site.address());
    await page.getByRole('link', { name: 'Forgotten password?' }).click();
    await heading(page, 'Forgotten password').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send the e-mail' }).click();
    await page.getByRole('alert').getByText('Enter your login or your e-mail address.').waitFor();
    await page.getByLabel('Login or e-mail address').fill('bruno.keller');
    await takePicture(page, 'workplace-forgotten-password');
    await page.getByRole('button', { name: 'Send the e-mail' }).click();
    await heading(page, 'Check your inbox').waitFor();
    await expectAccessible(page);
    const mail = await mailbox.next('bruno.keller@helvion.example');
    await page.goto(linkIn(mail));
    await heading(page, 'Set a new password').waitFor();
    await expectAccessible(page);
    await takePicture(page, 'workplace-password-reset');
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByLabel('New password').press('Enter');
    await heading(page, 'Hello, Bruno').waitFor();
    expect(problems).toEqual([]);
    await page.goto(linkIn(mail));
    await page.getByRole('link', { name: 'Send the e-mail' }).click();
    await heading(page, 'Forgotten password').waitFor();
  });

  it('shows the absences that outlive the new password, and ends them', async () => {
    const absences = '/api/v2/process/absences';
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
    await site.write('POST', absences, {
      user: 'bruno.keller',
      substitute: 'chloe.lefevre',
      startDate: hours(1),
      endDate: hours(24),
    });
    expect((await mailbox.next('bruno.keller@helvion.example')).plain).toContain('Chloé Lefèvre');
    await site.server.call('/api/v2/authentication/password-reset', {
      method: 'POST',
      body: { login: 'bruno.keller' },
    });
    const mail = await mailbox.next('bruno.keller@helvion.example');
    const { page, problems } = await visits.open(linkIn(mail));
    await page.getByLabel('New password').fill('Staple-Battery-2028');
    await page.getByLabel('New password').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Still in force' });
    await dialog.getByText('Chloé Lefèvre stands in').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'End: Chloé Lefèvre stands in' }).click();
    await dialog.getByText('Nothing else is in force.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await site.read(absences)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('fits a phone in the dark, in French', async () => {
    const { page } = await visits.open(site.address('/forgotten-password'), {
      width: 360,
      height: 740,
      colorScheme: 'dark',
      locale: 'fr-FR',
    });
    await heading(page, 'Mot de passe oublié').waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await takePicture(page, 'workplace-forgotten-password-phone');
  });
});
