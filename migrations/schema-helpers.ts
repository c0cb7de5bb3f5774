import type { QueryRunner } from 'typeorm';

/** The tables with an audience. The singular names the table of audiences (`…_audiences`) and its column (`…_id`). */
export const AUDIENCE_OWNERS = [
  { table: 'applications', singular: 'application' },
  { table: 'documents', singular: 'document' },
  { table: 'news', singular: 'news' },
  { table: 'faqs', singular: 'faq' },
  { table: 'customers', singular: 'customer' },
];

/** The columns by which lists of a table sort, compare and filter. */
export interface SortedColumns {
  texts?: string[];
  /** Numbers, codes, dates and ids of linked objects. */
  values?: string[];
}

/**
 * Creates an index on each of these columns, with the id as the tie-break of every list. Lists compare texts by
 * `fold(column COLLATE "C")`: with the collation outside the call, PostgreSQL would compute fold() again for
 * each entry that it reads (docs/decisions/0012-index-for-every-sortable-attribute.md). The index includes the
 * column to allow an index-only scan.
 */
export async function sortIndexes(
  runner: QueryRunner,
  table: string,
  { texts = [], values = [] }: SortedColumns,
): Promise<void> {
  for (const column of texts)
    await runner.query(
      `CREATE INDEX ${table}_${column}_sort_idx ON ${table} (fold(${column} COLLATE "C"), id) INCLUDE (${column})`,
    );
  for (const column of values)
    await runner.query(`CREATE INDEX ${table}_${column}_sort_idx ON ${table} (${column}, id)`);
}

/**
 * Creates the column `reference`, which defaults to PREFIX-id. It is unique within its table, ignoring case and
 * accents, and lists sort by it like by any text.
 */
export async function referenceFromId(
  runner: QueryRunner,
  table: string,
  prefix: string,
): Promise<void> {
  await runner.query(`
    CREATE FUNCTION ${table}_set_reference() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.reference := coalesce(NEW.reference, '${prefix}-' || NEW.id);
      RETURN NEW;
    END $$`);
  await runner.query(`
    CREATE TRIGGER ${table}_set_reference BEFORE INSERT OR UPDATE OF reference ON ${table}
      FOR EACH ROW EXECUTE FUNCTION ${table}_set_reference()`);
  await runner.query(
    `CREATE UNIQUE INDEX ${table}_reference_key ON ${table} (fold(reference COLLATE "C"))`,
  );
  await sortIndexes(runner, table, { texts: ['reference'] });
}

/** How a table is searched; must match its definition in src/search/. */
export interface SearchedTable {
  table: string;
  /** The column that orders the search. */
  title: string;
  /** The texts that a search without searchField covers. */
  quickSearchTexts: string[];
  /** Further stored texts that searchField may name. */
  extraTexts: string[];
  /** The condition of the rows that any caller's search can find. */
  baseCondition: string;
  /** Columns that decide whether a given caller finds a row. */
  visibilityColumns: string[];
}

/** Maximum bytes of texts in an index entry: an INSERT fails on an entry over 2,704 bytes. */
const MAX_ENTRY = 2400;

/**
 * Adds a search to a table (docs/decisions/0006-search-ordered-scan-then-ngram-index.md):
 *
 * - `quick_search`, the folded texts of a record, and `search_title`, the folded title that orders the search.
 *   Triggers maintain both, so that they are never stale;
 * - `_search_order_idx`: the order, with every column that decides whether a row is found, to allow an
 *   index-only scan. Rows with longer texts are in `_search_order_long_idx`, which contains only their order;
 * - `_quick_search_idx`: a GIN index over the n-grams of the texts, the audience, and the ranges of title
 *   prefixes. The ranges find the first matches of a common word without reading all of them.
 */
export async function addSearch(runner: QueryRunner, searched: SearchedTable): Promise<void> {
  const { table, title, quickSearchTexts } = searched;
  if (!quickSearchTexts.includes(title))
    throw new Error(`${table}: quickSearchTexts must include the title`);
  await runner.query(`
    ALTER TABLE ${table}
      ADD quick_search text NOT NULL DEFAULT '',
      ADD search_title text NOT NULL DEFAULT ''`);
  const texts = quickSearchTexts.map((column) => `NEW.${column}`).join(', ');
  await keepColumn(runner, table, 'quick_search', `fold(concat_ws(' ', ${texts}))`);
  await keepColumn(runner, table, 'search_title', `cut_title(fold(NEW.${title}))`);
  await addSearchIndexes(runner, searched);
  // An index-only scan needs a table that was vacuumed after its last change.
  await runner.query(`
    ALTER TABLE ${table} SET (autovacuum_vacuum_scale_factor = 0.01,
      autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_cost_limit = 2000)`);
}

async function keepColumn(
  runner: QueryRunner,
  table: string,
  column: string,
  value: string,
): Promise<void> {
  await runner.query(`
    CREATE FUNCTION ${table}_set_${column}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.${column} := ${value};
      RETURN NEW;
    END $$`);
  await runner.query(`
    CREATE TRIGGER ${table}_set_${column} BEFORE INSERT OR UPDATE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION ${table}_set_${column}()`);
}

async function addSearchIndexes(
  runner: QueryRunner,
  { table, extraTexts, baseCondition, visibilityColumns }: SearchedTable,
): Promise<void> {
  const audience = visibilityColumns.includes('audience');
  const order = 'search_title COLLATE "C", id';
  const size = `octet_length(search_title) + octet_length(quick_search)${audience ? ' + 8 * cardinality(audience)' : ''}`;
  await runner.query(
    `CREATE INDEX ${table}_search_order_idx ON ${table} (${order}) INCLUDE (${['quick_search', ...visibilityColumns].join(', ')})
     WHERE ${baseCondition} AND ${size} <= ${MAX_ENTRY}`,
  );
  await runner.query(
    `CREATE INDEX ${table}_search_order_long_idx ON ${table} (${order}) WHERE ${baseCondition} AND ${size} > ${MAX_ENTRY}`,
  );
  const extra = extraTexts.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `);
  const keys = [
    'ngrams(quick_search)',
    `ngrams(fold(${extra}))`,
    ...(audience ? ['audience'] : []),
    'title_prefix_ranges(title_prefix(search_title))',
  ];
  await runner.query(
    `CREATE INDEX ${table}_quick_search_idx ON ${table} USING gin (${keys.join(', ')})`,
  );
}

/** Undoes addSearch. */
export async function dropSearch(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`
    ALTER TABLE ${table} RESET (autovacuum_vacuum_scale_factor,
      autovacuum_vacuum_insert_scale_factor, autovacuum_vacuum_cost_limit)`);
  for (const column of ['quick_search', 'search_title']) {
    await runner.query(`DROP TRIGGER ${table}_set_${column} ON ${table}`);
    await runner.query(`DROP FUNCTION ${table}_set_${column}()`);
    await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}
