import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Page } from 'playwright-core';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  heading,
  PHONE,
  takePicture,
} from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';
import { personLdif, ROOT_DN, ROOT_PASSWORD, Slapd, SLAPD } from '../../support/slapd.js';

const PROVIDERS = '/api/v2/directory/providers';
const ACCOUNTS = '/api/v2/directory/service-accounts';

let site: TestConsole;
let slapd: Slapd | undefined;
/** The ids of an LDAP directory and of a SCIM provider. */
let corp: string;
let entra: string;
let key: string;

async function create(path: string, body: object): Promise<Record<string, string>> {
  const answer = await site.call(path, { method: 'POST', body });
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.body as Record<string, string>;
}

beforeAll(async () => {
  site = await startTestConsole({ SECRETS_KEY: 'a-key-of-the-tests-with-32-characters' });
  slapd = SLAPD === undefined ? undefined : await Slapd.start();
  slapd?.change(
    personLdif('ada', { givenName: 'Ada', userPassword: 'ada-secret' }) +
      personLdif('ben') +
      personLdif('bruno.keller'),
  );
  ({ id: corp } = (await create(PROVIDERS, {
    ...{ reference: 'CORP', label: 'Corporate directory', kind: 'ldap' },
    ldap: {
      urls: [slapd?.url ?? 'ldap://127.0.0.1:1', 'ldap://127.0.0.1:1'],
      ...{ bindDn: ROOT_DN, peopleBase: 'dc=example,dc=org' },
    },
    bindPassword: ROOT_PASSWORD,
  })) as { id: string });
  await create(ACCOUNTS, { login: 'entra', title: 'Entra ID' });
  const permissions = ['scim:provision'];
  await create('/api/v2/directory/roles', { reference: 'SCIM', label: 'SCIM', permissions });
  await create('/api/v2/directory/role-assignments', { user: 'entra', role: 'SCIM' });
  const keyOf = { name: 'Entra ID', expiration: '2099-01-01T00:00:00Z' };
  ({ key } = (await create(`${ACCOUNTS}/entra/api-keys`, keyOf)) as { key: string });
  ({ id: entra } = (await create(PROVIDERS, {
    ...{ reference: 'ENTRA', label: 'Entra ID', kind: 'scim', serviceAccount: 'entra' },
  })) as { id: string });
});
afterAll(async () => {
  await site?.close();
  await slapd?.close();
});

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describeInBrowser('The console of providers', (visits) => {
  const withSlapd = SLAPD === undefined ? it.skip : it;

  withSlapd('tests the connection to a directory, and one of its people', async () => {
    const { page, problems } = await site.open(visits, `/providers/${corp}`);
    await button(page, 'Test the connection').click();
    const tests = section(page, 'Test the directory');
    await tests.getByText(/^ldap:.* First page: 3 people\.$/).waitFor();
    await tests.getByText('ldap://127.0.0.1:1: The server does not answer.').waitFor();
    await expectAccessible(page);
    await takePicture(page, 'provider-connection');
    await tests.getByLabel('Login in the directory').fill('ada');
    await button(page, 'Test a person').click();
    await tests.getByText('A run would create this person.').waitFor();
    await tests.getByText('uid=ada,ou=people,dc=example,dc=org', { exact: true }).waitFor();
    await tests.getByText('Attributes of the entry').click();
    await tests.getByText('secret', { exact: true }).waitFor();
    expect(await tests.textContent()).not.toContain('ada-secret');
    await takePicture(page, 'provider-person');
    await tests.getByLabel('Login in the directory').fill('bruno.keller');
    await button(page, 'Test a person').click();
    await tests.getByText('A run would skip this person: login: The login is taken').waitFor();
    await tests.getByLabel('Login in the directory').fill('nobody');
    await button(page, 'Test a person').click();
    await tests.getByText('The directory has no person with this login.').waitFor();
    expect(problems).toEqual([]);
  });

  withSlapd('takes the password of the account that reads, and never shows it', async () => {
    const { page, problems } = await site.open(visits, `/providers/${corp}`);
    const password = section(page, 'Bind password').getByLabel('New password');
    expect(await password.inputValue()).toBe('');
    await password.fill('a wrong one');
    await button(page, 'Save').click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await button(page, 'Test the connection').click();
    await page.getByText('The directory rejects the account or its password.').waitFor();
    await password.fill(ROOT_PASSWORD);
    await button(page, 'Save').click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    await button(page, 'Test the connection').click();
    await page.getByText('First page: 3 people.').waitFor();
    expect(problems).toEqual([]);
  });

  withSlapd('lists what a dry run would change, and synchronizes', async () => {
    const { page, problems } = await site.open(visits, `/providers/${corp}`);
    const runs = section(page, 'Last runs');
    await button(page, 'Dry run').click();
    const changes = runs.getByRole('table', { name: 'Changes' });
    await changes.getByRole('row', { name: 'Create ada is new in the directory' }).waitFor();
    await changes.getByRole('row', { name: 'Skip bruno.keller login: The login is' }).waitFor();
    await runs.getByText('3 entries read · 2 people created · 1 skipped').waitFor();
    await expectAccessible(page);
    await takePicture(page, 'provider-dry-run');
    expect((await site.call('/api/v2/directory/users/ada')).status).toBe(404);
    await button(page, 'Synchronize').click();
    await runs.getByRole('listitem').nth(1).waitFor();
    await runs.getByText('Done', { exact: true }).nth(1).waitFor();
    expect((await site.call('/api/v2/directory/users/ada')).status).toBe(200);
    expect(problems).toEqual([]);
  });

  it('shows how far a run is, and why it ended', async () => {
    const insert = async (state: string, more = '') => {
      const [row] = await site.server.database.query<{ id: string }>(
        `INSERT INTO provider_runs (provider_id, dry_run, is_full, state, read) VALUES (${corp}, false, true, '${state}', 12)
          RETURNING id::text`,
      );
      if (more !== '')
        await site.server.database.query(`UPDATE provider_runs SET ${more} WHERE id = ${row!.id}`);
      return row!.id;
    };
    // As a run does; without it the server notes within a minute that the process has ended.
    const holder = new pg.Client(site.server.database.connection);
    await holder.connect();
    await holder.query(`SELECT pg_advisory_lock(2026112801, ${corp})`);
    const id = await insert('running');
    const { page, problems } = await site.open(visits, `/providers/${corp}`, PHONE);
    const runs = section(page, 'Last runs');
    await runs.getByText('12 entries read').waitFor();
    expect(await button(page, 'Synchronize').isDisabled()).toBe(true);
    await site.server.database.query(
      `UPDATE provider_runs SET state = 'failed', brake = true, read = 34, end_date = now(), error = 'the brake holds: 9 of 9 people'
        WHERE id = ${id}`,
    );
    await holder.end();
    await runs.getByText('34 entries read').waitFor();
    await runs.getByText('The brake stopped this run. Nothing was changed.').waitFor();
    await runs.getByText('the brake holds: 9 of 9 people').waitFor();
    expect(await button(page, 'Synchronize').isEnabled()).toBe(true);
    await expectToFit(page);
    await runs.scrollIntoViewIfNeeded();
    await takePicture(page, 'provider-brake');
    const before = await runs.getByRole('listitem').count();
    await button(page, 'Go on without the brake').click();
    const dialog = page.getByRole('dialog', { name: 'Go on without the brake' });
    await dialog.getByText('the brake holds: 9 of 9 people').waitFor();
    await expectAccessible(page);
    await takePicture(page, 'provider-without-brake');
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.waitFor({ state: 'detached' });
    await runs.getByRole('listitem').nth(before).waitFor();
    const { body } = await site.call(
      `/api/v2/administration/audit?filters=object.uri:eq:/directory/providers/${corp}&sorter=-id&range=0-1`,
    );
    expect(body).toMatchObject([{ after: { dryRun: true, full: true, withoutBrake: true } }]);
    await page.goto(site.address('/'));
    const banner = page.getByRole('link', { name: /^The brake stopped the last run of / });
    await banner.waitFor();
    await expectToFit(page);
    await takePicture(page, 'provider-banner');
    await banner.click();
    await runs.waitFor();
    expect(problems).toEqual([]);
  });

  it('shows what a SCIM client sent, and what the server answered', async () => {
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/scim+json',
    };
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
    for (const userName of ['zoe', 'zoe'])
      await site.server.call('/scim/v2/Users', {
        ...{ method: 'POST', headers },
        body: { schemas, userName, password: 'a-secret-of-zoe' },
      });
    const { page, problems } = await site.open(visits, `/providers/${entra}`, {
      colorScheme: 'dark',
    });
    const calls = section(page, 'Last calls');
    await calls.getByText('409', { exact: true }).waitFor();
    await calls.getByText('201', { exact: true }).waitFor();
    await calls.getByRole('button', { name: 'Body and answer of POST' }).first().click();
    expect(JSON.parse((await calls.getByLabel('Body', { exact: true }).textContent())!)).toEqual(
      expect.objectContaining({ userName: 'zoe' }),
    );
    await calls.getByText('"scimType": "uniqueness"').waitFor();
    expect(await calls.textContent()).not.toContain('a-secret-of-zoe');
    expect(await button(page, 'Synchronize').count()).toBe(0);
    await expectAccessible(page);
    await calls.scrollIntoViewIfNeeded();
    await takePicture(page, 'provider-calls');
    expect(problems).toEqual([]);
  });

  it('offers tests and runs only to people who change providers', async () => {
    const permissions = ['providers:read'];
    await create('/api/v2/directory/roles', { reference: 'LOOK', label: 'Look', permissions });
    await create('/api/v2/directory/role-assignments', { user: 'chloe.lefevre', role: 'LOOK' });
    const login = 'chloe.lefevre';
    const { page, problems } = await site.open(visits, `/providers/${corp}`, { login });
    await heading(page, 'Corporate directory').waitFor();
    await section(page, 'Last runs').waitFor();
    for (const name of ['Test the connection', 'Test a person', 'Dry run', 'Synchronize'])
      expect(await button(page, name).count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
