import { setTimeout as delay } from 'node:timers/promises';

/** Asks again until it holds; how long that took in milliseconds, or undefined when it never did. */
export async function until(
  holds: () => Promise<boolean>,
  { within, every = 10 }: { within: number; every?: number },
): Promise<number | undefined> {
  const started = performance.now();
  while (performance.now() - started < within) {
    if (await holds().catch(() => false)) return performance.now() - started;
    await delay(every);
  }
  return undefined;
}
