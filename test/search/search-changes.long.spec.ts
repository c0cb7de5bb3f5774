import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SearchEngine } from '../../src/search/search-engine.js';
import { SEARCH_LIMITS } from '../../src/search/search-statements.js';
import { query } from '../support/call.js';
import { compareText } from '../support/fold.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Compares paging during concurrent changes with an in-memory model of the records. */

const CHANGES = 500;
/** Changes between two pages: enough that all changes happen before the last page. */
const BETWEEN_PAGES = 25;
const RECORDS = 600;

const title = fc
  .tuple(
    fc.constantFrom('Ärna', 'arna', 'Berta', 'Émile', 'emile', 'Øre', 'Zoë', 'zoe', '50%', '😀'),
    fc.constantFrom('', ' a', ' B', ' ß', ' z'),
  )
  .map((parts) => parts.join(''));
const change = fc.record({
  kind: fc.constantFrom('add' as const, 'rename' as const, 'remove' as const, 'archive' as const),
  pick: fc.nat(),
  title,
});

interface Kind {
  searchName: string;
  table: string;
  /** The columns, besides the title, that make a record findable, and their values. */
  columns: string;
  values: string;
}

const IMPORTABLE_RESOURCES: Kind[] = [
  {
    searchName: 'workplace_searchUsers',
    table: 'users',
    columns: 'last_name, login, status',
    values: `'Kestrel', 'changing.' || gen_random_uuid(), 1`,
  },
  {
    searchName: 'workplace_documents_search',
    table: 'documents',
    columns: 'keywords',
    values: `'kestrel'`,
  },
];

let server: TestServer;
let sysadmin: string;
beforeAll(async () => {
  server = await startTestServer();
  sysadmin = await server.signIn('sysadmin');
});
afterAll(() => server.close());

/** The existing records by id. */
type Model = Map<string, string>;

async function add({ table, columns, values }: Kind, model: Model, title: string): Promise<void> {
  const [row] = await server.database.query<{ id: string }>(
    `INSERT INTO ${table} (title, ${columns}) VALUES ($1, ${values}) RETURNING id::text`,
    [title],
  );
  model.set(row!.id, title);
}

/** Applies one change to the database and the model and returns the existing record that it changed. */
async function apply(
  kind: Kind,
  model: Model,
  { kind: what, pick, title }: typeof change extends fc.Arbitrary<infer T> ? T : never,
): Promise<string | undefined> {
  if (what === 'add') return add(kind, model, title).then(() => undefined);
  const id = [...model.keys()][pick % model.size]!;
  const { table } = kind;
  if (what === 'rename') {
    await server.database.query(`UPDATE ${table} SET title = $2 WHERE id = $1`, [id, title]);
    model.set(id, title);
  } else {
    const sql = {
      remove: `DELETE FROM ${table} WHERE id = $1`,
      archive: `UPDATE ${table} SET status = 2 WHERE id = $1`,
    };
    await server.database.query(sql[what], [id]);
    model.delete(id);
  }
  return id;
}

const inOrder = (model: Model) =>
  [...model].sort(([a, one], [b, other]) => compareText(one, other) || Number(a) - Number(b));

describe('paging', () => {
  it.each(
    IMPORTABLE_RESOURCES.flatMap((kind) => [
      { kind, way: 'by the order', limits: {} },
      { kind, way: 'by the grams', limits: { quickSearch: 1, field: 1, long: 1 } },
      {
        kind,
        way: 'around the first match',
        limits: { quickSearch: 1, field: 1, long: 1, common: 1 },
      },
    ]),
  )(
    'returns every record that was there throughout exactly once, $way of $kind.searchName',
    async ({ kind, limits }) => {
      Object.assign(server.app.get(SearchEngine).limits, SEARCH_LIMITS, limits);
      const seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31);
      process.stderr.write(`changes of seed ${seed}\n`);
      const sample = <T>(what: fc.Arbitrary<T>, numRuns: number) =>
        fc.sample(what, { numRuns, seed });
      await server.database.query(`DELETE FROM ${kind.table} WHERE quick_search LIKE '%kestrel%'`);
      const model: Model = new Map();
      for (const text of sample(title, RECORDS)) await add(kind, model, text);
      const changes = sample(change, CHANGES);
      const throughout = new Set(model.keys());
      const seen: string[] = [];
      let last: { id: string; title: string } | undefined;
      let markers = {};
      for (;;) {
        const { searchName } = kind;
        const search = { query: 'KESTREL', searchName, searchField: 'quickSearch', ...markers };
        const { body } = await server.call(`/navigation/search/workplace${query(search)}`, {
          token: sysadmin,
        });
        const ids = (body.data as { ID: string }[]).map(({ ID }) => ID);
        const behind = inOrder(model).filter(
          ([id, text]) =>
            !last ||
            compareText(text, last.title) > 0 ||
            (compareText(text, last.title) === 0 && Number(id) > Number(last.id)),
        );
        expect(ids).toEqual(behind.slice(0, 20).map(([id]) => id));
        if (ids.length === 0) break;
        seen.push(...ids);
        last = { id: ids.at(-1)!, title: model.get(ids.at(-1)!)! };
        markers = {
          searchIndexBottom: body.searchIndexBottom,
          searchIndexTop: body.searchIndexTop,
        };
        for (const one of changes.splice(0, BETWEEN_PAGES)) {
          const changed = await apply(kind, model, one);
          if (changed !== undefined) throughout.delete(changed);
        }
      }
      expect(changes).toEqual([]);
      expect(throughout.size).toBeGreaterThan(100);
      const counts = new Map<string, number>();
      for (const id of seen) counts.set(id, (counts.get(id) ?? 0) + 1);
      expect([...throughout].filter((id) => counts.get(id) !== 1)).toEqual([]);
    },
    120_000,
  );
});
