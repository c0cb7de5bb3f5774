import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  heading,
  press,
  settled,
  tabTo,
  withoutKeyboard,
} from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { sysadminPassword } from '../../support/test-database.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startTestConsole();
});
afterAll(() => site.close());

describeInBrowser('Console keyboard and mouse', (visits) => {
  it('creates, changes and deletes a group with the keyboard alone', async () => {
    const { page, problems } = await site.open(visits, '/');
    const isAt = async (text: string) =>
      eventually(async () =>
        expect(await page.evaluate(`document.activeElement.textContent.trim()`)).toBe(text),
      );
    const open = async (role: 'link' | 'button', name: string) => {
      await tabTo(page, page.getByRole(role, { name, exact: true }));
      await press(page, 'Enter');
    };
    await heading(page, /^Hello, Alice/).waitFor();
    await press(page, 'Tab');
    await isAt('Skip to content');
    await open('link', 'Groups');
    await isAt('Groups');
    await open('link', 'Create');
    await isAt('New group');
    await tabTo(page, page.getByLabel('Label'));
    await page.keyboard.type('Keyboard choir');
    await press(page, 'Enter');
    await isAt('Keyboard choir');
    await tabTo(page, page.getByLabel('Description'));
    await page.keyboard.type('Sings');
    await open('button', 'Save');
    await page.getByText('Saved', { exact: true }).waitFor();
    await isAt('Keyboard choir');
    await open('button', 'Delete');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await isAt('Delete');
    await press(page, 'Enter');
    await page.getByRole('dialog').waitFor();
    await open('button', 'Delete');
    await isAt('Groups');
    expect(problems).toEqual([]);
  });

  it('finds and closes a task with the keyboard alone', async () => {
    const [task] = (await site.read(
      '/api/v2/process/tasks?range=0-1&filters=title:starts:Printer%20P-&filters=status:eq:open',
    )) as unknown as { title: string }[];
    const { title } = task!;
    const { page, problems } = await site.open(visits, '/tasks');
    await heading(page, 'Tasks').waitFor();
    await tabTo(page, page.getByRole('searchbox', { name: 'Search' }));
    await page.keyboard.type(title.toLowerCase());
    await page.getByText('1-1 of 1').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Filter', exact: true }));
    await press(page, 'Enter');
    await page.getByLabel('Attribute').waitFor();
    // The arrow key opens the list at its first entry; a letter moves to the entry that begins with it.
    await press(page, 'ArrowDown');
    await page.getByRole('option', { name: 'Status', exact: true }).waitFor();
    await press(page, 's', 't', 'Enter');
    await tabTo(page, page.getByRole('dialog').getByLabel('Value'));
    await press(page, 'ArrowDown');
    await page.getByRole('option', { name: 'Open', exact: true }).waitFor();
    await press(page, 'o', 'Enter');
    await tabTo(page, page.getByRole('button', { name: 'Add filter' }));
    await press(page, 'Enter');
    await page.getByRole('button', { name: 'Status is Open' }).waitFor();
    await tabTo(page, page.getByRole('link', { name: title }));
    await press(page, 'Enter');
    await heading(page, title).waitFor();
    await tabTo(page, page.locator('[data-attribute=status] [role=combobox]'));
    await press(page, 'ArrowDown');
    await page.getByRole('option', { name: 'Done', exact: true }).waitFor();
    await press(page, 'd', 'Enter');
    await tabTo(page, page.getByRole('button', { name: 'Save', exact: true }));
    await press(page, 'Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await site.read(`/api/v2/process/tasks/${page.url().split('/').at(-1)}`)).status).toBe(
      'done',
    );
    await tabTo(page, page.getByRole('button', { name: 'Account' }));
    await press(page, 'Enter');
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await press(page, 'ArrowDown', 'Enter');
    await heading(page, 'Sign in').waitFor();
    expect(problems).toEqual([]);
  });

  it('filters, edits, previews and signs out with the mouse alone', async () => {
    const { page, problems } = await site.open(visits, '/');
    const { keys } = await withoutKeyboard(page);
    const menu = (name: string) =>
      page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    const choose = async (label: string, option: string | RegExp) => {
      await page.getByLabel(label, { exact: true }).last().click();
      await page.getByRole('option', { name: option }).first().click();
    };
    await menu('Users');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await choose('Attribute', /^Status$/);
    await choose('Value', /^Invited$/);
    await page.getByRole('button', { name: 'Add filter' }).click();
    const chip = page.getByRole('button', { name: 'Status is Invited' });
    await chip.waitFor();
    await page.getByRole('button', { name: /sort by login/i }).click();
    await settled(page);
    const invited = await site.call(
      '/api/v2/directory/users?range=0-500&filters=status:eq:2&sorter=login',
    );
    const people = invited.body as { title: string }[];
    await page.getByText(`of ${people.length}`).waitFor();
    await page.locator('tbody tr').first().getByText(people[0]!.title).waitFor();
    await chip.locator('svg').click();
    await chip.waitFor({ state: 'detached' });

    await menu('Applications');
    await page.getByRole('link', { name: 'Meeting rooms' }).click();
    await heading(page, 'Meeting rooms').waitFor();
    await page.locator('[data-attribute=tileColor] [role=combobox]').click();
    await page.getByRole('option', { name: 'Teal' }).click();
    await page.locator('[data-attribute=audience] input').click();
    await page.getByRole('option', { name: /^Works council/ }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const id = page.url().split('/').at(-1)!;
    const { tileColor, audience } = await site.read(`/api/v2/navigation/applications/${id}`);
    expect([tileColor, (audience as { label: string }[]).map(({ label }) => label)]).toEqual([
      'teal',
      ['Works council'],
    ]);

    await menu('Tasks');
    await page.locator('tbody input[type=checkbox]').nth(1).check();
    await page.locator('tbody input[type=checkbox]').nth(2).check();
    await page.getByRole('button', { name: 'Set “Status”' }).click();
    await page.getByRole('dialog').getByRole('combobox').click();
    await page.getByRole('option', { name: 'Cancelled' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('2 entries done').waitFor();

    await menu('See the workplace as…');
    await page.getByLabel('Person').click();
    await page.getByRole('option').first().click();
    await page.getByText(/^The workplace of /).waitFor();
    await menu('Audit trail');
    await page.getByLabel('What was done').click();
    await page.getByRole('option', { name: 'changed', exact: true }).click();
    const line = page.locator('li', { hasText: 'Meeting rooms' }).first();
    await line.getByRole('button', { name: 'What changed' }).click();
    await line.getByRole('cell', { name: 'teal' }).waitFor();
    await page.getByRole('button', { name: 'Appearance' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    expect(await keys()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('sets parameters with the keyboard alone, and with the mouse alone', async () => {
    const { page, problems } = await site.open(visits, '/parameters', {
      login: 'sysadmin',
      password: sysadminPassword(),
    });
    const change = page.getByRole('button', { name: 'Change security.Password.history' });
    await change.waitFor();
    await tabTo(page, change);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Value').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await page.getByText('Default: 5').waitFor();
    await eventually(async () =>
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
        'Change security.Password.history',
      ),
    );
    const { keys } = await withoutKeyboard(page);
    await page.getByRole('button', { name: 'Change security.Password.specialCharacter' }).click();
    await page.getByRole('dialog').locator('label', { hasText: 'Yes' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Default: Yes').waitFor();
    expect(await keys()).toBe(0);
    const rules = await site.server.call('/api/v2/directory/password-rules');
    expect(rules.body).toMatchObject({ history: 7, 'special-char': false });
    expect(problems).toEqual([]);
  });
});
