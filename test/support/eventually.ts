import { setTimeout as delay } from 'node:timers/promises';

/** The time within which the caches of an instance follow the database (docs/decisions/0003). */
const WITHIN = 1_000;

/** Retries an assertion until it passes; after this many milliseconds it rejects with the last failure. */
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
