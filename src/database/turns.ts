import { tooManyRequests } from '../errors/refusals.js';
import { Slots, type SlotLimits } from './slots.js';

/** Lets a few at a time work for each key, so that nobody takes the places of everybody. */
export class Turns {
  private readonly queues = new Map<string, Slots>();

  /** @param limits for each key: how many work at once, how many wait for that, and for how long */
  constructor(private readonly limits: SlotLimits) {}

  /**
   * Does the work when it is its turn, and tells it how long it waited (milliseconds).
   * @param waited how long it waited elsewhere before, which counts as if it had waited here
   * @throws Refusal 429 at once when too many of this key wait, or after having waited too long
   */
  async take<T>(key: string, work: (waited: number) => Promise<T>, waited = 0): Promise<T> {
    let queue = this.queues.get(key);
    if (!queue) this.queues.set(key, (queue = new Slots(this.limits, () => tooManyRequests(1))));
    try {
      return await queue.take(work, waited);
    } finally {
      if (queue.isIdle) this.queues.delete(key);
    }
  }
}
