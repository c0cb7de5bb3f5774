import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, settled, type Visit } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { FOLDERS } from '../../support/id-of.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';

/**
 * Writes every attribute that `/attributes` lists as writable through the console's forms, on creation and again
 * as a change. The API and the reloaded form must both show the written value.
 */

interface Attribute {
  name: string;
  type: string;
  writable: boolean;
  maxLength: number | null;
}

interface Ref {
  label: string;
}

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('alice.martin');
});
afterAll(() => server.close());

/** A text for an attribute, in its format where the server validates one. */
function textFor({ name, maxLength }: Attribute, round: number): string {
  if (/^(link|helpLinkJS|downloadUrl|webSite)$/.test(name)) return `/somewhere/${round}`;
  if (name === 'login' || name === 'reference') return `form.${name}.${round}`;
  if (name === 'email') return `somebody.${round}@helvion.example`;
  if (/phoneNumber$/i.test(name)) return `+41 44 555 01 0${round}`;
  return `Écrit “${name}” ${round}`.slice(0, maxLength ?? undefined);
}

/** The texts of a list. */
const textsFor = ({ name }: Attribute, round: number): string[] =>
  name === 'columns'
    ? round === 1
      ? ['title', 'dueDate']
      : ['priority']
    : [`status:eq:${round === 1 ? 'open' : 'done'}`, 'assignee:eq:@me'];

/** The choices that make a filter. */
const FILTERS: Record<string, { attribute: string; condition: string; value?: string }> = {
  'status:eq:open': { attribute: 'Status', condition: 'is', value: 'Open' },
  'status:eq:done': { attribute: 'Status', condition: 'is', value: 'Done' },
  'assignee:eq:@me': { attribute: 'Assignee', condition: 'is the signed-in person' },
};

const moments = ['2027-03-04T05:06', '2028-07-08T09:10'];

/** The part of a form that belongs to an attribute. */
const partOf = (page: Page, { name }: Attribute): Locator =>
  page.locator(`[data-attribute="${name}"]`);

/** Writes an attribute and returns the value that the API must show afterwards. */
async function write(page: Page, attribute: Attribute, round: number): Promise<unknown> {
  const part = partOf(page, attribute);
  switch (attribute.type) {
    case 'number':
      await part.locator('input').fill(String(40 + round));
      return 40 + round;
    case 'timestamp':
      await part.locator('input').fill(moments[round - 1]!);
      return `${moments[round - 1]!}:00.000Z`;
    case 'boolean': {
      const box = part.locator('input[type=checkbox]');
      const wanted = !(await box.isChecked());
      await box.setChecked(wanted);
      return wanted;
    }
    case 'coded':
      return choose(page, part, round);
    case 'link':
      return pick(page, part, round);
    case 'links':
      await clear(part);
      return [await pick(page, part, round), await pick(page, part, round)].sort();
    case 'texts':
    case 'object':
      if (attribute.name === 'translations') return translate(part, round);
      await clear(part);
      for (const text of textsFor(attribute, round)) {
        if (attribute.name === 'columns') await pickNamed(page, part, COLUMN_NAMES[text]!);
        else await buildFilter(page, part, text);
      }
      return textsFor(attribute, round);
    default:
      if (attribute.name === 'sorter') return sort(page, part, round);
      await part.locator('input, textarea:not([aria-hidden])').fill(textFor(attribute, round));
      return textFor(attribute, round);
  }
}

/** Selects a code that is not selected yet. */
async function choose(page: Page, part: Locator, round: number): Promise<unknown> {
  await part.getByRole('combobox').click();
  const options = page.locator(
    '[role=option][data-value]:not([data-value=""]):not([aria-selected=true])',
  );
  const option = options.nth(round === 1 ? 0 : (await options.count()) - 1);
  const code = await option.getAttribute('data-value');
  await option.click();
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  return /^\d+$/.test(code ?? '') ? Number(code) : code;
}

/** Selects one of the offered records and returns its label. */
async function pick(page: Page, part: Locator, round: number): Promise<string> {
  await part.locator('input').click();
  const options = page.locator('[role=option]:not([aria-selected=true])');
  await options.first().waitFor();
  const option = options.nth(Math.min(round, (await options.count()) - 1));
  const label = await option.locator('span').first().innerText();
  // The server may answer a search between the reading and the click, and replace the options.
  await options.filter({ hasText: label }).first().click();
  await part.locator('input').press('Escape');
  await isChosen(part, label);
  return label;
}

/** Waits until the form shows a record as chosen, in the field itself or as a chip. */
async function isChosen(part: Locator, label: string): Promise<void> {
  const chip = part.locator('.MuiChip-label');
  await eventually(async () => {
    const texts = [...(await chip.allInnerTexts()), await part.locator('input').inputValue()];
    expect(texts).toContain(label);
  });
}

const COLUMN_NAMES: Record<string, string> = {
  title: 'Title',
  dueDate: 'Due',
  priority: 'Priority',
};

/** Selects an offered name with the keyboard. */
async function pickNamed(page: Page, part: Locator, name: string): Promise<void> {
  await part.locator('input').fill(name);
  await page.getByRole('option', { name, exact: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

/** Chooses the order of a view, and returns it as the API writes it. */
async function sort(page: Page, part: Locator, round: number): Promise<string> {
  await clear(part);
  const names = round === 1 ? ['Priority, descending', 'Due, ascending'] : ['Title, ascending'];
  for (const name of names) await pickNamed(page, part, name);
  return round === 1 ? '-priority,dueDate' : 'title';
}

/** Chooses attribute, condition and value of a filter. */
async function buildFilter(page: Page, part: Locator, text: string): Promise<void> {
  const { attribute, condition, value } = FILTERS[text]!;
  await part.getByRole('button', { name: 'Add filter' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add filter' });
  const select = async (label: string, option: string) => {
    await dialog.getByLabel(label).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await select('Attribute', attribute);
  await select('Condition', condition);
  if (value !== undefined) await select('Value', value);
  await dialog.getByRole('button', { name: 'Add filter' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Fills in the first text in two languages in the first round, and in one in the second. */
async function translate(part: Locator, round: number): Promise<unknown> {
  const written: Record<string, Record<string, string>> = {};
  for (const language of ['de', 'fr']) {
    const input = part.locator(`input[lang=${language}]`).first();
    const text = round === 2 && language === 'de' ? '' : `${language} ${round}`;
    await input.fill(text);
    const name = (await input.getAttribute('name'))!.split('.').at(-1)!;
    if (text !== '') written[language] = { [name]: text };
  }
  return written;
}

async function translationsIn(part: Locator): Promise<unknown> {
  const found: Record<string, Record<string, string>> = {};
  for (const input of await part.locator('input').all()) {
    const [, language = '', name = ''] = (await input.getAttribute('name'))!.split('.');
    const text = await input.inputValue();
    if (text !== '') found[language] = { ...found[language], [name]: text };
  }
  return found;
}

async function clear(part: Locator): Promise<void> {
  const chips = part.locator('.MuiChip-deleteIcon');
  while ((await chips.count()) > 0) await chips.first().click();
}

/** The value of an attribute in the form, in the format of the API. */
async function read(page: Page, attribute: Attribute): Promise<unknown> {
  const part = partOf(page, attribute);
  switch (attribute.type) {
    case 'number':
      return Number(await part.locator('input').inputValue());
    case 'timestamp':
      return `${await part.locator('input').inputValue()}:00.000Z`;
    case 'boolean':
      return part.locator('input[type=checkbox]').isChecked();
    case 'coded': {
      const code = await part.locator('input').inputValue();
      return /^\d+$/.test(code) ? Number(code) : code;
    }
    case 'links':
      return (await part.locator('.MuiChip-label').allInnerTexts()).sort();
    case 'texts':
    case 'object':
      if (attribute.name === 'translations') return translationsIn(part);
      return part.locator('.MuiChip-label').allInnerTexts();
    default:
      if (attribute.name === 'sorter') return part.locator('.MuiChip-label').allInnerTexts();
      return part.locator('input, textarea:not([aria-hidden])').inputValue();
  }
}

/** What programs write, and no form. */
const OF_PROGRAMS: Record<string, string[]> = {
  tasks: [
    ...['source', 'externalId', 'sourceVersion', 'correlationId', 'variables', 'outcomes'],
    ...['outcome', 'comment'],
  ],
};

/** The texts that the form shows for lists of codes. */
const SHOWN_AFTER_RELOAD: Record<string, string[]> = {
  columns: ['Priority'],
  sorter: ['Title, ascending'],
  filters: ['Status is Done', 'Assignee is the signed-in person'],
};

/** The value of an attribute in the API, in the format of `write`. */
function shown(attribute: Attribute, value: unknown): unknown {
  if (attribute.type === 'link') return (value as Ref | null)?.label;
  if (attribute.type === 'links') return (value as Ref[]).map(({ label }) => label).sort();
  return value;
}

describeInBrowser('the forms of /console', (visits) => {
  /** One tab visits all resources, one after another. */
  let visit: Visit | undefined;
  it.each(Object.entries(FOLDERS))(
    'write and read every writable attribute of %s',
    async (resource, folder) => {
      const path = `/api/v2/${folder}/${resource}`;
      const described = (await server.call(`${path}/attributes`, { token })).body as Attribute[];
      const writable = described.filter(
        (attribute) => attribute.writable && !OF_PROGRAMS[resource]?.includes(attribute.name),
      );
      expect(writable.length).toBeGreaterThan(3);
      const address = `http://127.0.0.1:${server.port}/console/${resource}/create`;
      if (visit) await visit.page.goto(address);
      visit ??= await visits.open(address, { timezoneId: 'UTC', token, isKept: true });
      const { page, problems } = visit;
      await page.getByRole('button', { name: 'Create', exact: true }).waitFor();

      const created: Record<string, unknown> = {};
      for (const attribute of writable)
        // A tile opens a view of its own application, which does not exist before it is created here.
        if (attribute.name !== 'view') created[attribute.name] = await write(page, attribute, 1);
      await page.getByRole('button', { name: 'Create' }).click();
      await page.waitForURL(/\/\d+$/);
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
      await settled(page);
      const id = page.url().split('/').at(-1)!;
      const first = (await server.call(`${path}/${id}`, { token })).body as Record<string, unknown>;
      for (const attribute of writable)
        if (attribute.name !== 'view')
          expect([attribute.name, shown(attribute, first[attribute.name])]).toEqual([
            attribute.name,
            created[attribute.name],
          ]);

      if (resource === 'applications')
        for (const label of ['First view', 'Second view', 'Third view'])
          await server.call('/api/v2/process/views', {
            token,
            method: 'POST',
            body: { label, application: id },
          });
      const changed: Record<string, unknown> = {};
      // The second round makes a link tile, which has no field for a view.
      const last = [...writable].sort(
        (a, b) => Number(b.name === 'view') - Number(a.name === 'view'),
      );
      for (const attribute of last) changed[attribute.name] = await write(page, attribute, 2);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Saved', { exact: true }).waitFor();
      const second = (await server.call(`${path}/${id}`, { token })).body as Record<
        string,
        unknown
      >;
      for (const attribute of writable)
        expect([attribute.name, shown(attribute, second[attribute.name])]).toEqual([
          attribute.name,
          changed[attribute.name],
        ]);

      await page.reload();
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
      await settled(page);
      for (const attribute of writable) {
        const wanted = SHOWN_AFTER_RELOAD[attribute.name] ?? changed[attribute.name];
        expect([attribute.name, await read(page, attribute)]).toEqual([attribute.name, wanted]);
      }
      expect(problems.splice(0)).toEqual([]);
    },
  );
});
