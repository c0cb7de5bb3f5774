import { underAdvisoryLock } from './advisory-lock.js';
import type { Database } from './database.js';

/** The advisory lock under which one instance at a time adds and drops parts of tables. */
const PARTS_LOCK = 2_026_112_301;

/**
 * Calls functions of the database that add and drop parts of a table, each in a transaction of its own. Only the owner of
 * the table may do what they do (migrations/functions).
 */
export async function renewParts(database: Database, functions: string[]): Promise<void> {
  for (const name of functions)
    await underAdvisoryLock(database, PARTS_LOCK, (transaction) =>
      transaction.execute({ text: `SELECT ${name}()`, values: [] }),
    );
}
