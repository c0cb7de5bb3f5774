import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  heading,
  settled,
  PHONE,
  speedOf,
  takePicture,
  type Visit,
  type VisitOptions,
} from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';
import { idOf } from '../../support/id-of.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startTestConsole();
});
afterAll(() => site.close());

/** What an `:id` in a path stands for. */
type Target = [resource: string, name: string];
const BRUNO: Target = ['users', 'bruno.keller'];
const EXPENSES: Target = ['applications', 'EXPENSES'];

interface Page {
  path: string;
  /** Its first heading. */
  title: string | RegExp;
  target?: Target;
}

/** Every page. */
const PAGES: Page[] = [
  { path: '/', title: /^Hello, Alice/ },
  { path: '/users', title: 'Users' },
  { path: '/users/:id', title: 'Bruno Keller', target: BRUNO },
  { path: '/users/create', title: 'New user' },
  { path: '/organizations', title: 'Organizations' },
  { path: '/organizations/tree', title: 'Organization tree' },
  { path: '/groups/:id', title: 'Expense approvers', target: ['groups', 'EXPENSE-APPROVERS'] },
  { path: '/categories', title: 'Categories' },
  { path: '/applications', title: 'Applications' },
  { path: '/applications/:id', title: 'Expense claims', target: EXPENSES },
  { path: '/tasks', title: 'Tasks' },
  { path: '/views', title: 'Views' },
  { path: '/documents', title: 'Documents' },
  { path: '/news', title: 'News' },
  { path: '/faqs', title: 'Questions' },
  { path: '/customers', title: 'Customers' },
  { path: '/customers/import', title: 'Import: Customers' },
  { path: '/reorder', title: 'Order of tiles' },
  { path: '/view-as?user=:id', title: 'See the workplace as…', target: BRUNO },
  { path: '/audit', title: 'Audit trail' },
  { path: '/parameters', title: 'Server parameters' },
  { path: '/nowhere', title: 'Page not found' },
];

/** Pages of each kind, for what is slow to test. */
const PHONE_PATHS = [
  '/',
  '/users',
  '/users/:id',
  '/users/create',
  '/applications/:id',
  '/reorder',
  '/view-as?user=:id',
  '/audit',
];

describeInBrowser('Console pages', (visits) => {
  /** Visits that go on from page to page, so that each loads the console once. */
  const kept: Record<string, Visit> = {};
  const goTo = async (
    name: string,
    path: string,
    target: Target | undefined,
    options: VisitOptions = {},
  ): Promise<Visit> => {
    const full = target ? path.replace(':id', await idOf(site.server, ...target)) : path;
    const before = kept[name];
    const visit = (kept[name] ??= await site.open(visits, full, { ...options, isKept: true }));
    if (before) await visit.page.goto(site.address(full));
    await visit.page.getByRole('heading', { level: 1 }).waitFor();
    return visit;
  };

  it.each(PAGES)(
    'shows $path without a serious accessibility problem',
    async ({ path, title, target }) => {
      const { page, problems } = await goTo('wide', path, target);
      await heading(page, title).waitFor();
      await settled(page);
      if (path === '/users') await takePicture(page, 'console');
      await expectAccessible(page);
      expect(problems.splice(0)).toEqual([]);
    },
  );

  it.each(PAGES.filter(({ path }) => PHONE_PATHS.includes(path)))(
    'fits $path on a phone, in French and in dark colours',
    async ({ path, target }) => {
      const { page, problems } = await goTo('phone', path, target, {
        locale: 'fr-FR',
        colorScheme: 'dark',
        ...PHONE,
      });
      await settled(page);
      expect(await page.evaluate('document.documentElement.lang')).toBe('fr');
      expect(await page.getByRole('button', { name: 'Ouvrir le menu' }).count()).toBe(1);
      await expectToFit(page);
      await expectAccessible(page);
      expect(problems.splice(0)).toEqual([]);
    },
  );

  it.each(PAGES.filter(({ path }) => PHONE_PATHS.includes(path)))(
    'fits $path on a phone, in German',
    async ({ path, target }) => {
      const options = { locale: 'de-DE', ...PHONE };
      const { page, problems } = await goTo('german', path, target, options);
      await settled(page);
      expect(await page.evaluate('document.documentElement.lang')).toBe('de');
      expect(await page.getByRole('button', { name: 'Menü öffnen' }).count()).toBe(1);
      await expectToFit(page);
      if (path === '/users/create') await heading(page, 'Neu: Benutzer').waitFor();
      expect(problems.splice(0)).toEqual([]);
    },
  );

  it('follows the language of the account, and keeps one that the person chooses', async () => {
    await site.server.database.query(`UPDATE users SET locale = 'de' WHERE login = 'alice.martin'`);
    const token = await site.server.signIn('alice.martin');
    const { page } = await visits.open(site.address('/'), { token, locale: 'fr-FR' });
    await heading(page, /^Guten Tag, Alice/).waitFor();
    await page.getByRole('button', { name: 'Sprache' }).click();
    const kept = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await kept;
    await heading(page, /^Hello, Alice/).waitFor();
    expect((await site.read('/api/v2/directory/users/me')).locale).toBe('en');
  });

  it('shows the menu on a phone, with no entry behind the bar', async () => {
    const { page } = await site.open(visits, '/users', PHONE);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    // A click waits until no other element covers its target.
    await page.getByRole('link', { name: 'Overview' }).click();
    await heading(page, /^Hello, Alice/).waitFor();
  });

  it.each([
    ['reduce', 'none'],
    ['no-preference', 'opacity, transform'],
  ] as const)('moves a dialog with %s motion by %s', async (reducedMotion, moved) => {
    const { page } = await site.open(visits, '/users', { reducedMotion });
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    const style = `getComputedStyle(document.querySelector('[role=dialog]'))`;
    expect(await page.evaluate(`${style}.transitionProperty`)).toBe(moved);
  });

  it('prints how soon a list is there, without judging the time', async () => {
    const { page } = await site.open(visits, '/users');
    await page.locator('tbody tr').first().waitFor();
    await page.reload();
    await page.locator('tbody tr').first().waitFor();
    process.stderr.write(`the console in the browser: ${JSON.stringify(await speedOf(page))}\n`);
  });

  it('allows no inline script and no inline style', async () => {
    const answer = await site.server.call('/console/users');
    expect(answer.status).toBe(200);
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    // The digest of the empty string: style elements must be empty.
    expect(policy).toContain(
      "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';",
    );
    expect(answer.text).not.toContain('<style');
  });
});
