import type { Database, Transaction } from './database.js';

/**
 * Runs work in a transaction under an advisory lock, unless another instance holds it.
 * @param lock the key of the advisory lock
 * @returns undefined when another instance holds the lock
 */
export function underAdvisoryLock<T>(
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
