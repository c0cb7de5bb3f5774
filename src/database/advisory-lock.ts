import type { Database, Transaction } from './database.js';

/** The advisory lock under which one instance at a time adds and drops parts of tables. */
const PARTS_LOCK = 2_026_112_301;

/**
 * Runs work in a transaction unless another instance is doing so.
 * @param lock the key of the advisory lock
 * @returns undefined when another instance has the lock
 */
export function alone<T>(
  database: Database,
  lock: number,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T | undefined> {
  return database.transaction(async (transaction) => {
    const [held] = await transaction.rows({
      text: 'SELECT pg_try_advisory_xact_lock($1)',
      values: [lock],
    });
    return held?.[0] === true ? work(transaction) : undefined;
  });
}

/**
 * Calls functions of the database that add and drop parts of a table, each in a transaction of its own. Only the owner of
 * the table may do what they do (migrations/functions).
 */
export async function renewParts(database: Database, functions: string[]): Promise<void> {
  for (const name of functions)
    await alone(database, PARTS_LOCK, (transaction) =>
      transaction.execute({ text: `SELECT ${name}()`, values: [] }),
    );
}
