import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectAccessible, signInAt } from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startTestConsole();
});
afterAll(() => site.close());

/** What the browser logs of a check that finds faults. */
const REFUSED = expect.stringContaining('status of 400');

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
      'Line 4: Name: is required; Status: must be 0, 1 or 2',
      'Line 5: Status: must be 0, 1 or 2',
      "Line 6: Audience: there is no group 'NOBODY'",
      'Line 7: Reference: is that of line 2',
      'Line 8: Has 2 cells, the header has 6.',
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
    expect(problems).toEqual([REFUSED]);
  });

  it('distinguishes users whose logins differ only by an accent', async () => {
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

  it('marks each bad cell, and imports nothing of a file that only the server can refuse', async () => {
    const { page, problems } = await site.open(visits, '/users/import');
    const lines = [
      'login;lastName;email',
      'check.one;One;one@example.org',
      'bad login!;Two;nomail',
      'check.three;Three;three@example.org',
    ];
    await chooseUsers(page, lines);
    await page.getByText('1 bad line').waitFor();
    const fault = page.locator('li', { hasText: /^Line \d+:/ });
    expect(await fault.allInnerTexts()).toEqual([
      'Line 3: Login: must not hold blanks or invisible characters; E-mail: must be an e-mail address',
    ]);
    const table = page.getByRole('region', { name: 'First bad lines of the file' });
    expect(await table.locator('[data-state=bad]').allInnerTexts()).toEqual([
      expect.stringMatching(/^bad login!\s+Must not hold blanks or invisible characters\.$/),
      expect.stringMatching(/^nomail\s+Must be an e-mail address\.$/),
    ]);
    const color = await page.evaluate(
      `getComputedStyle(document.querySelector('[data-state=bad]')).outline`,
    );
    expect(color).toMatch(/^rgb\((1[5-9]|2\d)\d, \d\d?, \d\d?\) solid/);
    await expectAccessible(page);
    expect(await page.getByRole('button', { name: /^Import \d+ lines?$/ }).count()).toBe(0);
    const users = await site.call('/api/v2/directory/users?filters=login:starts:check.');
    expect(users.body).toEqual([]);
    await chooseUsers(page, [lines[0]!, lines[1]!, lines[3]!]);
    await page.getByRole('button', { name: 'Import 2 lines' }).click();
    await page.getByText('2 created').waitFor();
    expect(problems).toEqual([REFUSED]);
  });

  const IMPORT = '**/imports/users?*dryRun=false';

  it('keeps the file when the connection is lost, and imports it after that', async () => {
    const { page } = await site.open(visits, '/users/import');
    // The server has imported the file, and its answer is lost.
    await page.route(
      IMPORT,
      async (route) => {
        await route.fetch();
        return route.abort();
      },
      { times: 1 },
    );
    await chooseUsers(page, ['login;lastName', 'lost.one;One', 'lost.two;Two']);
    await page.getByRole('button', { name: 'Import 2 lines' }).click();
    await page.getByText('The server cannot be reached.').waitFor();
    await page.getByRole('button', { name: 'Import 2 lines' }).click();
    await page.getByText('2 unchanged').waitFor();
  });

  it('keeps the file when the session ends, and imports it after a new sign-in', async () => {
    const { page } = await site.open(visits, '/users/import');
    await page.route(IMPORT, (route) =>
      route.fulfill({ status: 401, json: { message: 'The session has ended' } }),
    );
    await chooseUsers(page, ['login;lastName', 'ended.one;One']);
    await page.getByRole('button', { name: 'Import 1 line' }).click();
    await page.locator('input[name=password]').waitFor();
    await page.unroute(IMPORT);
    await signInAt(page, 'alice.martin');
    await page.getByRole('button', { name: 'Import 1 line' }).click();
    await page.getByText('1 created').waitFor();
    await page.getByText('0 bad lines').waitFor();
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
