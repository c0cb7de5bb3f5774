import { setImmediate as endOfTurn } from 'node:timers/promises';
import { sqlStateOf } from '../errors/database-errors.js';
import { ConcurrencyLimiter } from './limiter.js';

/** Limits: concurrent batches, items of one batch, queued batches, and their longest wait (milliseconds). */
const MAX_CONCURRENT = 2;
const MAX_ITEMS = 64;
const MAX_QUEUED = 16;
const QUEUE_TIMEOUT = 2_000;

/** SQLSTATE classes of errors that a single item can cause: a bad value, a bad reference, a locked row. */
const CAUSED_BY_ONE = new Set(['22', '23', '55']);

/** The SQLSTATE class of a lock that was not granted in time. */
const LOCKED = '55';

/** Items that are processed together. */
interface Batch<Item, Result> {
  items: Item[];
  /** In the order of the items. */
  results: Promise<Result[]>;
  /** When the first item arrived (performance.now()). */
  opened: number;
}

/**
 * Coalesces concurrent calls into batches, so that one database statement serves all of them: items that
 * arrive while batches are running form the next batch. A single item with no batch running does not wait.
 */
export class Batcher<Item, Result> {
  private readonly limiter = new ConcurrencyLimiter({
    maxConcurrent: MAX_CONCURRENT,
    maxQueued: MAX_QUEUED,
    queueTimeout: QUEUE_TIMEOUT,
  });
  /** The open batch, which the next item joins. */
  private next: Batch<Item, Result> | undefined;

  /**
   * @param work processes all items and returns their results in order; gets how long they waited (milliseconds)
   * @param alone processes a single item outside the batches, so that a lock it waits for blocks no batch
   */
  constructor(
    private readonly work: (items: Item[], waited: number) => Promise<Result[]>,
    private readonly alone = async (item: Item, waited: number): Promise<Result> =>
      (await work([item], waited))[0]!,
  ) {}

  /**
   * Processes one item, together with others that arrive at the same time.
   * @throws ApiError 503 when too many batches are queued or the wait is too long; any error of the work
   */
  async run(item: Item): Promise<Result> {
    const batch = (this.next ??= this.open());
    const index = batch.items.push(item) - 1;
    if (batch.items.length === MAX_ITEMS) this.close(batch);
    try {
      return (await batch.results)[index]!;
    } catch (error) {
      const state = sqlStateOf(error)?.slice(0, 2) ?? '';
      if (!CAUSED_BY_ONE.has(state) || (batch.items.length === 1 && state !== LOCKED)) throw error;
      // Each item is processed again by itself, so that only the one at fault fails.
      return await this.alone(item, performance.now() - batch.opened);
    }
  }

  private open(): Batch<Item, Result> {
    const opened = performance.now();
    const items: Item[] = [];
    const results = this.limiter
      .run(async () => {
        // All items that arrive in one turn of the event loop form one batch.
        await endOfTurn();
        this.close(batch);
        return this.work(items, performance.now() - opened);
      })
      .finally(() => this.close(batch));
    const batch = { items, results, opened };
    return batch;
  }

  private close(batch: Batch<Item, Result>): void {
    if (this.next === batch) this.next = undefined;
  }
}
