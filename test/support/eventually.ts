import { setTimeout as delay } from 'node:timers/promises';

/** What an instance remembers follows the database within this time (docs/decisions/0003). */
const WITHIN = 1_000;

/** Repeats an assertion until it holds; after so many milliseconds its failure is the answer. */
export async function eventually(assertion: () => Promise<void>, within = WITHIN): Promise<void> {
  const deadline = Date.now() + within;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(20);
    }
  }
}
