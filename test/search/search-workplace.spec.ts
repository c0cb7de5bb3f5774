import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { query } from '../support/call.js';
import { idOf } from '../support/id-of.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** The searches of tiles and tasks, and the search over everything. */

const PATH = '/navigation/search/workplace';
const TILES = 'workplace_searchApplications';
const TASKS = 'workplace_searchTasks';
const PAGE = 20;

interface Found {
  ID: string;
  TITLE: string;
  HYPERLINK: string;
}
interface Section {
  searchName: string;
  match: string;
  data: Found[];
  searchIndexTop: string;
}

let server: WritingServer['server'];
let create: WritingServer['create'];
let writing: WritingServer;
let alice: string;
let bruno: string;
let brunosId: string;
/** Alice reads German, Bruno English, Chloé French. */
let chloe: string;
beforeAll(async () => {
  writing = await startWritingServer();
  ({ server, create, admin: alice, bruno } = writing);
  chloe = await server.signIn('chloe.lefevre');
  const german = [{ op: 'replace', path: '/locale', value: 'de' }];
  expect((await writing.call('PATCH', '/api/v2/directory/users/me', german)).status).toBe(200);
  brunosId = await idOf(server, 'users', 'bruno.keller');
});
afterAll(() => writing.close());

const ask = async (path: string, parameters: Record<string, string>, token: string) =>
  (await server.call(path + query(parameters), { token })).body;

const search = async (searchName: string, text: string, token = bruno, more = {}) =>
  (await ask(PATH, { searchName, searchField: 'quickSearch', query: text, ...more }, token)) as {
    data: Found[];
    searchIndexTop: string;
  };

const titles = async (searchName: string, text: string, token = bruno) =>
  (await search(searchName, text, token)).data.map(({ TITLE }) => TITLE);

const everything = async (text: string, token = bruno) =>
  (await ask(`${PATH}/all`, { query: text }, token)).data as Section[];

const tile = async (title: string, attributes = {}) =>
  create('/api/v2/navigation/applications', {
    title,
    type: 'LINK',
    link: 'https://tiles.example/',
    categories: [await aCategory()],
    ...attributes,
  });

const aCategory = async () =>
  String(
    (await server.database.query('SELECT min(id)::text AS id FROM categories WHERE active'))[0]!.id,
  );

const task = async (title: string, attributes = {}) =>
  create('/api/v2/process/tasks', {
    title,
    application: await idOf(server, 'applications', 'EXPENSES'),
    ...attributes,
  });

describe(TILES, () => {
  it('finds tiles by title, keywords and reference', async () => {
    await tile('Soup of the day', { keywords: 'Déjeuner, brunch', reference: 'FOOD-1' });
    for (const text of ['soup', 'BRUNCH dejeuner', 'food-1'])
      expect(await titles(TILES, text)).toEqual(['Soup of the day']);
  });

  it('finds exactly the tiles that the workplace shows to the person', async () => {
    await tile('Tile of Alice', { audience: [await idOf(server, 'users', 'alice.martin')] });
    await tile('Inactive tile', { active: false });
    await tile('Tile without a category', { categories: [] });
    for (const token of [alice, bruno]) {
      const shown = (await ask('/navigation/workplace', {}, token)) as unknown as {
        applications: { title: string }[];
      }[];
      const all = new Set(shown.flatMap(({ applications }) => applications.map((a) => a.title)));
      expect(new Set(await titles(TILES, '*', token))).toEqual(all);
    }
    expect(await titles(TILES, 'tile', bruno)).toEqual([]);
    expect(await titles(TILES, 'tile', alice)).toEqual(['Tile of Alice']);
  });

  it('leads where the tile leads', async () => {
    const { id } = await tile('Process without an address', { type: 'PROCESS', link: null });
    await tile('Path of the server', { link: '/somewhere' });
    const addressOf = async (text: string) => (await search(TILES, text)).data[0]?.HYPERLINK;
    expect(await addressOf('process without')).toBe(`/workplace/applications/${id}`);
    expect(await addressOf('path of the server')).toBe('/somewhere');
    expect(await addressOf('soup')).toBe('https://tiles.example/');
  });
});

describe(`${TILES} in the language of the account`, () => {
  const one = async (text: string, token: string) =>
    (await search(TILES, text, token)).data as (Found & { keywords: string })[];

  beforeAll(() =>
    tile('Staff gym', {
      keywords: 'workout',
      translations: { de: { title: 'Betriebssport', keywords: 'Leibesübungen' } },
    }),
  );

  it('finds translated titles and keywords, and answers the translations', async () => {
    for (const text of ['SSPORT', 'leibesubungen', 'betriebs leibes'])
      expect(await one(text, alice)).toMatchObject([
        { TITLE: 'Betriebssport', keywords: 'Leibesübungen' },
      ]);
    expect(await titles(TILES, 'leibesubungen', chloe)).toEqual([]);
    expect(await titles(TILES, 'leibesubungen', bruno)).toEqual([]);
  });

  it('finds a tile by its own title and keywords too, and falls back to them', async () => {
    for (const text of ['staff gym', 'workout', 'staff leibes'])
      expect(await titles(TILES, text, alice)).toEqual(['Betriebssport']);
    for (const token of [bruno, chloe])
      expect(await one('staff gym', token)).toMatchObject([
        { TITLE: 'Staff gym', keywords: 'workout' },
      ]);
  });

  it('searches the title and the keywords as the record shows them', async () => {
    const inField = async (searchField: string, text: string) =>
      (await search(TILES, text, alice, { searchField })).data.map(({ TITLE }) => TITLE);
    expect(await inField('TITLE', 'sport')).toEqual(['Betriebssport']);
    expect(await inField('keywords', 'leibes')).toEqual(['Betriebssport']);
    expect(await inField('TITLE', 'gym')).toEqual([]);
  });

  it('orders and pages by the translated titles', async () => {
    // Each other tile has a translation, which turns their order.
    for (let n = 10; n < 55; n++)
      await tile(`Kiwi ${n}`, n % 2 ? {} : { translations: { de: { title: `Kiwi ${99 - n}` } } });
    const seen: Found[] = [];
    let page = await search(TILES, 'kiwi', alice);
    while (page.data.length > 0) {
      seen.push(...page.data);
      page = await search(TILES, 'kiwi', alice, { searchIndexTop: page.searchIndexTop });
    }
    expect(new Set(seen.map(({ ID }) => ID)).size).toBe(45);
    const shown = seen.map(({ TITLE }) => TITLE);
    expect(shown).toEqual([...shown].sort());
    expect(shown[0]).toBe('Kiwi 11');
    expect(shown.at(-1)).toBe('Kiwi 89');
  });
});

describe(TASKS, () => {
  it('finds tasks of the person and of the person’s groups, and no others', async () => {
    const [row] = await server.database.query<{ id: string }>(
      'SELECT group_id::text AS id FROM group_members WHERE user_id = $1 LIMIT 1',
      [brunosId],
    );
    await task('Quokka for Bruno', { assignee: brunosId });
    await task('Quokka for a group', { group: row!.id });
    await task('Quokka for Chloé', { assignee: await idOf(server, 'users', 'chloe.lefevre') });
    expect(await titles(TASKS, 'quokka')).toEqual(['Quokka for a group', 'Quokka for Bruno']);
    const [own] = await server.database.query<{ count: number }>(
      `SELECT count(*)::int FROM group_members m WHERE m.group_id = $1 AND m.user_id = $2`,
      [row!.id, await idOf(server, 'users', 'alice.martin')],
    );
    expect(await titles(TASKS, 'quokka', alice)).toHaveLength(own!.count);
  });

  it('names the application in the language of the account', async () => {
    const { id } = await tile('Pets', {
      type: 'PROCESS',
      translations: { fr: { title: 'Animaux' } },
    });
    for (const login of ['chloe.lefevre', 'bruno.keller'])
      await create('/api/v2/process/tasks', {
        title: 'Feed the axolotl',
        application: id,
        assignee: await idOf(server, 'users', login),
      });
    const named = async (token: string) => (await search(TASKS, 'axolotl', token)).data;
    expect(await named(chloe)).toMatchObject([{ applicationTitle: 'Animaux' }]);
    expect(await named(bruno)).toMatchObject([{ applicationTitle: 'Pets' }]);
  });

  it('pages by the markers, without a gap', async () => {
    for (let n = 0; n < 45; n++) await task(`Wombat ${n % 9}`, { assignee: brunosId });
    const seen: string[] = [];
    let page = await search(TASKS, 'wombat');
    while (page.data.length > 0) {
      seen.push(...page.data.map(({ ID }) => ID));
      page = await search(TASKS, 'wombat', bruno, { searchIndexTop: page.searchIndexTop });
    }
    const ids = await server.database.query<{ id: string }>(
      `SELECT id::text FROM tasks WHERE title LIKE 'Wombat%' ORDER BY title, tasks.id`,
    );
    expect(seen).toEqual(ids.map(({ id }) => id));
  });
});

describe('GET /navigation/search/workplace/all', () => {
  it('puts the section with the best match first', async () => {
    await tile('Numbat');
    await tile('Bandicoot forms');
    await task('Numbat bandicoot', { assignee: brunosId });
    await task('Bandicoot', { assignee: brunosId });
    const order = async (text: string) =>
      (await everything(text)).map(({ searchName, match }) => [searchName, match]);
    expect(await order('numbat')).toEqual([
      [TILES, 'title'],
      [TASKS, 'startOfTitle'],
    ]);
    expect(await order('BANDICOOT')).toEqual([
      [TASKS, 'title'],
      [TILES, 'startOfTitle'],
    ]);
    expect(await order('forms bandi')).toEqual([[TILES, 'startOfWord']]);
    expect(await order('andicoot')).toEqual([
      [TILES, 'elsewhere'],
      [TASKS, 'elsewhere'],
    ]);
  });

  it('ranks tiles by their titles in the language of the account', async () => {
    await tile('Tamarin forms', { translations: { fr: { title: 'Formulaires du tamarin' } } });
    for (const token of [bruno, chloe])
      for (let n = 10; n < 10 + PAGE; n++)
        await task(`A ${n} tamarin`, {
          assignee: await idOf(server, 'users', token === bruno ? 'bruno.keller' : 'chloe.lefevre'),
        });
    const first = async (text: string, token: string) => {
      const [section] = await everything(text, token);
      return [section!.searchName, section!.match, section!.data[0]!.TITLE];
    };
    expect(await first('tamarin', bruno)).toEqual([TILES, 'startOfTitle', 'Tamarin forms']);
    expect(await first('formulaires', chloe)).toEqual([
      TILES,
      'startOfTitle',
      'Formulaires du tamarin',
    ]);
    expect(await first('tamarin forms', chloe)).toEqual([
      TILES,
      'elsewhere',
      'Formulaires du tamarin',
    ]);
  });

  it.each([
    ['tasks', TASKS],
    ['people', 'workplace_searchUsers'],
  ])('finds the best match among %s behind a full page of others', async (kind, searchName) => {
    const add = (title: string) =>
      kind === 'tasks'
        ? task(title, { assignee: brunosId })
        : server.database.query(
            `INSERT INTO users (login, last_name, title, status) VALUES ($1, 'x', $1, 1)`,
            [title],
          );
    for (let n = 10; n < 10 + PAGE + 5; n++) await add(`A ${n} zebu${kind}`);
    await add(`Zebu${kind}`);
    await add(`Zebu${kind} ranch`);
    await add(`Zz of a zebu${kind}`);
    const [section] = await everything(`zebu${kind}`);
    expect(section).toMatchObject({ searchName, match: 'title' });
    const found = section!.data.map(({ TITLE }) => TITLE);
    expect(found.slice(0, 3)).toEqual([`Zebu${kind}`, `Zebu${kind} ranch`, `A 10 zebu${kind}`]);
    expect(found).toHaveLength(PAGE + 2);
    const { searchIndexTop } = section!;
    const next = await search(searchName, `zebu${kind}`, bruno, { searchIndexTop });
    expect(new Set([...found, ...next.data.map(({ TITLE }) => TITLE)]).size).toBe(PAGE + 8);
  });

  it('finds the records of all named searches', async () => {
    for (const token of [alice, bruno]) {
      const sections = await everything('contract', token);
      expect(sections.length).toBeGreaterThan(3);
      for (const { searchName, data } of sections) {
        const own = await search(searchName, 'contract', token);
        expect(data).toEqual(expect.arrayContaining(own.data));
      }
    }
  });

  it.each([
    ['no text', {}, 'query: is required'],
    ['a blank text', { query: ' ' }, 'query: is required'],
    ['too long a text', { query: 'x'.repeat(129) }, 'query: at most 128 characters'],
  ])('answers an error envelope for %s', async (_, parameters, message) => {
    expect(await ask(`${PATH}/all`, parameters as Record<string, string>, bruno)).toEqual({
      type: 'error',
      message,
    });
  });

  it('answers an empty success where nothing is found', async () => {
    const body = await ask(`${PATH}/all`, { query: 'zzzzqqqq' }, bruno);
    expect(body).toEqual({ type: 'success', data: [], template: '' });
  });
});
