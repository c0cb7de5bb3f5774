import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  heading,
  PHONE,
  takePicture,
  settled,
} from '../../support/browser.js';
import { startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';
import { eventually } from '../../support/eventually.js';

interface Person {
  id: string;
  title: string;
  userFunction: string;
  organization: { id: string; label: string };
}

const PAGE_SIZE = 24;
const USERS = '/api/v2/directory/users';
const ACTIVE = 'filters=status:eq:1&filters=processEngine:eq:false&filters=login:neq:sysadmin';

let site: TestWorkplace;
let people: Person[];
beforeAll(async () => {
  site = await startTestWorkplace();
  const address = `${USERS}?range=0-500&sorter=lastName,firstName&${ACTIVE}`;
  people = await site.read(address, 'bruno.keller');
});
afterAll(() => site.close());

const names = (some: Person[]): string[] => some.map(({ title }) => title);

describeInBrowser('The directory of people', (visits) => {
  const entries = '.person-entry strong';

  it('opens from its tile and lists all people who work here, page by page', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller');
    await page.getByRole('link', { name: 'Staff directory' }).first().click();
    await heading(page, 'People').waitFor();
    await page.locator(entries).first().waitFor();
    expect(await page.locator(entries).allInnerTexts()).toEqual(names(people).slice(0, PAGE_SIZE));
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText(`${PAGE_SIZE + 1}–${2 * PAGE_SIZE}`).waitFor();
    await settled(page);
    expect(await page.locator(entries).allInnerTexts()).toEqual(
      names(people).slice(PAGE_SIZE, 2 * PAGE_SIZE),
    );
    expect(await page.evaluate('scrollY')).toBe(0);
    await eventually(async () =>
      expect(await page.title()).toMatch(/^\(\d+\) People · Workplace$/),
    );
    await takePicture(page, 'people');
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, 'color-contrast');
    expect(problems).toEqual([]);
  });

  it('is filtered by name and by job, and ordered', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/people');
    const filter = page.getByRole('searchbox', { name: 'Filter people' });
    await filter.fill('lefevre');
    await page.getByRole('link', { name: /Chloé Lefèvre/ }).waitFor();
    await settled(page);
    const found = await page.locator(entries).allInnerTexts();
    expect(found.length).toBeGreaterThan(0);
    for (const name of found) expect(name).toContain('Lefèvre');
    await page.getByRole('combobox', { name: 'By' }).selectOption('Job');
    await page.getByText('No people match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('combobox', { name: 'Order' }).selectOption('First name');
    const first = people.map(({ title }) => title).sort((a, b) => a.localeCompare(b, 'fr'))[0]!;
    await page.locator(entries).first().getByText(first).waitFor();
    expect(problems).toEqual([]);
  });

  it('is filtered by the tree of organizations, and keeps the choice on the way back', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/people');
    const tree = page.getByRole('navigation', { name: 'Organizations' });
    const bruno = people.find(({ title }) => title === 'Bruno Keller')!;
    const path = (await site.read(`/api/v2/directory/organizations/${bruno.organization.id}`))
      .path as { label: string }[];
    for (const { label } of path.slice(1, -1))
      await tree.getByRole('button', { name: `Show what is below ${label}`, exact: true }).click();
    await tree.getByRole('button', { name: bruno.organization.label, exact: true }).click();
    const expected = people.filter(({ organization }) => organization.id === bruno.organization.id);
    const shown = expected.slice(0, PAGE_SIZE);
    await page.locator('.path li').last().getByText(bruno.organization.label).waitFor();
    await settled(page);
    expect(await page.locator(entries).allInnerTexts()).toEqual(names(shown));
    await page.locator('.person-entry .person-link').first().click();
    await heading(page, shown[0]!.title).waitFor();
    await page.goBack();
    await heading(page, 'People').waitFor();
    await page.locator(entries).first().waitFor();
    await settled(page);
    expect(await page.locator(entries).allInnerTexts()).toEqual(names(shown));
    await page.getByRole('button', { name: 'All organizations' }).click();
    await page.getByText(`1–${PAGE_SIZE}`).waitFor();
    expect(problems).toEqual([]);
  });

  it('shows with an organization the people of all organizations below it', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/people');
    const tree = page.getByRole('navigation', { name: 'Organizations' });
    await tree.getByRole('button', { name: 'Sales', exact: true }).click();
    await page.locator('.path li').last().getByText('Sales').waitFor();
    await settled(page);
    const below = ['Ventes France', 'Vertrieb DACH', 'Sales United Kingdom'];
    const expected = people.filter(({ organization }) => below.includes(organization.label));
    expect(new Set(expected.map(({ organization }) => organization.label)).size).toBe(3);
    const shown = names(expected).slice(0, PAGE_SIZE);
    expect(await page.locator(entries).allInnerTexts()).toEqual(shown);
    expect(problems).toEqual([]);
  });

  it('fits a phone, in French', async () => {
    const options = { ...PHONE, width: 360, locale: 'fr-FR' };
    const { page, problems } = await site.open(visits, 'chloe.lefevre', '/people', options);
    await heading(page, 'Annuaire').waitFor();
    await page.locator(entries).first().waitFor();
    await settled(page);
    await expectToFit(page);
    await takePicture(page, 'people-phone');
    await page.getByText('Organisations', { exact: true }).click();
    await page.getByRole('button', { name: 'Toutes les organisations' }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });
});
