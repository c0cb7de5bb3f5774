import { setTimeout as delay } from 'node:timers/promises';

/** Longest wait for an assertion to pass, in milliseconds: a busy host may stall for seconds. */
export const PATIENCE = 45_000;

/** Retries an assertion until it passes; after this many milliseconds it rejects with the last failure. */
export async function eventually(
  assertion: () => void | Promise<void>,
  within = PATIENCE,
): Promise<void> {
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
