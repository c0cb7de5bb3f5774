import { type ApiError, unavailable } from '../errors/api-errors.js';

/** Most concurrent runs, most queued runs, and how long a run may wait in the queue (milliseconds). */
export interface LimiterOptions {
  maxConcurrent: number;
  maxQueued: number;
  queueTimeout: number;
}

/** Pre-allocated: capturing a stack trace costs more than the rest of the rejection. */
const TOO_MANY = unavailable();

/** Limits concurrency: further runs wait in a bounded queue, first in, first out. */
export class ConcurrencyLimiter {
  private inUse = 0;
  private readonly waiting = new Set<() => void>();

  /** @param makeError makes the error of a rejected run; 503 by default */
  constructor(
    private readonly limits: LimiterOptions,
    private readonly makeError: () => ApiError = () => TOO_MANY,
  ) {}

  /** The length of the queue. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  /** Whether nothing runs or waits. */
  get isIdle(): boolean {
    return this.inUse === 0 && this.waiting.size === 0;
  }

  /** Whether the next run would be rejected immediately. */
  get isFull(): boolean {
    const { maxConcurrent, maxQueued } = this.limits;
    return this.inUse >= maxConcurrent && this.waiting.size >= maxQueued;
  }

  /** Changes the limit; runs in progress continue. */
  resize(maxConcurrent: number): void {
    this.limits.maxConcurrent = maxConcurrent;
    this.admitNext();
  }

  /**
   * Runs the work once a slot is free, and passes it the time waited (milliseconds).
   * @param waited the time already waited elsewhere, which counts towards the time-out
   * @throws ApiError immediately when the queue is full, or when the wait times out
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

  /**
   * Waits for a slot, which is taken on return.
   * @returns the time waited (milliseconds)
   */
  private async wait(queueTimeout: number): Promise<number> {
    if (this.isFull) throw this.makeError();
    const since = performance.now();
    await new Promise<void>((resolve, reject) => {
      const admit = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(admit);
        reject(this.makeError());
      }, queueTimeout);
      this.waiting.add(admit);
    });
    return performance.now() - since;
  }

  /** Takes the free slots for the longest-waiting runs, so that no new run overtakes them. */
  private admitNext(): void {
    while (this.inUse < this.limits.maxConcurrent && this.waiting.size > 0) {
      const [admit] = this.waiting;
      this.waiting.delete(admit!);
      this.inUse++;
      admit!();
    }
  }
}
