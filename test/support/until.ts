import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE } from './eventually.js';

/** Polls a condition until it holds. @returns the milliseconds that took, or undefined after a time-out */
export async function until(
  holds: () => Promise<boolean>,
  { within = PATIENCE, every = 10 }: { within?: number; every?: number } = {},
): Promise<number | undefined> {
  const started = performance.now();
  while (performance.now() - started < within) {
    if (await holds().catch(() => false)) return performance.now() - started;
    await delay(every);
  }
  return undefined;
}
