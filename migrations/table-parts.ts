import type { QueryRunner } from 'typeorm';

/**
 * Indexes that sort and compare text columns by fold(); the id is the tie-break of every list, the
 * column itself is included so that the database can answer from the index alone.
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

/** A reference left null becomes PREFIX-id; references are unique within their kind. */
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
    `CREATE UNIQUE INDEX ${table}_reference_key ON ${table} ((fold(reference) COLLATE "C"))`,
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
