import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  heading,
  PHONE,
  settled,
  signInAt,
  speedOf,
  takePicture,
  type Visit,
  type VisitOptions,
} from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { idOf } from '../../support/id-of.js';
import {
  type Login,
  searchField,
  startTestWorkplace,
  type TestWorkplace,
} from '../../support/workplace.js';

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace();
});
afterAll(() => site.close());

/** What an `:id` in a path stands for. */
type Target = [resource: string, name: string];

/** All pages. */
const PAGES: { name: string; path: string; target?: Target }[] = [
  { name: 'tiles', path: '' },
  { name: 'inbox', path: '/tasks' },
  { name: 'people', path: '/people' },
  { name: 'results', path: '/search?q=ver' },
  { name: 'tasks', path: '/applications/:id', target: ['applications', 'EXPENSES'] },
  { name: 'task', path: '/tasks/DEMO-2' },
  { name: 'person', path: '/users/:id', target: ['users', 'bruno.keller'] },
  { name: 'all documents', path: '/documents' },
  { name: 'all news', path: '/news' },
  { name: 'all questions', path: '/faqs' },
  { name: 'all customers', path: '/customers' },
  { name: 'document', path: '/documents/:id', target: ['documents', 'DEMO-DOCUMENT-1'] },
  { name: 'news', path: '/news/:id', target: ['news', 'DEMO-NEWS-1'] },
  { name: 'question', path: '/faqs/:id', target: ['faqs', 'DEMO-FAQ-1'] },
  { name: 'customer', path: '/customers/:id', target: ['customers', 'DEMO-CUSTOMER-1'] },
  { name: 'help', path: '/help/leave' },
  { name: 'profile', path: '/profile' },
  { name: 'missing', path: '/no/such/page' },
];

/** The pages with a screenshot in the documentation. */
const PICTURED = new Set(['tiles', 'inbox', 'tasks', 'person']);

describeInBrowser('Workplace pages', (visits) => {
  /** One visit with a wide screen, one with a phone; each goes from page to page in the same tab. */
  const kept: Record<string, Visit> = {};
  const goTo = async (
    name: string,
    login: Login,
    path: string,
    target: Target | undefined,
    options: VisitOptions = {},
  ): Promise<Visit> => {
    const full = target ? path.replace(':id', await idOf(site.server, ...target)) : path;
    const before = kept[name];
    const visit = (kept[name] ??= await site.open(visits, login, full, {
      ...options,
      isKept: true,
    }));
    if (before) await visit.page.goto(site.address(full));
    await visit.page.locator('main h1').waitFor();
    await settled(visit.page);
    return visit;
  };

  it.each(PAGES)(
    'are accessible in light and dark colours, without an error in the browser: $name',
    async ({ name, path, target }) => {
      const { page, problems } = await goTo('wide', 'bruno.keller', path, target);
      if (PICTURED.has(name)) await takePicture(page, name);
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      if (name === 'tiles') await takePicture(page, 'tiles-dark');
      // Everything else is as in the light theme.
      await expectAccessible(page, 'color-contrast');
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await page.title()).toMatch(/^.+ · Workplace$/);
      expect(problems.splice(0)).toEqual([]);
    },
  );

  it.each(PAGES)('fit a phone, in French: $name', async ({ name, path, target }) => {
    const options = { ...PHONE, locale: 'fr-FR' };
    const { page, problems } = await goTo('phone', 'chloe.lefevre', path, target, options);
    if (name === 'tiles') await takePicture(page, 'phone');
    await expectToFit(page);
    await page.getByRole('link', { name: 'Espace de travail', exact: true }).waitFor();
    expect(problems.splice(0)).toEqual([]);
  });

  it.each(PAGES)('fit a phone, in German: $name', async ({ path, target }) => {
    await site.server.database.query(`UPDATE users SET locale = 'de' WHERE login = 'alice.martin'`);
    const options = { ...PHONE, locale: 'de-DE' };
    const { page, problems } = await goTo('german', 'alice.martin', path, target, options);
    await expectToFit(page);
    await page.getByRole('link', { name: 'Arbeitsplatz', exact: true }).waitFor();
    expect(await page.evaluate(`document.documentElement.lang`)).toBe('de');
    expect(problems.splice(0)).toEqual([]);
  });

  it('fit long words on a phone, and leave out blank attributes', async () => {
    const word = 'Donaudampfschifffahrtsgesellschaftskapitänsangelegenheiten';
    const user = await site.write('POST', '/api/v2/directory/users', {
      login: 'long.words',
      lastName: word,
      userFunction: `Leiterin ${word}`,
      email: `${'long'.repeat(15)}@helvion.example`,
    });
    const task = await site.write('POST', '/api/v2/process/tasks', {
      title: `Read ${word}`,
      description: `https://helvion.example/${'without-a-blank-'.repeat(10).replaceAll('-', '')}`,
      application: await idOf(site.server, 'applications', 'EXPENSES'),
      assignee: await idOf(site.server, 'users', 'bruno.keller'),
    });
    const { page, problems } = await site.open(visits, 'bruno.keller', `/users/${user.id}`, PHONE);
    await heading(page, word).waitFor();
    await settled(page);
    await expectToFit(page);
    expect(await page.getByRole('region', { name: 'Organization' }).count()).toBe(0);
    await page.goto(site.address(`/tasks/${task.id}`));
    await heading(page, `Read ${word}`).waitFor();
    await settled(page);
    await expectToFit(page);
    expect(problems).toEqual([]);
  });

  it('show the language of the browser, and then the language that the person chooses', async () => {
    const { page } = await visits.open(site.address(), { locale: 'fr-CA' });
    await heading(page, 'Connexion').waitFor();
    expect(await page.evaluate(`document.documentElement.lang`)).toBe('fr');
    await page.getByRole('radio', { name: 'English' }).check();
    await heading(page, 'Sign in').waitFor();
    await signInAt(page, 'bruno.keller');
    await heading(page, 'Hello, Bruno').waitFor();
    await page.getByLabel('Account').click();
    const choose = async (language: string) => {
      const kept = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
      await page.getByRole('radio', { name: language }).check();
      await kept;
    };
    await choose('Français');
    await heading(page, 'Bonjour Bruno').waitFor();
    expect((await site.read('/api/v2/directory/users/me', 'bruno.keller')).locale).toBe('fr');
    await choose('Deutsch');
    await heading(page, 'Guten Tag, Bruno').waitFor();
    expect((await site.read('/api/v2/directory/users/me', 'bruno.keller')).locale).toBe('de');
    await choose('English');
    await heading(page, 'Hello, Bruno').waitFor();
  });

  it('are dark where the device or the person asks for it', async () => {
    const { page } = await site.open(visits, 'bruno.keller', '', { colorScheme: 'dark' });
    const brightness = () =>
      page.evaluate<number>(
        `Number(/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0])`,
      );
    await eventually(async () => expect(await brightness()).toBeLessThan(60));
    await page.getByLabel('Account').click();
    await page.getByRole('radio', { name: 'Light' }).check();
    await eventually(async () => expect(await brightness()).toBeGreaterThan(200));
    await page.reload();
    await page.locator('main h1').waitFor();
    await eventually(async () => expect(await brightness()).toBeGreaterThan(200));
  });

  it('show markup in stored texts as plain text', async () => {
    const hostile = (name: string) =>
      `${name} </script><img src=x onerror="window.hacked=1"><svg onload="window.hacked=1">{{7*7}}`;
    const user = await site.write('POST', '/api/v2/directory/users', {
      login: 'hostile',
      lastName: hostile('Zorro'),
      title: hostile('Zorro'),
      nickName: hostile('Nick'),
      userFunction: hostile('Function'),
      description: hostile('About'),
      password: 'Hostile-Portal-2026',
    });
    const category = await site.write('POST', '/api/v2/navigation/categories', {
      title: hostile('Category'),
    });
    const application = await site.write('POST', '/api/v2/navigation/applications', {
      title: hostile('Tile'),
      type: 'PROCESS',
      keywords: hostile('keyword'),
      categories: [category.uri],
    });
    const view = await site.write('POST', '/api/v2/process/views', {
      label: hostile('View'),
      application: application.uri,
      columns: ['title'],
    });
    await site.write('PATCH', `/api/v2${application.uri}`, [
      { op: 'replace', path: '/view', value: view.uri },
    ]);
    const task = await site.write('POST', '/api/v2/process/tasks', {
      title: hostile('Task'),
      description: hostile('Description'),
      application: application.uri,
      assignee: user.uri,
    });
    const faq = await site.write('POST', '/api/v2/content/faqs', {
      question: hostile('Zorro asks'),
      answer: hostile('Answer'),
    });
    const { page, problems } = await visits.open(site.address());
    await signInAt(page, 'hostile', 'Hostile-Portal-2026');
    await heading(page, hostile('Hello, Nick')).waitFor();
    await page.locator('.tile-title', { hasText: hostile('Tile') }).waitFor();
    await searchField(page).fill('zorro');
    await page.getByRole('option', { name: hostile('Zorro asks') }).waitFor();
    for (const [path, text] of [
      [`/users/${user.id}`, 'Zorro'],
      [`/applications/${application.id}`, 'Tile'],
      [`/tasks/${task.id}`, 'Task'],
      [`/faqs/${faq.id}`, 'Zorro asks'],
    ] as const) {
      await page.goto(site.address(path));
      await heading(page, hostile(text)).waitFor();
      await settled(page);
    }
    expect(
      await page.evaluate(
        `[typeof window.hacked, document.querySelectorAll('main svg[onload], main img[src=x]').length]`,
      ),
    ).toEqual(['undefined', 0]);
    expect(problems).toEqual([]);
  });

  it('print how soon the tiles are there, without judging the time', async () => {
    const { page } = await site.open(visits, 'bruno.keller');
    await page.locator('.tile').first().waitFor();
    await page.reload();
    await page.locator('.tile').first().waitFor();
    process.stderr.write(`the workplace in the browser: ${JSON.stringify(await speedOf(page))}\n`);
  });
});
