import { unavailable } from '../errors/refusals.js';

/** How many may work at once, how many may wait for that, and for how long (milliseconds). */
export interface SlotLimits {
  atOnce: number;
  waiting: number;
  patience: number;
}

/** Lets a few at a time work; the others wait in the order in which they came, within limits. */
export class Slots {
  private free: number;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly limits: SlotLimits) {
    this.free = limits.atOnce;
  }

  /**
   * Does the work when it is its turn.
   * @throws Refusal 503 at once when too many wait, or after having waited too long
   */
  async take<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** How many wait for their turn. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  private async enter(): Promise<void> {
    if (this.free > 0) {
      this.free--;
      return;
    }
    if (this.waiting.size >= this.limits.waiting) throw unavailable();
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(turn);
        reject(unavailable());
      }, this.limits.patience);
      this.waiting.add(turn);
    });
  }

  /** The slot goes to whoever waits longest, without being free in between. */
  private leave(): void {
    const [next] = this.waiting;
    if (!next) {
      this.free++;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
