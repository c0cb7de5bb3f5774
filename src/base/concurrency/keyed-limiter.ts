import { tooManyRequests } from '../errors/api-errors.js';
import { ConcurrencyLimiter, type LimiterOptions } from './limiter.js';

/** Limits concurrency per key, so that no key takes the slots of all. */
export class KeyedLimiter {
  private readonly queues = new Map<string, ConcurrencyLimiter>();

  /** @param limits the limits of each key */
  constructor(private readonly limits: LimiterOptions) {}

  /**
   * Runs the work once the key has a free slot, and passes it the time waited (milliseconds).
   * @param waited the time already waited elsewhere, which counts towards the time-out
   * @throws ApiError 429 immediately when the queue of the key is full, or when the wait times out
   */
  async run<T>(key: string, work: (waited: number) => Promise<T>, waited = 0): Promise<T> {
    let queue = this.queues.get(key);
    if (!queue)
      this.queues.set(key, (queue = new ConcurrencyLimiter(this.limits, () => tooManyRequests(1))));
    try {
      return await queue.run(work, waited);
    } finally {
      if (queue.isIdle) this.queues.delete(key);
    }
  }
}
