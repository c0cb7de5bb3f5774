import type { Reader } from './database.js';

/** How many rows of a table refer to one row. */
export interface Referrer {
  table: string;
  column: string;
  count: number;
}

/**
 * Counts the rows that still refer to a row by a foreign key that neither cascades nor becomes null. The keys come
 * from the catalogue, so that a new reference needs no entry anywhere.
 */
export async function findReferrers(
  reader: Reader,
  table: string,
  id: string,
): Promise<Referrer[]> {
  const keys = await reader.rows({
    text: `SELECT c.conrelid::regclass::text, a.attname::text
      FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
      WHERE c.contype = 'f' AND c.confrelid = $1::regclass AND c.confdeltype NOT IN ('c', 'n') ORDER BY 1, 2`,
    values: [table],
  });
  const referrers: Referrer[] = [];
  for (const [referring, column] of keys as [string, string][]) {
    const [row] = await reader.rows({
      text: `SELECT count(*) FROM ${referring} WHERE ${column} = $1`,
      values: [id],
    });
    const count = Number(row![0]);
    if (count > 0) referrers.push({ table: referring, column, count });
  }
  return referrers;
}
