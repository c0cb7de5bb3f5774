import { tooManyRequests } from '../errors/api-errors.js';
import { ConcurrencyLimiter, type LimiterOptions } from './limiter.js';

/** Lets a few at a time work for each key, so that nobody takes the places of everybody. */
export class KeyedLimiter {
  private readonly queues = new Map<string, ConcurrencyLimiter>();

  /** @param limits for each key: how many work at once, how many wait for that, and for how long */
  constructor(private readonly limits: LimiterOptions) {}

  /**
   * Does the work when it is its turn, and tells it how long it waited (milliseconds).
   * @param waited how long it waited elsewhere before, which counts as if it had waited here
   * @throws ApiError 429 at once when too many of this key wait, or after having waited too long
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
