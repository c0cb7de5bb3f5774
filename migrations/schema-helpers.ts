import type { QueryRunner } from 'typeorm';

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
  /** Texts that may be longer than the 2,704 bytes of an index entry: filters find the first characters. */
  longTexts?: string[];
  /** Of these, the shorter ones: the index also has the text, so that lists read no row. */
  wholeTexts?: string[];
  /** Numbers, codes, dates and ids of linked objects. */
  values?: string[];
}

/** The characters of a long text that its index holds. */
const PREFIX = 40;

/**
 * Creates an index on each of these columns, with the id as the tie-break of every list. Lists compare texts by
 * `fold(column COLLATE "C")`: with the collation outside the call, PostgreSQL would compute fold() again for
 * each entry that it reads (docs/decisions/0012-index-for-every-sortable-attribute.md). The index includes the
 * column to allow an index-only scan. Those of a table that is there already are created outside a transaction.
 */
export async function sortIndexes(
  runner: QueryRunner,
  table: string,
  { texts = [], longTexts = [], wholeTexts = [], values = [] }: SortedColumns,
): Promise<void> {
  const folded = (column: string) => `fold(${column} COLLATE "C")`;
  const prefix = (column: string) => `left(${folded(column)}, ${PREFIX}), id`;
  const index = (name: string, on: string) =>
    createIndex(runner, { name: `${table}_${name}_idx`, on: `${table} ${on}` });
  for (const column of texts)
    await index(`${column}_sort`, `(${folded(column)}, id) INCLUDE (${column})`);
  for (const column of longTexts) await index(`${column}_prefix`, `(${prefix(column)})`);
  for (const column of wholeTexts)
    await index(`${column}_prefix`, `(${prefix(column)}) INCLUDE (${column})`);
  for (const column of values) await index(`${column}_sort`, `(${column}, id)`);
}

/** Makes the column `reference` default to PREFIX-id. */
export async function setReference(
  runner: QueryRunner,
  table: string,
  prefix: string,
): Promise<void> {
  await runner.query(`
    CREATE TRIGGER ${table}_set_reference BEFORE INSERT OR UPDATE OF reference ON ${table}
      FOR EACH ROW EXECUTE FUNCTION set_reference('${prefix}')`);
}

/**
 * Makes the column `reference` default to PREFIX-id. It is unique as it is: a name that paths, bodies and pushes compare
 * exactly may differ from another one by case or accents. Lists sort by it like by any text.
 */
export async function referenceFromId(
  runner: QueryRunner,
  table: string,
  prefix: string,
): Promise<void> {
  await setReference(runner, table, prefix);
  await createIndex(runner, {
    name: `${table}_reference_key`,
    on: `${table} (fold(reference COLLATE "C"), reference)`,
    unique: true,
  });
  await sortIndexes(runner, table, { texts: ['reference'] });
}

/**
 * Creates the table of the audiences of objects, which restrict who may see them. It is the source of truth; the function
 * derive_audience() derives the column `audience` from it.
 * @param singular names the table of audiences (`…_audiences`) and its column (`…_id`)
 */
export async function createAudiences(
  runner: QueryRunner,
  table: string,
  singular: string,
): Promise<void> {
  await runner.query(`
    CREATE TABLE ${singular}_audiences (
      id bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY,
      ${singular}_id bigint NOT NULL REFERENCES ${table} ON DELETE CASCADE,
      user_id bigint REFERENCES users,
      group_id bigint REFERENCES groups,
      organization_id bigint REFERENCES organizations,
      principal_id bigint NOT NULL GENERATED ALWAYS AS (coalesce(user_id, group_id, organization_id)) STORED,
      CONSTRAINT ${singular}_audiences_one_check CHECK (num_nonnulls(user_id, group_id, organization_id) = 1),
      CONSTRAINT ${singular}_audiences_key UNIQUE (${singular}_id, principal_id)
    )`);
  for (const principal of ['user_id', 'group_id', 'organization_id'])
    await runner.query(
      `CREATE INDEX ${singular}_audiences_${principal}_idx ON ${singular}_audiences (${principal}) WHERE ${principal} IS NOT NULL`,
    );
}

/** Drops tables with what depends on them: foreign keys among each other, views, and functions that take a row. */
export async function dropTables(runner: QueryRunner, tables: string[]): Promise<void> {
  await runner.query(`DROP TABLE ${tables.join(', ')} CASCADE`);
}

/** How a table is searched; must match its definition in src/search/, and its function `set_search_of_…`. */
export interface SearchedTable {
  table: string;
  /** Stored texts that searchField may name, beside those of `quick_search`. */
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
 *   The trigger of a function `set_search_of_…` maintains both, so that they are never stale;
 * - `_search_order_idx`: the order, with every column that decides whether a row is found, to allow an
 *   index-only scan. Rows with longer texts are in `_search_order_long_idx`, which contains only their order;
 * - `_quick_search_idx`: a GIN index over the n-grams of the texts, the audience, and the ranges of title
 *   prefixes. The ranges find the first matches of a common word without reading all of them.
 */
export async function addSearch(
  runner: QueryRunner,
  { table, extraTexts, baseCondition, visibilityColumns }: SearchedTable,
): Promise<void> {
  const audience = visibilityColumns.includes('audience');
  const order = 'search_title COLLATE "C", id';
  const size = `octet_length(search_title) + octet_length(quick_search)${audience ? ' + 8 * cardinality(audience)' : ''}`;
  const extra = extraTexts.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `);
  const keys = [
    'ngrams(quick_search)',
    `ngrams(fold(${extra}))`,
    ...(audience ? ['audience'] : []),
    'title_prefix_ranges(title_prefix(search_title))',
  ];
  // An index-only scan needs a table that was vacuumed after its last change.
  await runner.query(`
    ALTER TABLE ${table}
      ADD quick_search text NOT NULL DEFAULT '',
      ADD search_title text NOT NULL DEFAULT '',
      SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
        autovacuum_vacuum_cost_limit = 2000);
    CREATE INDEX ${table}_search_order_idx ON ${table} (${order}) INCLUDE (${['quick_search', ...visibilityColumns].join(', ')})
      WHERE ${baseCondition} AND ${size} <= ${MAX_ENTRY};
    CREATE INDEX ${table}_search_order_long_idx ON ${table} (${order}) WHERE ${baseCondition} AND ${size} > ${MAX_ENTRY};
    CREATE INDEX ${table}_quick_search_idx ON ${table} USING gin (${keys.join(', ')})`);
}
