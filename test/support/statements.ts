import { jest } from '@jest/globals';
import { Database, Transaction } from '../../src/database/database.js';

/** What the sender of deliveries, the switch of absences, the rounds of mails and the reader of the journal ask by themselves. */
export const IN_THE_BACKGROUND =
  /\b(dispatching|FROM endpoints|deliveries d|switch_absences|task_mail_rounds|pg_notify)\b/;

/** Counts the statements that the server runs during `work`; those of injected repositories pass through `run` too. */
export const countStatements = async (work: () => Promise<unknown>): Promise<number> =>
  (await statementsDuring(work)).length;

/** The statements that the server runs during `work`, without those in the background. */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const spies = [Database, Transaction].map(({ prototype }) =>
    jest.spyOn(prototype as unknown as Pick<Transaction, 'run'>, 'run'),
  );
  await work();
  const texts = spies.flatMap(({ mock }) => mock.calls).map(([{ text }]) => text);
  for (const spy of spies) spy.mockRestore();
  return texts.filter((text) => !IN_THE_BACKGROUND.test(text));
}
