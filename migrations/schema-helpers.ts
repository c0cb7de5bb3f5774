import type { QueryRunner } from 'typeorm';

/** The tables with an audience. The singular names the table of audiences (`…_audiences`) and its column (`…_id`). */
export const AUDIENCE_OWNERS = [
  { table: 'applications', singular: 'application' },
  { table: 'documents', singular: 'document' },
  { table: 'news', singular: 'news' },
  { table: 'faqs', singular: 'faq' },
  { table: 'customers', singular: 'customer' },
];

/** An index; `on` is the rest of its definition, e.g. `tasks (status, id) WHERE status = 'open'`. */
export interface IndexDefinition {
  name: string;
  on: string;
  unique?: boolean;
}

/**
 * Creates an index. In a migration with `transaction = false` everybody reads and writes the table meanwhile, and the
 * call can be repeated: an index that a failed build left invalid is dropped first. In a transaction it locks the
 * table, which is right for tables of the same transaction only.
 */
export async function createIndex(
  runner: QueryRunner,
  { name, on, unique = false }: IndexDefinition,
): Promise<void> {
  const create = unique ? 'CREATE UNIQUE INDEX' : 'CREATE INDEX';
  if (runner.isTransactionActive) return void (await runner.query(`${create} ${name} ON ${on}`));
  const [invalid] = (await runner.query(
    `SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('${name}') AND NOT indisvalid`,
  )) as unknown[];
  if (invalid) await dropIndex(runner, name);
  await waiting(runner, `${create} CONCURRENTLY IF NOT EXISTS ${name} ON ${on}`);
}

/** Drops an index; as `createIndex` does, concurrently and repeatably outside a transaction. */
export async function dropIndex(runner: QueryRunner, name: string): Promise<void> {
  if (runner.isTransactionActive) await runner.query(`DROP INDEX ${name}`);
  else await waiting(runner, `DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

/** Gives an index another definition; as `createIndex` does. Lists use the former index until the new one is built. */
export async function replaceIndex(
  runner: QueryRunner,
  definition: IndexDefinition,
): Promise<void> {
  const { name } = definition;
  if (runner.isTransactionActive) {
    await dropIndex(runner, name);
    return createIndex(runner, definition);
  }
  const former = `${name}_former`;
  await dropIndex(runner, former);
  await createIndex(runner, { ...definition, name: `${name}_new` });
  await runner.query(
    `ALTER INDEX IF EXISTS ${name} RENAME TO ${former}; ALTER INDEX ${name}_new RENAME TO ${name}`,
  );
  await dropIndex(runner, former);
}

/** Counts the values of a table for the planner, which knows nothing of an expression before. */
export const analyze = (runner: QueryRunner, table: string): Promise<void> =>
  waiting(runner, `ANALYZE ${table}`);

/** Runs a statement whose lock holds up no reader and no writer, however long it waits for it. */
async function waiting(runner: QueryRunner, statement: string): Promise<void> {
  if (runner.isTransactionActive) return void (await runner.query(statement));
  await runner.query('SET lock_timeout = 0');
  try {
    await runner.query(statement);
  } finally {
    await runner.query('RESET lock_timeout');
  }
}

/** Rows that a statement may write at once: those who write the same rows wait until it has ended. */
const BATCH = 200;

/**
 * Writes a table in batches, each one call of `query`, which is a transaction, in a migration with `transaction = false`.
 * @param work gets the condition of a batch, e.g. `id > 200 AND id <= 400`; it may run again for the same rows
 */
export async function inBatches(
  runner: QueryRunner,
  table: string,
  work: (batch: string) => Promise<void>,
): Promise<void> {
  for (let after: string | undefined = '0'; after !== undefined;) {
    const [next] = (await runner.query(
      `SELECT id FROM ${table} WHERE id > ${after} ORDER BY id OFFSET ${BATCH - 1} LIMIT 1`,
    )) as { id: string }[];
    await work(`id > ${after}${next ? ` AND id <= ${next.id}` : ''}`);
    after = next?.id;
  }
}

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
 * column to allow an index-only scan. Those of a table that is there already are created outside a transaction.
 */
export async function sortIndexes(
  runner: QueryRunner,
  table: string,
  { texts = [], values = [] }: SortedColumns,
): Promise<void> {
  for (const column of texts)
    await createIndex(runner, {
      name: `${table}_${column}_sort_idx`,
      on: `${table} (fold(${column} COLLATE "C"), id) INCLUDE (${column})`,
    });
  for (const column of values)
    await createIndex(runner, {
      name: `${table}_${column}_sort_idx`,
      on: `${table} (${column}, id)`,
    });
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
