import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { query } from '../support/call.js';
import { runCommand } from '../support/command-line.js';
import { idOf } from '../support/id-of.js';
import { urlOf } from '../support/server-process.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const CATEGORIES = '/api/v2/navigation/categories';
const WORKPLACE = '/navigation/workplace';

/** Values that a category refuses, with the rest of the message. */
const FAULTS: [string, unknown, string][] = [
  ['a text', 'x', 'must be an object of texts by language, such as {"fr":{"title":"…"}}'],
  ['a list', [], 'must be an object of texts by language, such as {"fr":{"title":"…"}}'],
  ['an unknown language', { xx: { title: 'x' } }, 'has an unknown language; known: de, en, fr'],
  ['an unknown text', { fr: { keywords: 'x' } }, "has an unknown text in 'fr'; known: title"],
  ['a language that is no object', { fr: 'x' }, "must have an object of texts in 'fr'"],
  [
    'a text that is a number',
    { fr: { title: 1 } },
    "in 'fr': title must be a string of at most 200 characters",
  ],
  [
    'a text that is too long',
    { fr: { title: 'x'.repeat(201) } },
    "in 'fr': title must be a string of at most 200 characters",
  ],
];

let server: TestServer;
let alice: string, bruno: string, chloe: string;
beforeAll(async () => {
  server = await startTestServer();
  alice = await server.signIn('alice.martin');
  bruno = await server.signIn('bruno.keller');
  chloe = await server.signIn('chloe.lefevre');
});
afterAll(() => server.close());

interface Entry {
  id: string;
  title: string;
  keywords: string;
  comparisonValue: string;
}

const pathOf = async (resource: 'categories' | 'applications', reference: string) =>
  `/api/v2/navigation/${resource}/${await idOf(server, resource, reference)}`;
const write = (method: string, path: string, body: unknown) =>
  server.call(path, { token: alice, method, body });
const translate = (path: string, value: unknown) =>
  write('PATCH', path, [{ op: 'add', path: '/translations', value }]);
const read = async (path: string, token = alice) =>
  (await server.call(path, { token })).body as Record<string, unknown>;
const categoriesOf = async (token: string) =>
  (await server.call(`${WORKPLACE}/categories`, { token })).body as Entry[];
const titles = (entries: Entry[]) => entries.map(({ title }) => title);

describe('The attribute translations', () => {
  it('is absent without translations, in lists too', async () => {
    const created = await write('POST', CATEGORIES, { title: 'Plain', translations: null });
    expect(created.status).toBe(201);
    expect(created.body).not.toHaveProperty('translations');
    const { id } = created.body as { id: string };
    expect(await read(`${CATEGORIES}/${id}`)).not.toHaveProperty('translations');
    const { body } = await server.call(`${CATEGORIES}?range=0-500`, { token: alice });
    const listed = (body as { id: string }[]).find((one) => one.id === id);
    expect(listed).toMatchObject({ title: 'Plain' });
    expect(listed).not.toHaveProperty('translations');
  });

  it('is stored without blank texts, and is part of the object and of lists', async () => {
    const { status, body } = await write('POST', CATEGORIES, {
      title: 'Canteen',
      translations: { fr: { title: 'Cantine' }, de: { title: ' ' }, en: null },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ title: 'Canteen', label: 'Canteen' });
    const { id, translations } = body as { id: string; translations: unknown };
    expect(translations).toEqual({ fr: { title: 'Cantine' } });
    const list = await server.call(`${CATEGORIES}${query({ filters: `id:eq:${id}` })}`, {
      token: alice,
    });
    expect(list.body).toMatchObject([{ translations: { fr: { title: 'Cantine' } } }]);
  });

  it('is reached by the paths of a JSON Patch', async () => {
    const { body } = await write('POST', CATEGORIES, {
      title: 'Patched',
      translations: { fr: { title: 'Un' } },
    });
    const path = `${CATEGORIES}/${(body as { id: string }).id}`;
    const patched = await write('PATCH', path, [
      { op: 'test', path: '/translations/fr/title', value: 'Un' },
      { op: 'replace', path: '/translations/fr/title', value: 'Deux' },
      { op: 'add', path: '/translations/de', value: { title: 'Zwei' } },
    ]);
    expect(patched.body).toMatchObject({
      translations: { de: { title: 'Zwei' }, fr: { title: 'Deux' } },
    });
    const removed = await write('PATCH', path, [{ op: 'remove', path: '/translations' }]);
    expect(removed.status).toBe(200);
    expect(removed.body).not.toHaveProperty('translations');
  });

  it('is patched like every other blank attribute without translations', async () => {
    const { body } = await write('POST', CATEGORIES, { title: 'Untranslated' });
    const path = `${CATEGORIES}/${(body as { id: string }).id}`;
    const whole = await write('PATCH', path, [{ op: 'test', path: '', value: body }]);
    expect(whole.status).toBe(200);
    const blank = await write('PATCH', path, [
      { op: 'test', path: '/translations', value: null },
      { op: 'replace', path: '/translations', value: null },
      { op: 'remove', path: '/translations' },
    ]);
    expect(blank.status).toBe(200);
    expect(blank.body).not.toHaveProperty('translations');
    const added = await write('PATCH', path, [
      { op: 'add', path: '/translations/fr/title', value: 'Un' },
      { op: 'add', path: '/translations/de', value: { title: 'Eins' } },
      { op: 'copy', from: '/translations/de/title', path: '/translations/en/title' },
    ]);
    expect([added.status, (added.body as { translations: unknown }).translations]).toEqual([
      200,
      { de: { title: 'Eins' }, en: { title: 'Eins' }, fr: { title: 'Un' } },
    ]);
    await write('PATCH', path, [{ op: 'remove', path: '/translations' }]);
    const replaced = await write('PATCH', path, [
      { op: 'replace', path: '/translations', value: { fr: { title: 'Deux' } } },
    ]);
    expect(replaced.body).toMatchObject({ translations: { fr: { title: 'Deux' } } });
  });

  it.each([
    ['/translations/xx/title', 'x'],
    ['/translations/__proto__/title', 'x'],
    ['/translations/fr/keywords', 'x'],
    ['/translations/fr', 'x'],
  ])('cannot be patched at %s', async (at, value) => {
    const { body } = await write('POST', CATEGORIES, { title: 'Untranslated' });
    const path = `${CATEGORIES}/${(body as { id: string }).id}`;
    expect((await write('PATCH', path, [{ op: 'add', path: at, value }])).status).toBe(400);
  });

  it('is in the audit trail when it is removed', async () => {
    const translations = { fr: { title: 'Un' } };
    const { body } = await write('POST', CATEGORIES, { title: 'Audited', translations });
    const { id, uri } = body as { id: string; uri: string };
    await write('PATCH', `${CATEGORIES}/${id}`, [{ op: 'remove', path: '/translations' }]);
    const trail = await server.call(
      `/api/v2/administration/audit${query({ filters: `object:eq:${uri}`, sorter: '-id', range: '0-1' })}`,
      { token: alice },
    );
    expect(trail.body).toMatchObject([{ action: 'update', before: { translations } }]);
  });

  it('changes no revision when it is written as it is', async () => {
    const value = { fr: { title: 'Même' }, de: { title: 'Gleich' } };
    const { body, headers } = await write('POST', CATEGORIES, {
      title: 'Same',
      translations: value,
    });
    const again = await translate(`${CATEGORIES}/${(body as { id: string }).id}`, {
      de: { title: 'Gleich' },
      en: {},
      fr: { title: 'Même' },
    });
    expect([again.status, again.headers.etag]).toEqual([200, headers.etag]);
  });

  it.each(FAULTS)('rejects %s', async (_, translations, fault) => {
    const answer = await write('POST', CATEGORIES, { title: 'Bad', translations });
    expect([answer.status, answer.body.fields]).toEqual([
      400,
      [{ name: 'translations', message: fault }],
    ]);
  });

  it('is neither a filter nor a sorter', async () => {
    const both: Record<string, string>[] = [
      { filters: 'translations:eq:x' },
      { sorter: 'translations' },
    ];
    for (const parameters of both)
      expect(
        (await server.call(`${CATEGORIES}${query(parameters)}`, { token: alice })).status,
      ).toBe(400);
  });
});

describe('The navigation API', () => {
  it('answers in the language of the account, and falls back to the text itself', async () => {
    const category = await pathOf('categories', 'EVERYDAY');
    const application = await pathOf('applications', 'LEAVE');
    const before = (await categoriesOf(bruno))[0];
    expect(before).toMatchObject({ title: 'Everyday', comparisonValue: 'Everyday' });
    await translate(category, { fr: { title: 'Au quotidien' } });
    await translate(application, { fr: { title: 'Congés', keywords: 'vacances' } });
    expect((await categoriesOf(bruno))[0]).toEqual(before);
    const [french] = await categoriesOf(chloe);
    expect(french).toMatchObject({ title: 'Au quotidien', comparisonValue: 'Au quotidien' });
    const apps = await server.call(`${WORKPLACE}/apps${query({ category: french!.id })}`, {
      token: chloe,
    });
    const leave = (apps.body as Entry[]).find(({ title }) => title === 'Congés');
    expect(leave).toMatchObject({ keywords: 'vacances', comparisonValue: 'Congés' });
    const overview = (await server.call(WORKPLACE, { token: chloe })).body as unknown as (Entry & {
      applications: Entry[];
    })[];
    expect(overview[0]).toMatchObject({ title: 'Au quotidien' });
    expect(titles(overview[0]!.applications)).toEqual(titles(apps.body as Entry[]));
    const others = await read(
      `/api/v2/navigation/preview${query({ user: await idOf(server, 'users', 'chloe.lefevre') })}`,
    );
    expect(others.workplace).toEqual(overview);
  });

  it('sorts by the translated titles', async () => {
    const ids = ['EVERYDAY', 'PEOPLE', 'FINANCE'];
    const turned: Record<string, string> = { EVERYDAY: 'Zzz', PEOPLE: 'Éa', FINANCE: 'Eb' };
    for (const reference of ids) {
      const path = await pathOf('categories', reference);
      await write('PATCH', path, [{ op: 'replace', path: '/position', value: -5 }]);
      await translate(path, { fr: { title: turned[reference] } });
    }
    expect(titles(await categoriesOf(chloe)).slice(0, 3)).toEqual(['Éa', 'Eb', 'Zzz']);
    expect(titles(await categoriesOf(bruno)).slice(0, 3)).toEqual([
      'Everyday',
      'Finance',
      'People and careers',
    ]);
    const overview = (await server.call(WORKPLACE, { token: chloe })).body as unknown as Entry[];
    expect(titles(overview).slice(0, 3)).toEqual(['Éa', 'Eb', 'Zzz']);
  });
});

describe('A file of the command line', () => {
  const APPLICATIONS = '/api/v2/navigation/applications';
  const VIEWS = '/api/v2/process/views';
  const run = (args: string[], input = '') =>
    runCommand(args, { input, env: { DATABASE_URL: urlOf(server.database.connection) } });

  /** What an import may not change. */
  const kept = async (path: string) => {
    const { modificationDate, ...rest } = await read(path);
    expect(modificationDate).toBeDefined();
    return rest;
  };

  /** Objects with translations that a format could spoil, by the name of their resource. */
  const EXPORTED = {
    categories: () => ({
      path: CATEGORIES,
      title: 'Exported',
      translations: { de: { title: 'Ausgeführt; "zitiert"' }, fr: { title: '=Exporté,\n2' } },
    }),
    applications: () => ({
      path: APPLICATIONS,
      title: 'Exported',
      type: 'PROCESS',
      translations: { en: { keywords: '+1' }, fr: { title: 'Exportée', keywords: '@là' } },
    }),
    views: (application: unknown) => ({
      path: VIEWS,
      label: 'Exported',
      application,
      translations: { de: { label: '{"fr":{}}' } },
    }),
  };

  describe.each(Object.entries(EXPORTED))('of %s', (kind, describeObject) => {
    it.each(['csv', 'jsonl'])('restores the translations of an export as %s', async (format) => {
      const application = await read(await pathOf('applications', 'TRAVEL'));
      const { path: list, ...body } = describeObject(application.uri);
      const path = `${list}/${((await write('POST', list, body)).body as { id: string }).id}`;
      const before = await kept(path);
      expect(before.translations).toEqual(body.translations);
      const file = await run(['export', kind, '-', '--format', format]);
      expect(file.code).toBe(0);
      expect((await write('PATCH', path, [{ op: 'remove', path: '/translations' }])).status).toBe(
        200,
      );
      expect(await kept(path)).not.toEqual(before);
      const done = await run(['import', kind, '-', '--format', format, '--json'], file.out);
      expect([done.code, JSON.parse(done.out)]).toMatchObject([0, [{ created: 0, updated: 1 }]]);
      expect(await kept(path)).toEqual(before);
    });
  });

  it('is rejected with the faults of its translations', async () => {
    const lines = FAULTS.map(([, value], at) =>
      JSON.stringify({ reference: `BAD-${at}`, title: 'Bad', translations: value }),
    );
    const refused = await run(['import', 'categories', '-', '--format', 'jsonl'], lines.join('\n'));
    expect([refused.code, refused.error.split('\n').slice(1, -2)]).toEqual([
      1,
      FAULTS.map(([, , fault], at) => `line ${at + 1}: translations: ${fault}`),
    ]);
    const cells = await run(
      ['import', 'categories', '-', '--format', 'csv'],
      'reference,title,translations\nA,A,{fr}\nB,B,"{""it"":{""title"":""B""}}"\n',
    );
    expect([cells.code, cells.error.split('\n').slice(1, -2)]).toEqual([
      1,
      [
        'line 2: translations: must be an object of texts by language, such as {"fr":{"title":"…"}}',
        'line 3: translations: has an unknown language; known: de, en, fr',
      ],
    ]);
    const list = await server.call(`${CATEGORIES}${query({ filters: 'title:eq:Bad' })}`, {
      token: alice,
    });
    expect(list.body).toEqual([]);
  });
});
