import type { QueryRunner } from 'typeorm';

/** The columns of a table that its lists are sorted, compared and filtered by. */
export interface SortedColumns {
  texts?: string[];
  /** Numbers, codes, dates and ids of linked objects. */
  values?: string[];
}

/**
 * One index for each of these columns, with the id as the tie-break of every list. Lists compare texts
 * by `fold(column COLLATE "C")`: with the collation around the call instead, PostgreSQL would compute
 * fold() again for each entry that it reads (docs/decisions/0012-index-for-every-sortable-attribute.md). The column is included so that an
 * index-only scan answers.
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
 * The column `reference`: left null it becomes PREFIX-id; it is unique within its table, without case and
 * accents, and sorted by like any text.
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

/** How a table is searched; its description in src/search/ says the same. */
export interface SearchedTable {
  table: string;
  /** The column that orders the search. */
  title: string;
  /** The texts that a search without searchField looks into. */
  quickSearchTexts: string[];
  /** Further stored texts that searchField may name. */
  extraTexts: string[];
  /** The rows that a search can find at all, whoever asks. */
  baseCondition: string;
  /** Columns that decide whether one caller finds a row. */
  visibilityColumns: string[];
}

/** An index entry over 2,704 bytes makes an INSERT fail; longer texts stay out of the index below this. */
const MAX_ENTRY = 2400;

/**
 * Adds a search to a table (docs/decisions/0006-search-ordered-scan-then-ngram-index.md):
 *
 * - `quick_search`, the folded texts of a record, and `search_title`, the folded title by which the search
 *   is ordered; triggers keep both, so that they can never be stale;
 * - `_search_order_idx`: the order, with every column that decides whether a row is found, so that an
 *   index-only scan answers. Rows with longer texts are in `_search_order_long_idx`, with their order alone;
 * - `_quick_search_idx`: a GIN index over the n-grams of the texts, the audience, and the ranges of title
 *   prefixes, by which the first matches of a common word are found without reading all of them.
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
  // An index-only scan needs a table that was vacuumed since it changed.
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
