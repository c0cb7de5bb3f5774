import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  heading,
  PHONE,
  settled,
  takePicture,
} from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { idOf } from '../../support/id-of.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startTestConsole();
});
afterAll(() => site.close());

describeInBrowser('Console tiles', (visits) => {
  it('order categories with the keyboard and with the mouse', async () => {
    const { page, problems } = await site.open(visits, '/reorder');
    const first = page.getByRole('button', { name: 'Move Everyday' });
    await first.focus();
    await page.keyboard.press('Space');
    await page.getByText('Everyday is at place 1.').waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowDown');
    await page.getByText('Everyday is at place 2.').waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
    await page.getByText('The order is saved').waitFor();
    const titles = async () => {
      const list = await site.call('/api/v2/navigation/categories?sorter=position,title');
      return (list.body as { title: string }[]).slice(0, 2).map(({ title }) => title);
    };
    expect(await titles()).toEqual(['People and careers', 'Everyday']);
    await settled(page);

    const [handle, target] = await Promise.all(
      ['Move Everyday', 'Move People and careers'].map((name) =>
        page.getByRole('button', { name }).boundingBox(),
      ),
    );
    await page.mouse.move(handle!.x + 10, handle!.y + 10);
    await page.mouse.down();
    await page.mouse.move(handle!.x + 10, handle!.y - 5, { steps: 4 });
    await page.mouse.move(target!.x + 10, target!.y + 4, { steps: 6 });
    await page.mouse.up();
    await eventually(async () =>
      expect(await titles()).toEqual(['Everyday', 'People and careers']),
    );
    await settled(page);
    expect(problems).toEqual([]);
  });

  it('are stored in the last order when they move again before the first is stored', async () => {
    const { page, problems } = await site.open(visits, '/reorder');
    const positions = async () => {
      const list = await site.call('/api/v2/navigation/categories?sorter=position,title');
      return (list.body as { title: string; position: number }[]).slice(0, 3);
    };
    const [first, second, third] = (await positions()).map(({ title }) => title);
    const move = async (title: string, ...places: number[]) => {
      await page.getByRole('button', { name: `Move ${title}`, exact: true }).focus();
      await page.keyboard.press('Space');
      await page.getByText(`${title} is at place`).waitFor({ state: 'attached' });
      for (const place of places) {
        await page.keyboard.press('ArrowUp');
        await page.getByText(`${title} is at place ${place}.`).waitFor({ state: 'attached' });
      }
      await page.keyboard.press('Space');
      await page.getByText(`${title} was dropped at place`).waitFor({ state: 'attached' });
    };
    let pass: () => void;
    const passed = new Promise<void>((resolve) => (pass = resolve));
    await page.route('**/navigation/categories/*', async (route) => {
      if (route.request().method() === 'PATCH') await passed;
      await route.continue();
    });
    await move(third!, 2, 1);
    await move(second!, 2);
    pass!();
    await page.getByText('The order is saved').waitFor();
    const stored = await positions();
    expect(stored.map(({ title }) => title)).toEqual([third, second, first]);
    expect(new Set(stored.map(({ position }) => position)).size).toBe(3);
    expect(problems).toEqual([]);
  });

  it('leave room between the fields of their form', async () => {
    const { page } = await site.open(visits, '/applications/create');
    const fields = page.locator('[data-attribute=translations] .MuiTextField-root');
    await fields.first().waitFor();
    const boxes = (await Promise.all((await fields.all()).map((one) => one.boundingBox()))) as {
      y: number;
      height: number;
    }[];
    expect(boxes.length).toBeGreaterThan(3);
    const gaps = boxes.slice(1).map(({ y }, at) => y - boxes[at]!.y - boxes[at]!.height);
    // The label of a field stands on its border, and half of it above.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(16);
  });

  it('start hidden, and the form says who sees them', async () => {
    const { page, problems } = await site.open(visits, '/applications/create');
    const hidden = page.getByText('Hidden: people do not see this tile.');
    await hidden.waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Parking');
    await page.locator('[data-attribute=type] [role=combobox]').click();
    await page.getByRole('option', { name: /link/i }).click();
    const noLink = page.getByText('Without a link, the tile opens nothing.');
    await noLink.waitFor();
    await page.locator('[data-attribute=link] input').fill('https://parking.example/');
    await noLink.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await heading(page, 'Parking').waitFor();
    const id = page.url().split('/').at(-1)!;
    const isActive = async () =>
      (await site.read(`/api/v2/navigation/applications/${id}`)).active as boolean;
    expect(await isActive()).toBe(false);
    await hidden.waitFor();
    await page.locator('[data-attribute=active] input').check();
    await page.getByText('In no category: people do not see this tile.').waitFor();
    await expectAccessible(page);
    const everyone = page.getByText('Everyone sees this tile: it has no audience.');
    expect(await everyone.count()).toBe(0);
    await page.locator('[data-attribute=categories] input').fill('everyday');
    await page.getByRole('option', { name: /^Everyday/ }).click();
    await everyone.waitFor();
    expect(await page.getByRole('region', { name: 'Tasks behind the tile' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await isActive()).toBe(true);
    expect(problems).toEqual([]);
  });

  it('are set up with their view in one form, which counts tasks for a chosen person', async () => {
    const { page, problems } = await site.open(visits, '/applications/create');
    const views = async () =>
      (await site.call('/api/v2/process/views?range=0-500')).body as object[];
    const before = (await views()).length;
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Repairs');
    await page.locator('[data-attribute=type] [role=combobox]').click();
    await page.getByRole('option', { name: /process/i }).click();
    await page.getByLabel('Create a view with the tile').check();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.locator('[data-attribute="view.label"] [aria-invalid=true]').waitFor();
    expect((await views()).length).toBe(before);

    await page.getByLabel('Start from an existing view').fill('expense');
    await page.getByRole('option').first().click();
    const filters = page.locator('[data-attribute="view.filters"]');
    await filters.getByText('Status is Open').waitFor();
    const label = page.locator('[data-attribute="view.label"] input');
    await eventually(async () => expect(await label.inputValue()).not.toBe(''));
    await label.fill('Open repairs');
    await filters.getByRole('button', { name: 'Add filter' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add filter' });
    await dialog.getByLabel('Attribute').click();
    await page.getByRole('option', { name: 'Group', exact: true }).click();
    await dialog.getByLabel('Condition').click();
    await page.getByRole('option', { name: 'is a group of the signed-in person' }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add filter' }).click();
    await filters.getByText('Group is a group of the signed-in person').waitFor();

    await page.getByLabel('Preview for').fill('bruno');
    await page.getByRole('option', { name: /^Bruno Keller/ }).click();
    const said = page.getByText(/^Bruno Keller would see \d+ tasks? of “Expense claims”\.$/);
    const user = await idOf(site.server, 'users', 'bruno.keller');
    const application = await idOf(site.server, 'applications', 'EXPENSES');
    const { count } = await site.read(
      `/api/v2/process/views/preview?user=${user}&application=${application}&filters=status:eq:open&filters=group:eq:@mygroups`,
    );
    expect(await said.innerText()).toContain(`see ${String(count)} task`);

    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await heading(page, 'Repairs').waitFor();
    const made = await site.read(
      `/api/v2/navigation/applications/${page.url().split('/').at(-1)!}`,
    );
    const { uri } = made.view as { uri: string };
    expect(await site.read(`/api/v2${uri}`)).toMatchObject({
      label: 'Open repairs',
      filters: ['status:eq:open', 'group:eq:@mygroups'],
      application: { uri: made.uri },
    });
    expect((await views()).length).toBe(before + 1);
    expect(problems).toEqual([]);
  });

  it('change the view of an application, or create another one, in the form of the application', async () => {
    const id = await idOf(site.server, 'applications', 'EXPENSES');
    const { page, problems } = await site.open(visits, `/applications/${id}`);
    const read = () => site.read(`/api/v2/navigation/applications/${id}`);
    const before = await read();
    const { uri, label } = before.view as { uri: string; label: string };
    const old = await site.read(`/api/v2${uri}`);
    const save = async () => {
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Saved', { exact: true }).waitFor();
      await page.locator('[data-attribute="view.label"]').waitFor({ state: 'detached' });
      expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    };
    const name = page.locator('[data-attribute="view.label"] input');

    await page.getByLabel('Change the view in this form').check();
    await name.waitFor();
    expect(await name.inputValue()).toBe(label);
    await page.getByLabel('Preview for').fill('bruno');
    await page.getByRole('option', { name: /^Bruno Keller/ }).click();
    await page.getByText(/^Bruno Keller would see \d+ tasks? of “Expense claims”\.$/).waitFor();
    await expectAccessible(page);
    await takePicture(page, 'tile-form-change');
    await name.fill('');
    // The server allows eight attributes.
    const sorter = page.locator('[data-attribute="view.sorter"]');
    const chips = sorter.locator('.MuiChip-root');
    await sorter.locator('input').focus();
    for (let keys = await chips.count(); keys < 9; keys++)
      for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await eventually(async () => expect(await chips.count()).toBe(9));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('[data-attribute="view.label"] [aria-invalid=true]').waitFor();
    await name.fill(label);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await sorter.locator('[aria-invalid=true]').waitFor();
    await expectAccessible(page);
    await sorter.getByText('at most 8 attributes', { exact: false }).waitFor();
    expect(await site.read(`/api/v2${uri}`)).toEqual(old);
    await sorter.locator('input').focus();
    for (let keys = await chips.count(); keys > 0; keys--) await page.keyboard.press('Backspace');
    await eventually(async () => expect(await chips.count()).toBe(0));
    await sorter.locator('input').fill('due');
    await page.getByRole('option', { name: 'Due, descending', exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('option', { name: 'Due, descending', exact: true }).click();
    expect(await chips.allInnerTexts()).toEqual(['Due, descending']);
    await sorter.locator('input').fill('due');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    await sorter.locator('input').fill('');
    await page.keyboard.press('Tab');
    await save();
    expect(await site.read(`/api/v2${uri}`)).toMatchObject({
      reference: old.reference,
      columns: old.columns,
      filters: old.filters,
      translations: old.translations,
      label,
      sorter: '-dueDate',
    });
    const { modificationDate } = await read();
    expect(modificationDate).toBe(before.modificationDate);

    await page.locator('[data-attribute=view] input').fill('');
    await page.keyboard.press('Tab');
    await page.getByLabel('Create a new view').check();
    await name.fill('Closed claims');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Expenses');
    await expectAccessible(page);
    await save();
    const after = await read();
    expect(after).toMatchObject({ title: 'Expenses', view: { label: 'Closed claims' } });
    expect(await site.read(`/api/v2${(after.view as { uri: string }).uri}`)).toMatchObject({
      filters: ['status:eq:open'],
      application: { uri: before.uri },
    });
    expect(await site.read(`/api/v2${uri}`)).toMatchObject({ label, sorter: '-dueDate' });
    expect(problems).toEqual([expect.stringContaining('status of 400')]);
  });

  it('do not overwrite a view that another administrator has changed meanwhile, also on a phone', async () => {
    const id = await idOf(site.server, 'applications', 'LEAVE');
    const { uri } = (await site.read(`/api/v2/navigation/applications/${id}`)).view as {
      uri: string;
    };
    const { page } = await site.open(visits, `/applications/${id}`, {
      viewport: PHONE,
      colorScheme: 'dark',
    });
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    const name = page.locator('[data-attribute="view.label"] input');
    await page.getByLabel('Change the view in this form').check();
    await name.fill('Mine');
    await title.fill('Also mine');
    await expectToFit(page);
    await expectAccessible(page);
    await name.scrollIntoViewIfNeeded();
    await takePicture(page, 'tile-form-phone');
    const body = [{ op: 'replace', path: '/label', value: 'Theirs' }];
    await site.call(`/api/v2${uri}`, { method: 'PATCH', body });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Another person has changed this since you opened it/).waitFor();
    expect(await site.read(`/api/v2${uri}`)).toMatchObject({ label: 'Theirs' });
    expect((await site.read(`/api/v2/navigation/applications/${id}`)).title).not.toBe('Also mine');

    await page.getByLabel('Change the view in this form').uncheck();
    await name.waitFor({ state: 'detached' });
    await page.getByLabel('Change the view in this form').check();
    await name.waitFor();
    expect(await name.inputValue()).toBe('Theirs');
    expect(await title.inputValue()).toBe('Also mine');
  });

  it('preview a tile while its title and audience change', async () => {
    const id = await idOf(site.server, 'applications', 'CRM');
    const { page, problems } = await site.open(visits, `/applications/${id}`);
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Customers, new');
    await page
      .getByText('Tile as people see it')
      .locator('..')
      .getByText('Customers, new')
      .waitFor();
    await page.locator('[data-attribute=audience] input').fill('choir');
    await page.getByText('Nothing found').waitFor();
    await page.locator('[data-attribute=audience] input').fill('expense');
    await page.getByRole('option', { name: /^Expense approvers/ }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { audience } = await site.read(`/api/v2/navigation/applications/${id}`);
    expect((audience as { uri: string }[]).map(({ uri }) => uri)).toContain(
      `/directory/groups/${await idOf(site.server, 'groups', 'EXPENSE-APPROVERS')}`,
    );
    expect(problems).toEqual([]);
  });

  it('show the workplace of another person, and the tiles hidden from them', async () => {
    const { page, problems } = await site.open(visits, '/view-as');
    await page.getByLabel('Person').fill('chloe');
    await page.getByRole('option', { name: /^Chloé Lefèvre/ }).click();
    await page.getByText('The workplace of Chloé Lefèvre').waitFor();
    const preview = (await site.read(
      `/api/v2/navigation/preview?user=${await idOf(site.server, 'users', 'chloe.lefevre')}`,
    )) as unknown as {
      applications: { application: { label: string }; shown: boolean }[];
    };
    const hidden = preview.applications.find(({ shown }) => !shown)!;
    await page
      .locator('li', { hasText: hidden.application.label })
      .getByText('hidden', { exact: true })
      .waitFor();
    expect(problems).toEqual([]);
  });
});
