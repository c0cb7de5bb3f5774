import type { Reader } from './database.js';

/** The key of the advisory lock that a restore holds while it runs. */
export const RESTORE_LOCK = 2_026_112_103;

/**
 * The table that marks a database whose restore has not ended. A restore creates it where it drops the former
 * tables, and drops it in the transaction that loads all rows.
 */
export const RESTORE_MARK = 'unfinished_restore';

/** A restore has not ended; `message` says what to do. */
export class UnfinishedRestore extends Error {}

/** Whether the database has the mark. */
export async function isRestoreUnfinished(reader: Pick<Reader, 'rows'>): Promise<boolean> {
  const [row] = await reader.rows({
    text: 'SELECT to_regclass($1) IS NOT NULL',
    values: [RESTORE_MARK],
  });
  return row![0] === true;
}

/** @throws UnfinishedRestore while the database has the mark: it may be empty, and nothing else shows that */
export async function refuseUnfinishedRestore(reader: Pick<Reader, 'rows'>): Promise<void> {
  if (!(await isRestoreUnfinished(reader))) return;
  const [row] = await reader.rows({
    text: `SELECT EXISTS (SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.objid = $1 AND l.granted)`,
    values: [RESTORE_LOCK],
  });
  throw new UnfinishedRestore(
    row![0] === true
      ? 'a restore into this database is running: wait until it has ended'
      : 'a restore into this database was interrupted, so its data is missing: repeat it (process-platform restore <file>)',
  );
}
