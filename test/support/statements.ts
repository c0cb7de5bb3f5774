import { jest } from '@jest/globals';
import { Database, Transaction } from '../../src/database/database.js';

/** Counts the statements that the server runs during `work`; all pass through these methods. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const spies = (['rows', 'query', 'execute'] as const).flatMap((method) => [
    jest.spyOn(Database.prototype, method),
    jest.spyOn(Transaction.prototype, method),
  ]);
  await work();
  const count = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  for (const spy of spies) spy.mockRestore();
  return count;
}
