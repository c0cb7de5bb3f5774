import { LRUCache } from 'lru-cache';

const MINUTE = 60_000;

/** Maximum number of keys that one process counts. */
const MAX_COUNTED = 10_000;

/** What a key has left, and the time of that calculation (performance.now()). */
interface Allowance {
  left: number;
  since: number;
}

/** The result of spending. */
export interface Spent {
  /** Seconds until it is possible; undefined when it was. */
  wait: number | undefined;
  /** What is left. */
  left: number;
  /** Seconds until the bucket is full again. */
  reset: number;
}

/** Token buckets by key. A bucket holds what may be spent in a minute, and refills evenly. */
export class TokenBuckets {
  private readonly allowances = new LRUCache<string, Allowance>({ max: MAX_COUNTED });

  /** A full bucket admits more than it holds. The excess is refilled before anything else is spent. */
  spend(key: string, amount: number, perMinute: number): Spent {
    const now = performance.now();
    const { left, since } = this.allowances.get(key) ?? { left: perMinute, since: now };
    const refilled = Math.min(perMinute, left + ((now - since) / MINUTE) * perMinute);
    const needed = Math.max(1, Math.min(amount, perMinute));
    const seconds = (missing: number): number => (missing / perMinute) * (MINUTE / 1000);
    if (refilled < needed)
      return {
        wait: seconds(needed - refilled),
        left: Math.max(0, refilled),
        reset: seconds(perMinute - refilled),
      };
    const rest = refilled - amount;
    this.allowances.set(key, { left: rest, since: now });
    return { wait: undefined, left: Math.max(0, rest), reset: seconds(perMinute - rest) };
  }
}
