import type { QueryRunner } from 'typeorm';

/** The columns of a table that its lists are sorted, compared and filtered by. */
export interface SortedColumns {
  texts?: string[];
  /** Numbers, codes, dates and ids of what is linked. */
  values?: string[];
}

/**
 * Creates the indexes of lists: one for each of these columns, with the id as the tie-break. Texts are
 * indexed by the expression that lists compare and sort by, `fold(column COLLATE "C")`. The planner uses
 * an index only for exactly its own expression; with the collation around the call it would compute
 * fold() for every entry that it reads. INCLUDE (column) lets the index alone answer.
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
 * Makes a reference left null PREFIX-id, and references unique within their table. The unique index has
 * the expression by which lists compare references; sortIndexes adds the one that lists sort by.
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
}

/**
 * Creates the indexes that migration 1795219500000 replaces by sortIndexes. Lists ask for another
 * expression, so a new migration never calls this.
 */
export async function foldIndexes(
  runner: QueryRunner,
  table: string,
  columns: string[],
): Promise<void> {
  for (const column of columns)
    await runner.query(
      `CREATE INDEX ${table}_${column}_fold_idx ON ${table} ((fold(${column}) COLLATE "C"), id) INCLUDE (${column})`,
    );
}

/**
 * What the search engine reads: quick_search, the folded texts of a record, kept by the database
 * itself so that it can never be stale, found through its grams; and the order (title, id).
 */
export async function addSearch(
  runner: QueryRunner,
  table: string,
  title: string,
  columns: string[],
): Promise<void> {
  const text = columns.map((column) => `NEW.${column}`).join(', ');
  await runner.query(`
    CREATE FUNCTION ${table}_set_quick_search() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.quick_search := fold(concat_ws(' ', ${text}));
      RETURN NEW;
    END $$`);
  await runner.query(`
    CREATE TRIGGER ${table}_set_quick_search BEFORE INSERT OR UPDATE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION ${table}_set_quick_search()`);
  await runner.query(
    `CREATE INDEX ${table}_quick_search_idx ON ${table} USING gin (grams(quick_search))`,
  );
  if (!columns.includes(title)) throw new Error(`${table}: the title has to be searched too`);
}

/** How the rows of a table are searched; the description in src/search/ says the same. */
export interface SearchWalk {
  table: string;
  /** The column by which what was found is ordered. */
  title: string;
  /** The rows that somebody can find. */
  found: string;
  /** Columns that decide who finds a row. */
  deciding: string[];
  /** Stored texts that can be searched and are not part of quick_search. */
  otherTexts: string[];
}

/**
 * The order of a search and its indexes, for a table with quick_search (addSearch).
 *
 * - `search_title`, the folded title, kept by the database: with the id it is the order;
 * - `_walk_idx`: the order, holding all that decides whether a row is found, so that no row has to
 *   be read for it. An entry over 2,704 bytes would make an INSERT fail, so a row with longer texts
 *   is in `_long_walk_idx` instead, which holds its place alone;
 * - `_quick_search_idx`: narrows a search down, wherever in the order the rows are.
 */
export async function addSearchWalk(
  runner: QueryRunner,
  { table, title, found, deciding, otherTexts }: SearchWalk,
): Promise<void> {
  const audience = deciding.includes('audience');
  await runner.query(`DROP INDEX ${table}_quick_search_idx`);
  await addSearchTitle(runner, table, title);
  const order = 'search_title COLLATE "C", id';
  const size = `octet_length(search_title) + octet_length(quick_search)${audience ? ' + 8 * cardinality(audience)' : ''}`;
  await runner.query(
    `CREATE INDEX ${table}_walk_idx ON ${table} (${order}) INCLUDE (${['quick_search', ...deciding].join(', ')})
     WHERE ${found} AND ${size} <= 2400`,
  );
  await runner.query(
    `CREATE INDEX ${table}_long_walk_idx ON ${table} (${order}) WHERE ${found} AND ${size} > 2400`,
  );
  const others = otherTexts.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `);
  const keys = ['grams(quick_search)', `grams(fold(${others}))`, ...(audience ? ['audience'] : [])];
  await runner.query(
    `CREATE INDEX ${table}_quick_search_idx ON ${table} USING gin (${keys.join(', ')})`,
  );
  // An index answers alone only where the table was vacuumed since it changed.
  await runner.query(
    `ALTER TABLE ${table} SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01)`,
  );
}

/** The type that is set again makes PostgreSQL write the table once, without dead rows. */
async function addSearchTitle(runner: QueryRunner, table: string, title: string): Promise<void> {
  await runner.query(`ALTER TABLE ${table} ADD COLUMN search_title text`);
  await runner.query(
    `ALTER TABLE ${table} ALTER COLUMN search_title TYPE text USING fold(${title}),
       ALTER COLUMN search_title SET DEFAULT '', ALTER COLUMN search_title SET NOT NULL`,
  );
  await runner.query(`
    CREATE FUNCTION ${table}_set_search_title() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.search_title := fold(NEW.${title});
      RETURN NEW;
    END $$`);
  await runner.query(`
    CREATE TRIGGER ${table}_set_search_title BEFORE INSERT OR UPDATE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION ${table}_set_search_title()`);
}

/** Undoes addSearchWalk. */
export async function dropSearchWalk(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(
    `ALTER TABLE ${table} RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor)`,
  );
  await runner.query(`DROP INDEX ${table}_quick_search_idx`);
  await runner.query(`DROP TRIGGER ${table}_set_search_title ON ${table}`);
  await runner.query(`DROP FUNCTION ${table}_set_search_title()`);
  await runner.query(`ALTER TABLE ${table} DROP COLUMN search_title`);
  await runner.query(
    `CREATE INDEX ${table}_quick_search_idx ON ${table} USING gin (grams(quick_search))`,
  );
}

const BUCKETS = ', title_buckets(title_bucket(search_title))';

/** Adds to the index of a search what tells the rows before a title, for a table with addSearchWalk. */
export const addTitleBuckets = (runner: QueryRunner, table: string): Promise<void> =>
  remakeSearchIndex(runner, table, (definition) => definition.replace(/\)$/, `${BUCKETS})`));

/** Undoes addTitleBuckets. */
export const dropTitleBuckets = (runner: QueryRunner, table: string): Promise<void> =>
  remakeSearchIndex(runner, table, (definition) => definition.replace(`${BUCKETS})`, ')'));

async function remakeSearchIndex(
  runner: QueryRunner,
  table: string,
  change: (definition: string) => string,
): Promise<void> {
  const index = `${table}_quick_search_idx`;
  const [{ definition }] = (await runner.query(
    `SELECT pg_get_indexdef('${index}'::regclass) AS definition`,
  )) as [{ definition: string }];
  await runner.query(`DROP INDEX ${index}`);
  await runner.query(change(definition));
  // What the planner knew of the pieces went with the old index, and only changed rows bring it back.
  await runner.query(`ANALYZE ${table}`);
}

/** Orders a search by the beginning of its titles, for a table with addSearchWalk. */
export async function cutSearchTitle(
  runner: QueryRunner,
  table: string,
  title: string,
): Promise<void> {
  await setSearchTitle(runner, table, `cut_title(fold(NEW.${title}))`);
  await runner.query(
    `UPDATE ${table} SET search_title = '' WHERE cut_title(search_title) <> search_title`,
  );
}

/** Undoes cutSearchTitle. */
export async function uncutSearchTitle(
  runner: QueryRunner,
  table: string,
  title: string,
): Promise<void> {
  await setSearchTitle(runner, table, `fold(NEW.${title})`);
  await runner.query(`UPDATE ${table} SET search_title = '' WHERE fold(${title}) <> search_title`);
}

const setSearchTitle = (runner: QueryRunner, table: string, value: string): Promise<unknown> =>
  runner.query(`
    CREATE OR REPLACE FUNCTION ${table}_set_search_title() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.search_title := ${value};
      RETURN NEW;
    END $$`);
