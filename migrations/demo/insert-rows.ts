import type { QueryRunner } from 'typeorm';

/** Rows as objects of one shape; property names are columns. */
type Rows = Record<string, unknown>[];

/** Maximum number of values of one INSERT; PostgreSQL allows 65,535. */
const MAX_VALUES = 30_000;

/** Inserts rows in few statements; returns their ids in the same order. */
export async function insertRows(
  runner: QueryRunner,
  table: string,
  rows: Rows,
): Promise<string[]> {
  if (rows.length === 0) return [];
  const columns = Object.keys(rows[0]!);
  const batch = Math.floor(MAX_VALUES / columns.length);
  const ids: string[] = [];
  for (let start = 0; start < rows.length; start += batch) {
    const values: unknown[] = [];
    const tuples = rows
      .slice(start, start + batch)
      .map((row) => `(${columns.map((column) => `$${values.push(row[column])}`).join(', ')})`);
    const inserted = (await runner.query(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${tuples.join(', ')} RETURNING *`,
      values,
    )) as { id?: string }[];
    ids.push(...inserted.map(({ id }) => id ?? ''));
  }
  return ids;
}

/** Ids by the column that names the rows. */
export async function idsBy(
  runner: QueryRunner,
  table: string,
  column: string,
): Promise<Map<string, string>> {
  const rows = (await runner.query(`SELECT ${column} AS name, id FROM ${table}`)) as {
    name: string;
    id: string;
  }[];
  return new Map(rows.map(({ name, id }) => [name, id]));
}
