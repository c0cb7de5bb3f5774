import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, heading } from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { sysadminPassword } from '../../support/test-database.js';
import { idOf } from '../../support/id-of.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startTestConsole();
});
afterAll(() => site.close());

describeInBrowser('Console administration', (visits) => {
  it('shows the server parameters in the menu only to sysadmin', async () => {
    for (const [login, count] of [
      ['alice.martin', 0],
      ['sysadmin', 1],
    ] as const) {
      const { page } = await site.open(visits, '/', { login });
      await page.getByRole('link', { name: 'Audit trail' }).first().waitFor();
      expect(await page.getByRole('link', { name: 'Server parameters' }).count()).toBe(count);
    }
  });

  it('changes a parameter, and asks again before the author is locked out', async () => {
    const { page, problems } = await site.open(visits, '/parameters', {
      login: 'sysadmin',
      password: sysadminPassword(),
    });
    await page.getByRole('button', { name: 'Change security.Lock.failures' }).click();
    await page.getByRole('dialog').getByLabel('Value').fill('1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('dialog')
      .getByText(/3 to 50/)
      .last()
      .waitFor();
    await page.getByRole('dialog').getByLabel('Value').fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Default: 10').waitFor();
    await page
      .getByRole('button', {
        name: 'Change security.Authentication.allowedAddresses.sysadmin',
      })
      .click();
    await page.getByRole('dialog').getByLabel('Value').fill('10.0.0.1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This would lock you out.').waitFor();
    await page.getByText('Your address is not in this list').waitFor();
    await expectAccessible(page);
    const value = async () =>
      (
        await site.server.database.query(
          `SELECT value FROM parameters WHERE key = 'security.Authentication.allowedAddresses.sysadmin'`,
        )
      )[0]?.value as string;
    expect(await value()).not.toBe('10.0.0.1');
    await page.getByRole('button', { name: 'Set it anyway' }).click();
    await eventually(async () => expect(await value()).toBe('10.0.0.1'));
    expect(problems.filter((problem) => !/40[019]/.test(problem))).toEqual([]);

    await page.goto(site.address('/parameters'));
    const audit = await site.call(
      '/api/v2/administration/audit?filters=action:eq:set-parameter&sorter=-id&range=0-1',
    );
    expect((audit.body as { after: unknown }[])[0]?.after).toEqual({ value: '10.0.0.1' });
  });

  it('folds the filters of the audit trail away on a phone', async () => {
    const { page, problems } = await site.open(visits, '/audit', {
      viewport: { width: 360, height: 740 },
    });
    await page.locator('main li').first().waitFor();
    const who = page.getByRole('searchbox', { name: 'Who' });
    expect(await who.count()).toBe(0);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await who.fill('alice');
    await page.getByRole('button', { name: 'Filters (1)', expanded: true }).click();
    await who.waitFor({ state: 'detached' });
    expect(page.url()).toContain('actor.reference%40contains');
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

  it('keeps a filter that is chosen just after text was typed', async () => {
    const { page, problems } = await site.open(visits, '/audit');
    await page.locator('main li').first().waitFor();
    // Both in the same moment, which no real user could do reliably.
    await page.evaluate(`{
      const put = (field, value) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, value);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      };
      put(document.querySelector('main input[type=search]'), 'alice');
      put(document.querySelector('main .MuiSelect-nativeInput'), 'create');
    }`);
    await page.waitForURL(/actor.reference%40contains/);
    expect(page.url()).toContain('action%40eq');
    expect(problems).toEqual([]);
  });

  it('shows changes, their authors and their objects in the audit trail', async () => {
    await site.call('/api/v2/directory/groups', {
      method: 'POST',
      body: { label: 'Audited choir' },
    });
    const { page, problems } = await site.open(visits, '/audit');
    await page.getByRole('searchbox', { name: 'Who' }).fill('alice');
    await page.getByLabel('What was done').click();
    await page.getByRole('option', { name: 'created', exact: true }).click();
    const line = page.locator('li', { hasText: 'Audited choir' }).first();
    await line.getByRole('button', { name: 'What changed' }).click();
    await line.getByRole('cell', { name: 'Audited choir' }).waitFor();
    await expectAccessible(page);
    await line.getByRole('link', { name: 'Group Audited choir' }).click();
    await heading(page, 'Audited choir').waitFor();
    // A key has a name too, but the row shows the name of its user.
    const alice = await idOf(site.server, 'users', 'alice.martin');
    await site.call(`/api/v2/directory/users/${alice}/api-keys`, {
      method: 'POST',
      body: { name: 'Nightly', expiration: null, addresses: null },
    });
    await page.goto(site.address('/audit'));
    await page.getByLabel('What was done').click();
    await page.getByRole('option', { name: 'Anything', exact: true }).click();
    const made = page.locator('li', { hasText: 'API key created' }).first();
    await made.getByRole('link', { name: 'User Alice Martin' }).waitFor();
    await made.getByRole('button', { name: 'What changed' }).click();
    await made.getByRole('cell', { name: 'Nightly' }).waitFor();
    expect(await made.getByRole('rowheader').allInnerTexts()).toEqual([
      'Name',
      'Beginning of the key',
    ]);
    expect(problems).toEqual([]);
  });
});
