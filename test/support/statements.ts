import { jest } from '@jest/globals';
import { Database, Transaction } from '../../src/database/database.js';

/** What the sender of deliveries, the switch of absences, the rounds of mails and the reader of the journal ask by themselves. */
export const IN_THE_BACKGROUND =
  /\b(dispatching|FROM endpoints|deliveries d|switch_absences|task_mail_rounds|pg_notify)\b/;

/** Counts the statements that the server runs during `work`; those of injected repositories pass through `run` too. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const spies = [Database, Transaction].map(({ prototype }) =>
    jest.spyOn(prototype as unknown as Pick<Transaction, 'run'>, 'run'),
  );
  await work();
  const count = spies
    .flatMap(({ mock }) => mock.calls)
    .filter(([{ text }]) => !IN_THE_BACKGROUND.test(text)).length;
  for (const spy of spies) spy.mockRestore();
  return count;
}
