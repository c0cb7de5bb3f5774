import { type ApiError, unavailable } from '../errors/api-errors.js';

/** How many may work at once, how many may wait for that, and for how long (milliseconds). */
export interface LimiterOptions {
  maxConcurrent: number;
  maxQueued: number;
  queueTimeout: number;
}

/** Made once: an error notes where it was made, and this one is for when there is no time. */
const TOO_MANY = unavailable();

/** Lets a few at a time work; the others wait in the order in which they came, within limits. */
export class ConcurrencyLimiter {
  private inUse = 0;
  private readonly waiting = new Set<() => void>();

  /** @param refuse makes the refusal of those that come too late; 503 when left out */
  constructor(
    private readonly limits: LimiterOptions,
    private readonly refuse: () => ApiError = () => TOO_MANY,
  ) {}

  /** How many wait for their turn. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  /** Whether nobody works or waits. */
  get isIdle(): boolean {
    return this.inUse === 0 && this.waiting.size === 0;
  }

  /** Whether the next would be refused at once. */
  get isFull(): boolean {
    const { maxConcurrent, maxQueued } = this.limits;
    return this.inUse >= maxConcurrent && this.waiting.size >= maxQueued;
  }

  /** From now on so many may work at once; who works already goes on. */
  resize(maxConcurrent: number): void {
    this.limits.maxConcurrent = maxConcurrent;
    this.admitNext();
  }

  /**
   * Does the work when it is its turn, and tells it how long it waited (milliseconds).
   * @param waited how long it waited elsewhere before, which counts as if it had waited here
   * @throws ApiError at once when too many wait, or after having waited too long
   */
  async run<T>(work: (waited: number) => Promise<T>, waited = 0): Promise<T> {
    if (this.inUse < this.limits.maxConcurrent) this.inUse++;
    else waited += await this.wait(this.limits.queueTimeout - waited);
    try {
      return await work(waited);
    } finally {
      this.inUse--;
      this.admitNext();
    }
  }

  /** @returns how long that took; the slot is taken then */
  private async wait(queueTimeout: number): Promise<number> {
    if (this.isFull) throw this.refuse();
    const since = performance.now();
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(turn);
        reject(this.refuse());
      }, queueTimeout);
      this.waiting.add(turn);
    });
    return performance.now() - since;
  }

  /** Takes the slots for those who wait longest, so that nobody comes before them. */
  private admitNext(): void {
    while (this.inUse < this.limits.maxConcurrent && this.waiting.size > 0) {
      const [turn] = this.waiting;
      this.waiting.delete(turn!);
      this.inUse++;
      turn!();
    }
  }
}
