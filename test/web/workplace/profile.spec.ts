import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import {
  describeInBrowser,
  isFocused,
  settled,
  signInAt,
  expectAccessible,
} from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace();
});
afterAll(() => site.close());

describeInBrowser('Workplace profile', (visits) => {
  it('marks the current session, and ends the others', async () => {
    const login = 'lea.session';
    const password = 'Lea-Portal-2026';
    await site.write('POST', '/api/v2/directory/users', {
      login,
      lastName: 'Session',
      password,
    });
    await site.server.signIn(login, password);
    const token = await site.server.signIn(login, password);
    const { page } = await visits.open(site.address('/profile'), { token });
    const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');
    await sessions.nth(1).waitFor();
    expect(await sessions.filter({ hasText: 'This session' }).count()).toBe(1);
    await sessions
      .filter({ hasNotText: 'This session' })
      .getByRole('button', { name: /^End the session/ })
      .click();
    await sessions.nth(1).waitFor({ state: 'detached' });
    await page.getByText('This session', { exact: true }).waitFor();
    const endAll = page.getByRole('button', { name: 'End all sessions' });
    expect(await endAll.evaluate(isFocused)).toBe(true);
  });

  it('changes the photo, the contact details and the API keys', async () => {
    const { page, problems } = await site.open(visits, 'chloe.lefevre', '/profile', {
      locale: 'fr-FR',
    });
    const photo = await sharp({
      create: { width: 40, height: 40, channels: 3, background: '#0a0' },
    })
      .png()
      .toBuffer();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: photo });
    await page.getByRole('status').getByText('Enregistré').waitFor();
    await page.locator('input[type=file]').setInputFiles({
      name: 'me.png',
      mimeType: 'image/png',
      buffer: Buffer.from('no picture'),
    });
    await page.getByText('Ce n’est pas une image JPEG, PNG ou WebP.').waitFor();
    await page.getByLabel('Mobile').fill('xxxx');
    await page.getByRole('button', { name: 'Enregistrer' }).click();
    expect(await page.locator('form :invalid').getAttribute('name')).toBe('mobilePhoneNumber');
    await page.getByLabel('Mobile').fill('+33 6 12 34 56 78');
    const kept = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.getByRole('button', { name: 'Enregistrer' }).click();
    expect((await kept).status()).toBe(200);
    const me = await site.read('/api/v2/directory/users/me', 'chloe.lefevre');
    expect(me.mobilePhoneNumber).toBe('+33 6 12 34 56 78');
    const keys = page.getByRole('region', { name: 'Clés d’API' });
    await keys.getByRole('textbox').fill('Un programme');
    await keys.getByRole('button', { name: 'Créer une clé' }).click();
    const key = await keys.locator('.secret code').innerText();
    const body = { login: 'chloe.lefevre', password: key };
    const answer = await site.server.call('/api/v2/authentication', { method: 'POST', body });
    expect(answer.status).toBe(200);
    await keys.getByRole('button', { name: 'Supprimer la clé Un programme' }).click();
    await keys.getByText('Vous n’avez pas de clé d’API.').waitFor();
    expect(await keys.getByRole('textbox').evaluate(isFocused)).toBe(true);
    // The browser itself logs the error status.
    expect(problems.filter((text) => !/status of 4(00|15)/.test(text))).toEqual([]);
  });

  it('sends only the attributes that the person has changed', async () => {
    const me = await site.read('/api/v2/directory/users/me', 'bruno.keller');
    const path = `/api/v2/directory/users/${me.id}`;
    const store = (name: string, value: string) =>
      site.write('PATCH', path, [{ op: 'add', path: `/${name}`, value }]);
    // From another system.
    await store('mobilePhoneNumber', '4711 / 4712 oder Zentrale');
    const { page, problems } = await site.open(visits, 'bruno.keller', '/profile');
    await page.getByLabel('Nickname').fill('Boss');
    await store('phoneNumber', '+49 431 555 0199');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('status').getByText('Saved').waitFor();
    expect(await site.read('/api/v2/directory/users/me', 'bruno.keller')).toMatchObject({
      nickName: 'Boss',
      phoneNumber: '+49 431 555 0199',
      mobilePhoneNumber: '4711 / 4712 oder Zentrale',
    });
    await page.getByLabel('Mobile').fill('xxxx');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    expect(await page.locator('form :invalid').getAttribute('name')).toBe('mobilePhoneNumber');
    expect(problems).toEqual([]);
  });

  it('limits a new API key to a date and to addresses, and names a limit that is wrong', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/profile');
    const keys = page.getByRole('region', { name: 'API keys' });
    await keys.getByLabel('Name of the new key').fill('Night job');
    await keys.getByText('Limits: expiry and addresses').click();
    await expectAccessible(page);
    await keys.getByLabel('Valid until').fill('2031-02-03T04:05');
    await keys.getByLabel('Addresses').fill('nowhere');
    await keys.getByRole('button', { name: 'Create a key' }).click();
    await keys
      .getByRole('alert')
      .filter({ hasText: /Addresses: .*nowhere/ })
      .waitFor();
    await keys.getByLabel('Addresses').fill('192.0.2.0/24, 198.51.100.7');
    await keys.getByRole('button', { name: 'Create a key' }).click();
    await keys.locator('.secret code').waitFor();
    const listed = await site.read('/api/v2/directory/users/me/api-keys', 'bruno.keller');
    expect(listed).toMatchObject([
      {
        name: 'Night job',
        expiration: expect.stringMatching(/^2031-02-03T/),
        addresses: '192.0.2.0/24, 198.51.100.7',
      },
    ]);
    expect(await keys.getByLabel('Addresses').inputValue()).toBe('');
    expect(problems.filter((text) => !text.includes('status of 400'))).toEqual([]);
  });

  it('offers to remove a photo only where there is one', async () => {
    await site.server.database.query('DELETE FROM photos');
    const { page, problems } = await site.open(visits, 'bruno.keller', '/profile');
    await settled(page);
    const remove = page.getByRole('button', { name: 'Remove the photo' });
    expect(await remove.count()).toBe(0);
    const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: '#00a' } });
    const buffer = await picture.png().toBuffer();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    await remove.click();
    await remove.waitFor({ state: 'detached' });
    await eventually(async () =>
      expect(await page.getByRole('button', { name: 'Choose a picture' }).evaluate(isFocused)).toBe(
        true,
      ),
    );
    expect(problems).toEqual([]);
  });

  it('shows an error at its field, marks it as English, and keeps typed text', async () => {
    const { page } = await site.open(visits, 'chloe.lefevre', '/profile', { locale: 'fr-FR' });
    const field = page.getByLabel('Mobile');
    await field.fill('+33 6 00 00 00 01');
    await page.getByLabel('Surnom').fill('Clo');
    const body = JSON.stringify({
      code: 400,
      message: 'bad',
      fields: [{ name: '/mobilePhoneNumber', message: 'no such number' }],
    });
    await page.route(/\/users\/\d+$/, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 400, contentType: 'application/json', body })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Enregistrer' }).click();
    const fault = page.locator('label', { has: field }).locator('.fault');
    await fault.getByText('Refusé par le serveur : « no such number »').waitFor();
    expect(await fault.locator('[lang=en]').textContent()).toBe('no such number');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.inputValue()).toBe('+33 6 00 00 00 01');
    expect(await page.getByLabel('Surnom').inputValue()).toBe('Clo');
  });

  it('shows the password rules during typing, and changes the password', async () => {
    const login = 'nora.page';
    const made = await site.write('POST', '/api/v2/directory/users', {
      login,
      lastName: 'Page',
      password: 'Nora-Portal-2026',
    });
    await site.server.signIn(login, 'Nora-Portal-2026');
    const { page, problems } = await visits.open(site.address('/profile'));
    await signInAt(page, login, 'Nora-Portal-2026');
    const form = page.getByRole('region', { name: 'Password' });
    const met = form.locator('.met');
    await form.getByLabel('New password').fill('abc');
    await met.nth(0).waitFor();
    expect(await met.count()).toBe(1);
    const submit = form.getByRole('button', { name: 'Change the password' });
    expect(await submit.isDisabled()).toBe(true);
    await form.getByLabel('Current password').fill('Nora-Portal-2026');
    await form.getByLabel('New password').fill('Nora-Portal-2026');
    await submit.click();
    await form
      .getByRole('alert')
      .getByText('The new password needs to differ from your last 5 passwords.')
      .waitFor();
    await form.getByLabel('New password').fill('Nora-Portal-2027!');
    expect(await met.count()).toBe(5);
    await submit.click();
    await page.getByRole('status').getByText('Your password has been changed.').waitFor();
    // The change of password ended the other session; this one remains.
    const sessions = page.getByRole('region', { name: 'Sessions' });
    await eventually(async () => expect(await sessions.getByRole('listitem').count()).toBe(1));
    await site.server.signIn(login, 'Nora-Portal-2027!');
    await sessions.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByRole('alert').getByText('Your session has ended.').waitFor();
    expect(made.login).toBe(login);
    expect(problems.filter((text) => !/status of 40[01]/.test(text))).toEqual([]);
  });
});
