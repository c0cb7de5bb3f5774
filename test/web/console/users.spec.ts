import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { describeInBrowser, expectAccessible, isFocused } from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { idOf } from '../../support/id-of.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startTestConsole();
});
afterAll(() => site.close());

describeInBrowser('Console users and groups', (visits) => {
  it('add a member to a group and remove the member again', async () => {
    const id = await idOf(site.server, 'groups', 'EXPENSE-APPROVERS');
    const { page, problems } = await site.open(visits, `/groups/${id}`);
    await page.getByLabel('Add a person').fill('sophie.bohm');
    await page.getByRole('option', { name: /^Sophie Böhm/ }).click();
    await page.getByText('Sophie Böhm was added').waitFor();
    await page.getByRole('searchbox', { name: 'Search members' }).fill('böhm');
    await page.getByRole('button', { name: 'Remove Sophie Böhm' }).click();
    await page.getByText('No members.').waitFor();
    expect(await page.getByLabel('Add a person').evaluate(isFocused)).toBe(true);
    expect(problems).toEqual([]);
  });

  it('make a provider whose calls come from a service account, and lock what it manages', async () => {
    const robot = { login: 'directory.robot', title: 'Directory robot' };
    await site.call('/api/v2/directory/service-accounts', { method: 'POST', body: robot });
    const { page, problems } = await site.open(visits, '/providers/create');
    await page.locator('[data-attribute=label] input').fill('Staff directory');
    const choose = async (kind: string) => {
      await page.locator('[data-attribute=kind] [role=combobox]').click();
      await page.getByRole('option', { name: kind, exact: true }).click();
    };
    await choose('LDAP');
    const ldap = page.getByLabel('LDAP', { exact: true });
    await ldap.fill('{"urls": ["ldaps://directory.example"], "peopleBase": ');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.locator('[data-attribute=ldap] .Mui-error').first().waitFor();
    await ldap.fill('');
    await choose('SCIM');
    await page.locator('[data-attribute=serviceAccount] input').fill('directory rob');
    await page.getByRole('option', { name: /^Directory robot/ }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const read = () => site.read('/api/v2/directory/providers?responseMode=user');
    await eventually(async () =>
      expect(await read()).toMatchObject([
        { label: 'Staff directory', kind: 'SCIM', serviceAccount: 'Directory robot' },
      ]),
    );
    const id = await idOf(site.server, 'users', 'sophie.bohm');
    await site.server.database.query(
      `UPDATE users SET managed_by_id = (SELECT id FROM providers) WHERE id = ${id}`,
    );
    await page.goto(site.address(`/users/${id}`));
    await page.getByText('Staff directory').first().waitFor();
    const isLocked = (attribute: string) =>
      page
        .locator(`[data-attribute=${attribute}]`)
        .evaluate((field) => field.closest('[inert]') !== null);
    expect(await isLocked('lastName')).toBe(true);
    expect(await isLocked('nickName')).toBe(false);
    // The settings that are no JSON.
    expect(problems).toEqual([expect.stringContaining('status of 400')]);
  });

  it('add and remove the photo and a group of a user', async () => {
    const user = `/users/${await idOf(site.server, 'users', 'chloe.lefevre')}`;
    const { page, problems } = await site.open(visits, user);
    const photo = page.getByRole('region', { name: 'Photo' });
    const remove = photo.getByRole('button', { name: 'Remove the photo' });
    const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: '#00a' } });
    await photo.locator('img').waitFor();
    expect(await remove.count()).toBe(0);
    const buffer = await picture.png().toBuffer();
    await photo
      .locator('input[type=file]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    await page.getByText('The photo has been saved').waitFor();
    const nothing = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
    await photo.locator('input[type=file]').setInputFiles(nothing);
    await photo.getByText('The file is not a JPEG, PNG or WebP picture.').waitFor();
    await remove.waitFor();
    const path = `/api/v2/directory${user}/photo`;
    expect((await site.call(path, { headers: { Accept: 'image/*' } })).status).toBe(200);
    await remove.click();
    await remove.waitFor({ state: 'detached' });
    await eventually(async () =>
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Choose a picture'),
    );
    expect((await site.call(path, { headers: { Accept: 'image/*' } })).status).toBe(404);

    const groups = page.getByRole('region', { name: 'Groups' });
    await groups.getByLabel('Add to a group').fill('works');
    await page.getByRole('option', { name: /^Works council/ }).click();
    await groups.getByRole('link', { name: 'Works council' }).waitFor();
    // The user can type another group immediately.
    expect(await page.evaluate('document.activeElement.role')).toBe('combobox');
    const groupsOf = async () =>
      ((await site.read(`/api/v2/directory${user}`)).groups as { label: string }[]).map(
        ({ label }) => label,
      );
    expect(await groupsOf()).toContain('Works council');
    await groups.getByRole('button', { name: 'Remove from Works council' }).click();
    await groups.getByRole('link', { name: 'Works council' }).waitFor({ state: 'detached' });
    expect(await groupsOf()).not.toContain('Works council');
    expect(await groups.getByLabel('Add to a group').evaluate(isFocused)).toBe(true);
    // The browser itself notes the errors.
    expect(problems.filter((problem) => !/status of 4(00|04|15)/.test(problem))).toEqual([]);
  });

  it('unlock a user, create an invitation and an API key, and end sessions', async () => {
    const id = await idOf(site.server, 'users', 'chloe.lefevre');
    const theirs = await site.server.signIn('chloe.lefevre');
    await site.server.database.query(
      `INSERT INTO sign_ins (user_id, locked_until) VALUES ($1, now() + interval '1 hour')
       ON CONFLICT (user_id) DO UPDATE SET locked_until = excluded.locked_until`,
      [id],
    );
    const { page, problems } = await site.open(visits, `/users/${id}`);
    await page
      .getByText(/^Locked until/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByText('Unlocked').waitFor();
    await page.getByRole('button', { name: 'Create an invitation link' }).click();
    const link = await page.getByRole('dialog').locator('code').innerText();
    expect(link.split('#')).toEqual([
      `http://127.0.0.1:${site.server.port}/workplace/invitation`,
      expect.stringMatching(/^[\w-]{43}$/),
    ]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByRole('dialog').getByLabel('Addresses').fill('nowhere');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText(/unreadable: nowhere/).waitFor();
    await page.getByRole('dialog').getByLabel('Name').fill('Night job');
    await page.getByRole('dialog').getByLabel('Addresses').fill('127.0.0.1');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const key = await page.getByRole('dialog').locator('code').innerText();
    expect(await site.server.signIn('chloe.lefevre', key)).toMatch(/^[\w-]{43}$/);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Delete the key Night job' }).click();
    await page.getByText('No keys.').waitFor();
    await page.getByRole('button', { name: 'End all' }).click();
    await page.getByText('0 open sessions').waitFor();
    expect((await site.server.call('/api/v2/directory/users/me', { token: theirs })).status).toBe(
      401,
    );
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  it('invite the selected people, by links in a file where the server sends no mail', async () => {
    const body = { lastName: 'Selected', status: 2 };
    for (const login of ['selected.one', 'selected.two'])
      await site.call('/api/v2/directory/users', { method: 'POST', body: { ...body, login } });
    const { page, problems } = await site.open(visits, '/users');
    await page.getByRole('searchbox', { name: 'Search' }).fill('selected');
    await page.getByText('selected.two').waitFor();
    await page.locator('thead input[type=checkbox]').check();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('heading', { name: 'Invite 2 people?' }).waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('button', { name: 'Send the e-mails' }).count()).toBe(0);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the links' }).click();
    const file = await text(await (await download).createReadStream());
    await page.getByText('2 people invited').waitFor();
    const links = file.trim().split(/\r?\n/).slice(1);
    expect(links.map((line) => line.split('#')[0]!.split(/[,;]/))).toEqual([
      ['selected.one', `http://127.0.0.1:${site.server.port}/workplace/invitation`],
      ['selected.two', `http://127.0.0.1:${site.server.port}/workplace/invitation`],
    ]);
    expect(problems).toEqual([]);
  });

  it('save the links from before a lost connection, and continue with the rest', async () => {
    const crowd = await site.server.database.query<{ id: string }>(
      `INSERT INTO users (login, last_name, title, status)
       SELECT 'crowd.' || n, 'Crowd', 'Crowd', 2 FROM generate_series(1, 502) n RETURNING id::text`,
    );
    const { page } = await site.open(visits, '/users');
    await page.getByRole('button', { name: 'Account' }).waitFor();
    // As after a selection on many pages.
    await page.evaluate(
      `localStorage.setItem('RaStoreconsole.users.selectedIds', '${JSON.stringify(crowd.map(({ id }) => id))}')`,
    );
    await page.reload();
    const invitations = '**/api/v2/directory/users/invitations';
    let calls = 0;
    await page.route(invitations, (route) => (++calls === 1 ? route.continue() : route.abort()));
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('heading', { name: 'Invite 502 people?' }).waitFor();
    const linksOf = async (): Promise<string[]> => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download the links' }).click();
      const file = await text(await (await download).createReadStream());
      return file.trim().split(/\r?\n/).slice(1);
    };
    expect(await linksOf()).toHaveLength(500);
    const rest = page.getByRole('alert').filter({ hasText: '2 people are not invited yet:' });
    await rest.getByText('crowd.502').waitFor();
    expect(await rest.locator('li').allInnerTexts()).toEqual(['crowd.501', 'crowd.502']);
    await expectAccessible(page);
    await page.unroute(invitations);
    await page.getByRole('heading', { name: 'Invite 2 people?' }).waitFor();
    expect((await linksOf()).map((line) => line.split(/[,;]/)[0])).toEqual([
      'crowd.501',
      'crowd.502',
    ]);
    await page.getByText('2 people invited').waitFor();
  });

  it('list the rights that outlive a new password, and end them', async () => {
    const user = await idOf(site.server, 'users', 'bruno.keller');
    const engine = await idOf(site.server, 'users', 'process.engine');
    const write = async (method: string, path: string, body: object) => {
      const { status, text } = await site.call(`/api/v2/process${path}`, { method, body });
      expect([status < 300, text]).toEqual([true, expect.anything()]);
    };
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
    await write('POST', '/absences', {
      reference: 'SKIING',
      user,
      substitute: 'chloe.lefevre',
      startDate: hours(-1),
      endDate: hours(24),
    });
    await write('POST', '/absences', {
      user,
      substitute: 'alice.martin',
      startDate: hours(-9),
      endDate: hours(-8),
    });
    await write('POST', '/sources', { reference: 'ERP', label: 'ERP', serviceAccount: user });
    const { page, problems } = await site.open(visits, `/users/${user}`);
    await page.getByLabel('New password').fill('Battery-Staple-2027');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Still in force' });
    await dialog.getByText('Chloé Lefèvre stands in').waitFor();
    await expectAccessible(page);
    expect(await dialog.getByRole('listitem').count()).toBe(2);
    await dialog.getByRole('button', { name: 'End: Chloé Lefèvre stands in' }).click();
    await dialog.getByText('Chloé Lefèvre stands in').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Take the account away: ERP' }).click();
    await dialog.getByText('Nothing else is in force.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Close' }).evaluate(isFocused)).toBe(true);
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect((await site.call('/api/v2/process/absences/SKIING')).status).toBe(404);
    expect((await site.read('/api/v2/process/sources/ERP')).serviceAccount).toBeNull();
    await write('POST', '/endpoints', {
      reference: 'HEARS',
      label: 'Worker',
      mode: 'pull',
      account: engine,
    });
    await page.goto(site.address(`/users/${engine}`));
    await page.getByRole('button', { name: 'Create an invitation link' }).click();
    const link = page.getByRole('dialog').filter({ has: page.locator('code') });
    await link.getByRole('button', { name: 'Close' }).click();
    await dialog.getByRole('button', { name: 'Pause: Worker' }).click();
    await dialog.getByText('Nothing else is in force.').waitFor();
    expect((await site.read('/api/v2/process/endpoints/HEARS')).status).toBe('paused');
    expect(problems).toEqual([]);
  });

  it('set the passwords of others, and link to the profile for one’s own', async () => {
    const [own, other] = await Promise.all(
      ['alice.martin', 'bruno.keller'].map((login) => idOf(site.server, 'users', login)),
    );
    const { page, problems } = await site.open(visits, `/users/${other}`);
    const field = page.getByLabel('New password');
    await field.waitFor();
    await page.goto(site.address(`/users/${own}`));
    const link = page.getByRole('link', { name: 'Open my profile' });
    await link.waitFor();
    expect(await field.count()).toBe(0);
    await link.click();
    await page.getByLabel('Current password').waitFor();
    expect(problems).toEqual([]);
  });
});
