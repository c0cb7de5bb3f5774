import pLimit, { type LimitFunction } from 'p-limit';

/** Lets a few at a time in for each key; the others wait, in the order in which they came. */
export class Turns {
  private readonly queues = new Map<string, LimitFunction>();

  constructor(private readonly atOnce: number) {}

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    let queue = this.queues.get(key);
    if (!queue) this.queues.set(key, (queue = pLimit(this.atOnce)));
    try {
      return await queue(work);
    } finally {
      if (queue.activeCount + queue.pendingCount === 0) this.queues.delete(key);
    }
  }
}
