import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatCursor, type Cursor } from '../../src/search/cursor.js';
import { SearchEngine } from '../../src/search/search-engine.js';
import { bucketOf, SEARCH_LIMITS } from '../../src/search/search-statements.js';
import { query } from '../support/call.js';
import { fold, searchText } from '../support/fold.js';
import { PROPERTY_TIMEOUT, propertyRuns } from '../support/property-runs.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Compares searches with an in-memory oracle without indexes and SQL. */

const PATH = '/navigation/search/workplace';
const CALLERS = ['alice.martin', 'bruno.keller', 'chloe.lefevre'];

interface Kind {
  searchName: string;
  index: string;
  table: string;
  title: string;
  /** The columns of quick_search, in order. */
  quickSearch: string[];
  /** The column of each other searchable field. */
  fields: Record<string, string>;
}

const REST = { DESCRIPTION: 'description', REFERENCE: 'reference' };
const IMPORTABLE_RESOURCES: Kind[] = [
  {
    searchName: 'workplace_searchUsers',
    index: 'Users',
    table: 'users',
    title: 'title',
    quickSearch: [
      'login',
      'first_name',
      'last_name',
      'nick_name',
      'title',
      'email',
      'phone_number',
      'mobile_phone_number',
      'user_function',
    ],
    fields: {
      login: 'login',
      firstName: 'first_name',
      lastName: 'last_name',
      nickName: 'nick_name',
      TITLE: 'title',
      email: 'email',
      phoneNumber: 'phone_number',
      mobilePhoneNumber: 'mobile_phone_number',
      userFunction: 'user_function',
      'ORGANIZATION.LABEL': 'organization_label',
      DESCRIPTION: 'description',
    },
  },
  {
    searchName: 'workplace_documents_search',
    index: 'Documents',
    table: 'documents',
    title: 'title',
    quickSearch: ['title', 'description', 'file_name', 'category', 'keywords'],
    fields: {
      ...REST,
      TITLE: 'title',
      fileName: 'file_name',
      mimeType: 'mime_type',
      version: 'version',
      category: 'category',
      keywords: 'keywords',
      downloadUrl: 'download_url',
    },
  },
  {
    searchName: 'workplace_news_search',
    index: 'News',
    table: 'news',
    title: 'title',
    quickSearch: ['title', 'description', 'summary', 'body', 'category'],
    fields: { ...REST, TITLE: 'title', summary: 'summary', body: 'body', category: 'category' },
  },
  {
    searchName: 'workplace_faq_search',
    index: 'Faqs',
    table: 'faqs',
    title: 'question',
    quickSearch: ['question', 'answer', 'description', 'category', 'keywords'],
    fields: {
      ...REST,
      TITLE: 'question',
      question: 'question',
      answer: 'answer',
      category: 'category',
      keywords: 'keywords',
    },
  },
  {
    searchName: 'workplace_customers_search',
    index: 'Customers',
    table: 'customers',
    title: 'name',
    quickSearch: [
      'name',
      'code',
      'description',
      'tax_number',
      'email',
      'phone_number',
      'address',
      'city',
      'country',
      'contact_name',
    ],
    fields: {
      ...REST,
      TITLE: 'name',
      name: 'name',
      code: 'code',
      taxNumber: 'tax_number',
      email: 'email',
      phoneNumber: 'phone_number',
      address: 'address',
      city: 'city',
      country: 'country',
      webSite: 'web_site',
      contactName: 'contact_name',
    },
  },
];

interface Item {
  place: Cursor;
  /** The folded text of each field, quickSearch too. */
  texts: Record<string, string>;
  /** For each of CALLERS, whether the oracle lets the caller see the record. */
  seenBy: boolean[];
}

let server: TestServer;
let tokens: string[];
const items = new Map<Kind, Item[]>();

beforeAll(async () => {
  server = await startTestServer();
  tokens = await Promise.all(CALLERS.map((login) => server.signIn(login)));
  await addOddRows();
  const principals = await Promise.all(CALLERS.map(principalsOf));
  for (const kind of IMPORTABLE_RESOURCES) items.set(kind, await readItems(kind, principals));
});
afterAll(() => server.close());

const ODD = [
  'Ämter',
  'amter',
  'AMTER Straße',
  'strasse',
  '50%_off',
  'a\\b "c" \'d\'',
  'Øre Œuvre',
  'ore oeuvre',
  '😀 ok',
  'İstanbul ışık',
  'istanbul isik',
  'ﬁn \u00a8 ²',
  'Łódź',
  'zz',
  'Αθήνας ΣΟΦΟΣ',
  '株式会社 ㈱',
];
/** Too long for an index entry. */
const LONG = 'lorem ipsum dolor sit amet '.repeat(120);

/** Equal titles, odd characters, long texts, every status, every kind of audience. */
async function addOddRows(): Promise<void> {
  const of = (n: number) => ODD[n % ODD.length]!;
  for (let n = 0; n < 96; n++) {
    await server.database.query(
      `INSERT INTO users (login, last_name, title, nick_name, user_function, description, status, organization_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT id FROM organizations ORDER BY id OFFSET $8 LIMIT 1))`,
      [
        `odd.${n}`,
        of(n),
        of(n * 3),
        of(n * 5),
        n % 9 === 0 ? LONG : of(n * 7),
        of(n * 11),
        n % 5 ? 1 : n % 4,
        n % 10,
      ],
    );
    for (const [table, title, text, singular] of [
      ['documents', 'title', 'keywords', 'document'],
      ['news', 'title', 'summary', 'news'],
      ['faqs', 'question', 'answer', 'faq'],
      ['customers', 'name', 'address', 'customer'],
    ] as const) {
      const [row] = await server.database.query<{ id: string }>(
        `INSERT INTO ${table} (${title}, ${text}, description, status) VALUES ($1, $2, $3, $4) RETURNING id`,
        [of(n * 3), of(n * 5), n % 7 === 0 ? LONG + of(n) : of(n), n % 6 === 5 ? n % 3 : 1],
      );
      const [kind, table2] = (
        [
          ['user', 'users'],
          ['group', 'groups'],
          ['organization', 'organizations'],
        ] as const
      )[n % 3]!;
      if (n % 4 !== 0)
        await server.database.query(
          `INSERT INTO ${singular}_audiences (${singular}_id, ${kind}_id) SELECT $1, id FROM ${table2} ORDER BY id OFFSET $2 LIMIT 2`,
          [row!.id, n % 6],
        );
    }
  }
  await server.database.query(
    `UPDATE news SET publication_date = now() + interval '1 day' WHERE id % 11 = 0`,
  );
  await server.database.query(
    `UPDATE news SET end_date = now() - interval '1 day' WHERE id % 13 = 0`,
  );
}

/** The person, their groups, their organization and its ancestors. */
async function principalsOf(login: string): Promise<Set<string>> {
  const rows = await server.database.query<{ id: string }>(
    `WITH RECURSIVE me AS (SELECT id, organization_id FROM users WHERE login = $1),
       above AS (SELECT o.id, o.parent_id FROM organizations o, me WHERE o.id = me.organization_id
         UNION SELECT o.id, o.parent_id FROM organizations o, above WHERE o.id = above.parent_id)
     SELECT id FROM me UNION SELECT group_id FROM group_members, me WHERE user_id = me.id UNION SELECT id FROM above`,
    [login],
  );
  return new Set(rows.map(({ id }) => id));
}

async function readItems(kind: Kind, principals: Set<string>[]): Promise<Item[]> {
  const { table, title, quickSearch, fields } = kind;
  const users = table === 'users';
  const singular = table === 'news' ? table : table.slice(0, -1);
  const rows = await server.database.query<Record<string, string | null>>(
    `SELECT t.*, t.id::text AS id, t.status::text AS status, ${
      users
        ? `(SELECT label FROM organizations WHERE id = organization_id) AS organization_label, sysadmin::text AS hidden, NULL AS audience`
        : `${table === 'news' ? '(coalesce(publication_date > now(), false) OR coalesce(end_date <= now(), false))' : 'false'}::text AS hidden,
           (SELECT string_agg(principal_id::text, ',') FROM ${singular}_audiences WHERE ${singular}_id = t.id) AS audience`
    } FROM ${table} t`,
  );
  return rows
    .map((row): Item => {
      const found = row.status === '1' && row.hidden === 'false';
      const audience = row.audience?.split(',');
      const quick = quickSearch.flatMap((column) => row[column] ?? []).join(' ');
      const spell = (column: string) => (hasOneSpelling(table, column) ? fold : searchText);
      const texts = Object.entries(fields).map(([name, column]) => [
        name,
        spell(column)(row[column] ?? ''),
      ]);
      return {
        place: { title: fold(row[title]!), id: row.id! },
        texts: { ...Object.fromEntries(texts), quickSearch: searchText(quick) },
        seenBy: principals.map((mine) => found && (audience?.some((id) => mine.has(id)) ?? true)),
      };
    })
    .sort((a, b) => comparePlaces(a.place, b.place));
}

/** The columns outside quickSearch, whose index has no other spellings. */
const hasOneSpelling = (table: string, column: string): boolean =>
  table === 'users'
    ? column === 'description'
    : ['reference', 'mime_type', 'version', 'download_url', 'web_site'].includes(column);

const comparePlaces = (a: Cursor, b: Cursor): number =>
  Buffer.compare(Buffer.from(a.title), Buffer.from(b.title)) || Number(BigInt(a.id) - BigInt(b.id));

/** A substring of an existing text, as a user might type it. */
const term = fc.record({
  pick: fc.nat(),
  from: fc.nat(40),
  length: fc.integer({ min: 1, max: 7 }),
  upper: fc.boolean(),
  odd: fc.option(
    fc.constantFrom('%', '_', '\\', 'ß', 'É', 'ø', 'œ', 'İ', 'ı', '😀', 'Σ', '*', 'zzzz', "'"),
    {
      freq: 12,
    },
  ),
});
const search = fc.record({
  kind: fc.constantFrom(...IMPORTABLE_RESOURCES),
  field: fc.option(fc.nat(), { freq: 2 }),
  caller: fc.nat(CALLERS.length - 1),
  terms: fc.array(term, { maxLength: 3 }),
  /** Most search terms are substrings of one record, so that searches find something. */
  oneRecord: fc.boolean(),
  after: fc.option(fc.nat(), { freq: 2 }),
});

async function compare({
  kind,
  field,
  caller,
  terms,
  oneRecord,
  after,
}: typeof search extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
  const all = items.get(kind)!;
  const names = Object.keys(kind.fields);
  const searchField = field === null ? 'quickSearch' : names[field % names.length]!;
  const wanted = terms.map(({ pick, from, length, upper, odd }) => {
    const { texts } = all[(oneRecord ? terms[0]! : { pick }).pick % all.length]!;
    const text = [...texts[searchField]!];
    const piece =
      odd ??
      text
        .slice(from % (text.length || 1))
        .slice(0, length)
        .join('');
    return upper ? piece.toUpperCase() : piece;
  });
  const text = wanted.join(' ');
  const place = after === null ? undefined : all[after % all.length]!.place;
  const folded = text.trim() === '*' ? [] : fold(text).split(/\s+/u).filter(Boolean);
  const expected = all
    .filter(({ seenBy }) => seenBy[caller])
    .filter((item) => !place || comparePlaces(item.place, place) > 0)
    .filter(({ texts }) => folded.every((piece) => texts[searchField]!.includes(piece)))
    .slice(0, 20);
  const { body } = await server.call(
    PATH +
      query({
        query: text,
        searchName: kind.searchName,
        searchField,
        _AuthenticationKey: tokens[caller]!,
        ...(place && { searchIndexTop: formatCursor(kind.index, place) }),
      }),
  );
  const marker = (item?: Item) => item && formatCursor(kind.index, item.place);
  expect({
    text,
    ids: (body.data as { ID: string }[]).map(({ ID }) => ID),
    bottom: body.searchIndexBottom,
    top: body.searchIndexTop,
  }).toEqual({
    text,
    ids: expected.map(({ place: { id } }) => id),
    bottom: marker(expected[0]),
    top: marker(expected.at(-1)),
  });
}

describe('GET /navigation/search/workplace', () => {
  it.each([
    ['as shipped', {}],
    ['when the walk ends soon', { quickSearch: 30, field: 12, long: 3 }],
    [
      'when few matches make a word common',
      { quickSearch: 12, field: 12, long: 3, sampled: 12, common: 2, far: 60 },
    ],
  ])(
    'finds the results of an oracle in memory, for random searches, %s',
    async (_, limits) => {
      Object.assign(server.app.get(SearchEngine).limits, SEARCH_LIMITS, limits);
      const seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31);
      await fc.assert(fc.asyncProperty(search, compare), { ...propertyRuns(667), seed });
    },
    PROPERTY_TIMEOUT,
  );
});

describe('the buckets of titles', () => {
  const letter = fc.constantFrom(..."abyz09 -~{_'áßøжあ😀", '\u{10ffff}', '\uffff');
  const title = fc.array(letter, { maxLength: 5 }).map((letters) => letters.join(''));

  it('follow each other like the titles, and begin where the server says', async () => {
    const titles = fc.sample(title, { numRuns: 3_000, seed: 1 });
    const firsts = titles.map(bucketOf);
    const wrong = await server.database.query(
      `SELECT title, first FROM (
         SELECT title, first, title_prefix(title) AS bucket, lag(title_prefix(title)) OVER (ORDER BY title COLLATE "C") AS last
         FROM unnest($1::text[], $2::text[]) AS t(title, first)) sorted
       WHERE bucket < last OR title_prefix(first) <> bucket OR first COLLATE "C" > title`,
      [titles, firsts],
    );
    expect(wrong).toEqual([]);
  });

  it('before a title are exactly those with smaller titles', async () => {
    const wrong = await server.database.query(
      `SELECT one, other FROM generate_series(0, 32767, 97) AS one, generate_series(0, 32767, 89) AS other
       WHERE (title_prefix_ranges(one) && title_prefix_ranges_before(other)) <> (one < other)`,
    );
    expect(wrong).toEqual([]);
  });
});
