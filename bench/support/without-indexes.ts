import type pg from 'pg';
import { progress } from '../../src/command-line/progress.js';

/** Loads data without the indexes that no constraint needs, then recreates them. */
export async function withoutIndexes(
  client: pg.Client,
  table: string,
  load: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') AS definition FROM pg_index i
     WHERE i.indrelid = $1::regclass AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    [table],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  await load();
  const bar = progress(`indexes of ${table}`, rows.length);
  for (const [n, { definition }] of rows.entries()) {
    bar.update(n);
    await client.query(definition);
  }
  bar.end();
}
