import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { runCommand } from '../support/command-line.js';
import { urlOf } from '../support/server-process.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { translateTiles } from '../support/translate-tiles.js';

/** The command line and the console in a browser write and read the same CSV dialect. */
let server: TestServer;
let token: string;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  await translateTiles(server.database);
  token = await server.signIn('alice.martin');
  folder = mkdtempSync(join(tmpdir(), 'csv-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

const run = (...args: string[]) =>
  runCommand(args, { env: { DATABASE_URL: urlOf(server.database.connection) } });

interface Counts {
  created: number;
  updated: number;
  unchanged: number;
}

async function importByCommand(kind: string, file: string): Promise<Counts> {
  const done = await run('import', kind, file, '--json');
  expect([done.code, done.error.includes('bad')]).toEqual([0, false]);
  const [{ created, updated, unchanged }] = JSON.parse(done.out) as [Counts];
  return { created, updated, unchanged };
}

async function exportByCommand(kind: string): Promise<string> {
  const file = join(folder, `${kind}-command.csv`);
  expect((await run('export', kind, file)).code).toBe(0);
  return file;
}

async function exportByConsole(page: Page, kind: string): Promise<string> {
  await page.goto(`http://127.0.0.1:${server.port}/console/${kind}`);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const file = join(folder, `${kind}-console.csv`);
  await (await downloading).saveAs(file);
  return file;
}

async function importByConsole(page: Page, kind: string, file: string): Promise<Counts> {
  await page.goto(`http://127.0.0.1:${server.port}/console/${kind}/import`);
  await page.locator('input[type=file]').setInputFiles(file);
  const checked = page.getByRole('region', { name: 'Checked; nothing has been imported yet' });
  expect(await checked.innerText()).toMatch(/^Checked[^\n]*\s+0 bad lines$/);
  await page.getByRole('button', { name: /^Import \d+ lines?$/ }).click();
  await page.getByText('0 bad lines').waitFor();
  const report = await page.getByRole('region', { name: 'Report' }).innerText();
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(report)?.[1]);
  return { created: count('created'), updated: count('changed'), unchanged: count('unchanged') };
}

const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\r\n').length - 2;

/** Values that a CSV dialect can corrupt: formula characters, separators, quotes, line breaks, blanks. */
const HOSTILE = [
  'login,lastName,phoneNumber,userFunction,description,organization,manager,groups,administrator',
  'csv.one,=1+1,+33 1 23,"a;b, ""c""","line 1\nline 2",,csv.two,EXPENSE-APPROVERS;IT-SUPPORT,FALSE',
  `csv.two,"''=2",-x,@cmd," padded ",,,,false`,
].join('\n');
const USERS = '/api/v2/directory/users';

/** The rows of the file above, as the API shows them. */
async function stored(): Promise<unknown[]> {
  const list = await server.call(`${USERS}?filters=login:starts:csv.&sorter=login`, { token });
  return Promise.all(
    (list.body as { id: string }[]).map(async ({ id }) => {
      const { body } = await server.call(`${USERS}/${id}`, { token });
      const user = body as Record<string, unknown>;
      const refs = (value: unknown) =>
        (value as { reference: string }[]).map(({ reference }) => reference).sort();
      return [
        ...['login', 'lastName', 'phoneNumber', 'userFunction', 'description'].map(
          (name) => user[name],
        ),
        (user.manager as { reference: string } | null)?.reference ?? null,
        refs(user.groups),
      ];
    }),
  );
}

const EXPECTED = [
  [
    'csv.one',
    '=1+1',
    '+33 1 23',
    'a;b, "c"',
    'line 1\nline 2',
    'csv.two',
    ['EXPENSE-APPROVERS', 'IT-SUPPORT'],
  ],
  ['csv.two', "'=2", '-x', '@cmd', ' padded ', null, []],
];

const remove = () =>
  server.database.query(
    `WITH gone AS (DELETE FROM group_members WHERE user_id IN (SELECT id FROM users WHERE login LIKE 'csv.%'))
     UPDATE users SET phone_number = NULL, user_function = NULL, description = NULL, manager_id = NULL, last_name = 'x'
     WHERE login LIKE 'csv.%'`,
  );

describeInBrowser('CSV of the console and of the command line', (visits) => {
  it('imports the same rows from a file by either of them, links inside the file included', async () => {
    const file = join(folder, 'hostile.csv');
    writeFileSync(file, HOSTILE);
    const { page } = await visits.open(`http://127.0.0.1:${server.port}/console`, { token });
    const nobodyYet = { created: 2, updated: 0, unchanged: 0 };
    expect(await importByConsole(page, 'users', file)).toEqual(nobodyYet);
    const byConsole = await stored();
    expect(await importByCommand('users', file)).toEqual({ created: 0, updated: 0, unchanged: 2 });
    expect(byConsole).toEqual(await stored());
  });

  it('keeps phone numbers, lists and formulas from the console to the command line and back', async () => {
    const { page } = await visits.open(`http://127.0.0.1:${server.port}/console`, { token });
    const before = await stored();
    const fromConsole = await exportByConsole(page, 'users');
    expect(readFileSync(fromConsole, 'utf8')).toContain("'+33 1 23");
    await remove();
    expect(await importByCommand('users', fromConsole)).toMatchObject({ created: 0, updated: 2 });
    expect(await stored()).toEqual(before);
    const fromCommand = await exportByCommand('users');
    expect(readFileSync(fromCommand, 'utf8')).toContain("'+33 1 23");
    await remove();
    expect(await importByConsole(page, 'users', fromCommand)).toMatchObject({
      created: 0,
      updated: 2,
    });
    expect(await stored()).toEqual(before);
    expect(before).toEqual(EXPECTED);
  });

  it.each(['categories', 'applications', 'tasks', 'views', 'news', 'organizations'])(
    'exports %s that the other imports without a change',
    async (kind) => {
      const { page } = await visits.open(`http://127.0.0.1:${server.port}/console`, { token });
      const [fromConsole, fromCommand] = await Promise.all([
        exportByConsole(page, kind),
        exportByCommand(kind),
      ]);
      expect(linesOf(fromConsole)).toBeGreaterThan(0);
      expect(await importByCommand(kind, fromConsole)).toMatchObject({ created: 0, updated: 0 });
      expect(await importByConsole(page, kind, fromCommand)).toMatchObject({
        created: 0,
        updated: 0,
      });
    },
  );

  it('leaves the system administrator out of an export, and refuses one in a file', async () => {
    const { page } = await visits.open(`http://127.0.0.1:${server.port}/console`, { token });
    expect(readFileSync(await exportByConsole(page, 'users'), 'utf8')).not.toMatch(/^sysadmin,/m);
    await page.goto(`http://127.0.0.1:${server.port}/console/users/import`);
    await page.locator('input[type=file]').setInputFiles({
      name: 'users.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('login,lastName\nSysAdmin,X\n'),
    });
    await page
      .getByText('Line 2: Login: is the system administrator, who is not imported')
      .waitFor();
  });
});
