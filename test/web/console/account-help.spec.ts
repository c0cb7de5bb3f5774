import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  heading,
  PHONE,
  takePicture,
} from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';

const ACCOUNTS = '/api/v2/directory/service-accounts';
const ASSIGNMENTS = '/api/v2/directory/role-assignments';
const HELPDESK = ['bruno.keller', 'chloe.lefevre'];

let site: TestConsole;
/** The id of a person without a role. */
let owner: string;

const create = async (path: string, body: object): Promise<Record<string, string>> => {
  const answer = await site.call(path, { method: 'POST', body });
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.body as Record<string, string>;
};

beforeAll(async () => {
  site = await startTestConsole();
  for (const user of HELPDESK) await create(ASSIGNMENTS, { user, role: 'helpdesk' });
  const { database } = site.server;
  await database.query(`UPDATE passwords SET modification_date = now() - interval '25 hours'`);
  const [row] = await database.query<{ id: string }>(
    `INSERT INTO second_steps (user_id, kind, sealed, confirmation_date)
      SELECT id, 'authenticator-app', '', now() FROM users WHERE login = 'sophie.bohm' RETURNING user_id::text AS id`,
  );
  owner = row!.id;
});
afterAll(() => site.close());

describeInBrowser('The console of accounts', (visits) => {
  const openReset = async (login: string, options = {}) => {
    const visit = await site.open(visits, `/users/${owner}`, { login, ...options });
    await visit.page.getByRole('button', { name: 'Reset the second step' }).click();
    return { ...visit, dialog: visit.page.getByRole('dialog') };
  };

  it('resets a second step that one person asks for and another one confirms', async () => {
    const asking = await openReset('bruno.keller', PHONE);
    await asking.dialog.getByRole('button', { name: 'Ask for a reset' }).click();
    await asking.dialog.getByText(/^You asked for it on .* can confirm it until/).waitFor();
    expect(await asking.dialog.getByRole('button', { name: /^Confirm/ }).count()).toBe(0);
    await expectToFit(asking.page);
    await takePicture(asking.page, 'reset-asked');

    const rejecting = await openReset('chloe.lefevre', { colorScheme: 'dark' });
    await rejecting.dialog.getByText(/^Bruno Keller asked for it on/).waitFor();
    await expectAccessible(rejecting.page);
    await takePicture(rejecting.page, 'reset-confirm');
    expect(rejecting.problems).toEqual([]);
    await rejecting.dialog.getByRole('button', { name: 'Withdraw' }).click();
    await rejecting.page.getByText('The reset is withdrawn').waitFor();

    const again = await openReset('bruno.keller');
    await again.dialog.getByRole('button', { name: 'Ask for a reset' }).click();
    await again.dialog.getByText(/^You asked for it on/).waitFor();
    const confirming = await openReset('chloe.lefevre');
    await confirming.dialog
      .getByRole('button', { name: 'Confirm the reset that Bruno Keller asked for' })
      .click();
    await confirming.page.getByText('The second steps are removed').waitFor();
    const left = await site.server.database.query(`SELECT FROM second_steps`);
    expect(left).toEqual([]);
  });

  it('says in words why the server refuses a reset', async () => {
    const { page, dialog } = await openReset('bruno.keller');
    await dialog.getByRole('button', { name: 'Ask for a reset' }).click();
    await page.getByText('There is no second step').waitFor();
    await takePicture(page, 'reset-refused');
  });

  it('offers a reset to nobody else, and to nobody for themselves', async () => {
    const [own] = await site.server.database.query<{ id: string }>(
      `SELECT id::text FROM users WHERE login = 'bruno.keller'`,
    );
    const { page } = await site.open(visits, `/users/${own!.id}`, { login: 'bruno.keller' });
    await heading(page, 'Bruno Keller').waitFor();
    await page.getByRole('region', { name: 'Access and preview' }).waitFor();
    expect(await page.getByRole('button', { name: 'Reset the second step' }).count()).toBe(0);
  });

  it('names the service account whose session acts for the person', async () => {
    await create(ACCOUNTS, { login: 'intranet', title: 'Intranet' });
    const permissions = ['users:act-for'];
    await create('/api/v2/directory/roles', { reference: 'ACT', label: 'Act', permissions });
    await create(ASSIGNMENTS, { user: 'intranet', role: 'ACT' });
    const keyOf = { name: 'Intranet', expiration: '2099-01-01T00:00:00Z' };
    const { key } = await create(`${ACCOUNTS}/intranet/api-keys`, keyOf);
    const token = await site.server.signIn('intranet', key);
    const exchanged = await site.server.call('/api/v2/authentication/token-exchange', {
      ...{ method: 'POST', token },
      body: {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: 'sophie.bohm',
        subject_token_type: 'urn:process-platform:token-type:login',
      },
    });
    expect(exchanged.status).toBe(200);
    const { page, problems } = await site.open(visits, `/users/${owner}`);
    const named = page.getByText('Intranet, on behalf of this person');
    await named.waitFor();
    await named.scrollIntoViewIfNeeded();
    await takePicture(page, 'session-agent');
    expect(problems).toEqual([]);
  });
});
