import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible } from '../../support/browser.js';
import { startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

/** A category and its tiles, whose order in English is another one than in the other languages. */
const CATEGORY = { en: 'Orchard', de: 'Obstgarten', fr: 'Verger' };
const TILES = [
  { en: 'Apples', de: 'Zwetschgen', fr: 'Prunes' },
  { en: 'Pears', de: 'Äpfel', fr: 'Écorces' },
  { en: 'Quinces', de: 'Birnen', fr: 'Cerises' },
];
type Titles = (typeof TILES)[number];

const titled = ({ en, de, fr }: Titles) => ({
  title: en,
  translations: { de: { title: de }, fr: { title: fr } },
});

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace();
  const category = await site.write('POST', '/api/v2/navigation/categories', titled(CATEGORY));
  for (const titles of TILES)
    await site.write('POST', '/api/v2/navigation/applications', {
      ...titled(titles),
      type: 'LINK',
      link: '/fruit',
      active: true,
      categories: [category.uri],
    });
});
afterAll(() => site.close());

describeInBrowser('The tiles of the workplace', (visits) => {
  it.each([
    ['en', 'Orchard', ['Apples', 'Pears', 'Quinces']],
    ['de', 'Obstgarten', ['Äpfel', 'Birnen', 'Zwetschgen']],
    ['fr', 'Verger', ['Cerises', 'Écorces', 'Prunes']],
  ])(
    'have titles in the language of the account, sorted in it: %s',
    async (locale, ...expected) => {
      await site.server.database.query(
        `UPDATE users SET locale = $1 WHERE login = 'bruno.keller'`,
        [locale],
      );
      const { page, problems } = await site.open(visits, 'bruno.keller', '', { locale });
      const [name, titles] = expected;
      const category = page.getByRole('region', { name });
      await category.waitFor();
      expect(await category.locator('.tile-title').allTextContents()).toEqual(titles);
      await expectAccessible(page);
      expect(problems).toEqual([]);
    },
  );

  it('change their language with the account', async () => {
    await site.server.database.query(`UPDATE users SET locale = 'en' WHERE login = 'bruno.keller'`);
    const { page, problems } = await site.open(visits, 'bruno.keller');
    await page.getByRole('region', { name: 'Orchard' }).waitFor();
    await page.getByLabel('Account').click();
    await page.getByRole('radio', { name: 'Deutsch' }).check();
    const category = page.getByRole('region', { name: 'Obstgarten' });
    await category.waitFor();
    expect(await category.locator('.tile-title').allTextContents()).toEqual([
      'Äpfel',
      'Birnen',
      'Zwetschgen',
    ]);
    expect(problems).toEqual([]);
  });
});
