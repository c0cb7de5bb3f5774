import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectAccessible, signInAt } from './support/browser.js';
import { startTestConsole, type TestConsole } from './support/console.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startTestConsole();
});
afterAll(() => site.close());

/** Chooses a file of users, and waits until it is checked. */
async function chooseUsers(page: Page, lines: string[]): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({
    name: 'users.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\r\n')),
  });
  await page.getByText('nothing has been imported yet').waitFor();
}

describeInBrowser('Console import and export', (visits) => {
  it('checks a file first, names its bad lines, and imports it when there are none', async () => {
    const { page, problems } = await site.open(visits, '/customers/import');
    const bad = [
      'name;reference;city;status;audience;nonsense',
      'Anker & Söhne;CSV-1;Köln;1;groups:EXPENSE-APPROVERS;x',
      '"Bär; GmbH";CSV-2;"Bonn";0;;x',
      ';CSV-3;Ulm;nine;;x',
      'Clou;CSV-4;Ulm;nine;;x',
      'Dom;CSV-5;Ulm;1;groups:NOBODY;x',
      'Anker again;CSV-1;Köln;1;;x',
      'Few;CSV-6',
    ];
    const choose = (lines: string[]) =>
      page.locator('input[type=file]').setInputFiles({
        name: 'customers.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(lines.join('\r\n')),
      });
    await choose(bad);
    await page.getByText('nothing has been imported yet').waitFor();
    await page.getByText('Ignored columns, which are not writable attributes: nonsense').waitFor();
    const faults = page.locator('li', { hasText: /^Line \d+:/ });
    expect(await faults.allInnerTexts()).toEqual([
      'Line 4: name: This field is required; status: “nine” is not one of 0, 1, 2',
      'Line 5: status: “nine” is not one of 0, 1, 2',
      'Line 6: audience: there is no “NOBODY”',
      'Line 7: names the same entry as line 2',
      'Line 8: 2 cells, but the header has 6',
    ]);
    await expectAccessible(page);
    expect(await page.getByRole('button', { name: /^Import \d+ lines?$/ }).count()).toBe(0);
    const count = async () =>
      (await site.call('/api/v2/content/customers?filters=reference:starts:CSV-&sorter=reference'))
        .body as { name: string; status: number; audience: { reference: string }[] }[];
    expect(await count()).toEqual([]);
    await choose(bad.slice(0, 3));
    await page.getByRole('button', { name: 'Import 2 lines' }).click();
    await page.getByText('2 created').waitFor();
    await page.getByText('0 bad lines').waitFor();
    expect(await page.evaluate('document.activeElement.innerText')).toMatch(/^2 created/);
    expect(
      (await count()).map(({ name, status, audience }) => [
        name,
        status,
        audience.map(({ reference }) => reference),
      ]),
    ).toEqual([
      ['Anker & Söhne', 1, ['EXPENSE-APPROVERS']],
      ['Bär; GmbH', 0, []],
    ]);
    expect(problems).toEqual([]);
  });

  it('tells users apart whose logins differ by an accent only', async () => {
    const andre = { login: 'andre.dupont', lastName: 'Dupont' };
    const { body } = await site.call('/api/v2/directory/users', { method: 'POST', body: andre });
    const { page } = await site.open(visits, '/users/import');
    const lines = ['login;lastName;manager', 'andré.dupont;Accent;', 'carla.dupont;C;andré.dupont'];
    await page.locator('input[type=file]').setInputFiles({
      name: 'users.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\r\n')),
    });
    await page.getByRole('button', { name: 'Import 2 lines' }).click();
    await page.getByText('2 created').waitFor();
    const users = await site.call(
      '/api/v2/directory/users?filters=login:ends:.dupont&sorter=lastName',
    );
    expect(users.body).toMatchObject([
      { login: 'andré.dupont', lastName: 'Accent' },
      { login: 'carla.dupont', manager: { reference: 'andré.dupont' } },
      { id: (body as { id: string }).id, login: 'andre.dupont', lastName: 'Dupont' },
    ]);
  });

  it('invites the people of a file directly after their import', async () => {
    const { page, problems } = await site.open(visits, '/users/import');
    const lines = ['login;lastName;status', 'imported.one;One;2', 'imported.two;Two;2'];
    await page.locator('input[type=file]').setInputFiles({
      name: 'users.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\r\n')),
    });
    const invite = page.getByRole('button', { name: 'Send invitations' });
    await page.getByRole('button', { name: 'Import 2 lines' }).waitFor();
    expect(await invite.count()).toBe(0);
    await page.getByRole('button', { name: 'Import 2 lines' }).click();
    await page.getByText('2 created').waitFor();
    await invite.click();
    await page.getByRole('heading', { name: 'Invite 2 people?' }).waitFor();
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the links' }).click();
    const file = await text(await (await download).createReadStream());
    await page.getByText('2 people invited').waitFor();
    expect(file).toMatch(/imported\.one[,;].*\/workplace\/invitation#/);
    expect(file).toMatch(/imported\.two[,;].*\/workplace\/invitation#/);
    expect(problems).toEqual([]);
  });

  it('counts and invites a user whose groups could not all be written', async () => {
    const { page } = await site.open(visits, '/users/import');
    await page.route('**/members/*', (route) =>
      route.fulfill({ status: 409, json: { message: 'The group is full' } }),
    );
    await chooseUsers(page, ['login;lastName;status;groups', 'partly.one;One;2;HIRING']);
    await page.getByRole('button', { name: 'Import 1 line' }).click();
    await page.getByText('1 created').waitFor();
    await page.getByText('1 bad line').waitFor();
    const fault = page.locator('li', { hasText: 'Line 2:' });
    expect(await fault.innerText()).toMatch(/^Line 2: Imported only in part\. .*The group is full/);
    await page.getByRole('button', { name: 'Send invitations' }).click();
    await page.getByRole('heading', { name: 'Invite 1 person?' }).waitFor();
  });

  const people = (name: string) => [
    'login;lastName;status',
    ...Array.from({ length: 12 }, (_, at) => `${name}.${at};Family;2`),
  ];
  const POST_OF_USERS = '**/api/v2/directory/users';

  it('keeps the report when the connection is lost, and goes on from there', async () => {
    const { page } = await site.open(visits, '/users/import');
    let posts = 0;
    await page.route(POST_OF_USERS, async (route) => {
      if (++posts <= 5) return route.continue();
      // The server has created the fifth user, and its answer is lost.
      if (posts === 6) await route.fetch();
      return route.abort();
    });
    await chooseUsers(page, people('lost'));
    await page.getByRole('button', { name: 'Import 12 lines' }).click();
    await page.getByText('5 created').waitFor();
    await page.getByText('The server cannot be reached.').waitFor();
    await page.getByText('7 lines have not been imported yet.').waitFor();
    await page.getByText('0 bad lines').waitFor();
    await expectAccessible(page);
    await page.unroute(POST_OF_USERS);
    await page.getByRole('button', { name: 'Continue with 7 lines' }).click();
    await page.getByText('12 created').waitFor();
    expect(await page.getByRole('button', { name: /^Continue/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Send invitations' }).click();
    await page.getByRole('heading', { name: 'Invite 12 people?' }).waitFor();
  });

  it('keeps the report when the session ends, and goes on after a new sign-in', async () => {
    const { page } = await site.open(visits, '/users/import');
    let posts = 0;
    await page.route(POST_OF_USERS, (route) =>
      ++posts <= 3
        ? route.continue()
        : route.fulfill({ status: 401, json: { message: 'The session has ended' } }),
    );
    await chooseUsers(page, people('ended'));
    await page.getByRole('button', { name: 'Import 12 lines' }).click();
    await page.locator('input[name=password]').waitFor();
    await page.unroute(POST_OF_USERS);
    await signInAt(page, 'alice.martin');
    await page.getByText('3 created').waitFor();
    await page.getByRole('button', { name: 'Continue with 9 lines' }).click();
    await page.getByText('12 created').waitFor();
    await page.getByText('0 bad lines').waitFor();
  });

  it('goes on with an import that was stopped', async () => {
    const { page } = await site.open(visits, '/users/import');
    let posts = 0;
    await page.route(POST_OF_USERS, async (route) => {
      if (++posts === 3) await page.getByRole('button', { name: 'Stop' }).click();
      return route.continue();
    });
    await chooseUsers(page, people('stopped'));
    await page.getByRole('button', { name: 'Import 12 lines' }).click();
    await page.getByRole('button', { name: /^Continue with \d+ lines$/ }).click();
    await page.getByText('12 created').waitFor();
  });

  it('exports a file that imports without a change', async () => {
    const { page } = await site.open(visits, '/applications');
    await page.getByRole('link', { name: 'Leave requests' }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const path = await (await downloading).path();
    await page.goto(site.address('/applications/import'));
    await page.locator('input[type=file]').setInputFiles(path);
    await page.getByRole('button', { name: /^Import \d+ lines$/ }).click();
    await page.getByText('0 bad lines').waitFor();
    await page.getByText('0 created').waitFor();
    await page.getByText('0 changed').waitFor();
  });
});
