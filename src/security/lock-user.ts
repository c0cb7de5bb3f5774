import type { Transaction } from '../database/database.js';

/**
 * Makes parallel requests about one user wait for each other until the transaction ends, so that they neither lose
 * changes nor exceed a limit together. It is plain SQL because folders below the directory, which cannot import the
 * entity of users, call it.
 * @returns whether there is such a user
 */
export const lockUser = async (transaction: Transaction, id: string): Promise<boolean> => {
  const text = 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE';
  return (await transaction.execute({ text, values: [id] })) > 0;
};
