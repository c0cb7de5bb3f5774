import { jest } from '@jest/globals';
import { Database, Transaction } from '../../src/database/database.js';

/** What the sender of deliveries, the switch of absences, the rounds of mails and the reader of the journal ask by themselves. */
export const IN_THE_BACKGROUND =
  /\b(dispatching|FROM endpoints|deliveries d|switch_absences|task_mail_rounds|pg_notify)\b/;

/** Counts the statements that the server runs during `work`; all pass through these methods. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const spies = (['rows', 'query', 'execute'] as const).flatMap((method) => [
    jest.spyOn(Database.prototype, method),
    jest.spyOn(Transaction.prototype, method),
  ]);
  await work();
  const count = spies
    .flatMap(({ mock }) => mock.calls)
    .filter(([{ text }]) => !IN_THE_BACKGROUND.test(text)).length;
  for (const spy of spies) spy.mockRestore();
  return count;
}
