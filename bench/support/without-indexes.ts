import type pg from 'pg';
import { progress } from '../../src/command-line/progress.js';

/**
 * Loads data without the foreign keys of a table, whose rows would be checked one by one, and without the indexes that no
 * constraint needs; then creates both again.
 */
export async function withoutIndexes(
  client: pg.Client,
  table: string,
  load: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ drop: string; create: string }>(
    `SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS drop, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') AS create FROM pg_index i
     WHERE i.indrelid = $1::regclass AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype <> 'f')
     UNION ALL
     SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname), format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
     FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'f'`,
    [table],
  );
  for (const { drop } of rows) await client.query(drop);
  await load();
  const bar = progress(`indexes and foreign keys of ${table}`, rows.length);
  for (const [n, { create }] of rows.entries()) {
    bar.update(n);
    await client.query(create);
  }
  bar.end();
}
