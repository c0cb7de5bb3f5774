import { setImmediate as endOfTurn } from 'node:timers/promises';
import { sqlStateOf } from '../errors/database-errors.js';
import { ConcurrencyLimiter } from './limiter.js';

/** How many pieces may be worked at at once, of how many items, and how many more may wait. */
const AT_ONCE = 2;
const MAX_ITEMS = 64;
const MAX_WAITING = 16;
const PATIENCE = 2_000;

/** SQLSTATE classes of what one item can be to blame for: a value, a reference, a row that is locked. */
const ONE_TO_BLAME = new Set(['22', '23', '55']);

/** The class of a lock that was not to be had in time. */
const LOCKED = '55';

/** Items that are taken together. */
interface Batch<Item, Result> {
  items: Item[];
  /** In the order of the items. */
  results: Promise<Result[]>;
  /** When the first came (performance.now()). */
  opened: number;
}

/**
 * Does in one piece what several callers ask for at the same time, as one statement of the database
 * for all of them: what comes while others are under way is next. Whoever comes alone waits for nobody.
 */
export class Batcher<Item, Result> {
  private readonly slots = new ConcurrencyLimiter({
    maxConcurrent: AT_ONCE,
    maxQueued: MAX_WAITING,
    queueTimeout: PATIENCE,
  });
  /** What the next item joins. */
  private next: Batch<Item, Result> | undefined;

  /**
   * @param work does all items, with the results in their order; told how long they waited (milliseconds)
   * @param alone does one of them outside the batches, whose places it may not keep while it waits
   */
  constructor(
    private readonly work: (items: Item[], waited: number) => Promise<Result[]>,
    private readonly alone = async (item: Item, waited: number): Promise<Result> =>
      (await work([item], waited))[0]!,
  ) {}

  /**
   * Does one item, with others when there are any.
   * @throws ApiError 503 when too many wait, or after having waited too long; what the work throws
   */
  async run(item: Item): Promise<Result> {
    const batch = (this.next ??= this.open());
    const place = batch.items.push(item) - 1;
    if (batch.items.length === MAX_ITEMS) this.close(batch);
    try {
      return (await batch.results)[place]!;
    } catch (error) {
      const state = sqlStateOf(error)?.slice(0, 2) ?? '';
      if (!ONE_TO_BLAME.has(state) || (batch.items.length === 1 && state !== LOCKED)) throw error;
      // The others are done without the one who is to blame.
      return await this.alone(item, performance.now() - batch.opened);
    }
  }

  private open(): Batch<Item, Result> {
    const opened = performance.now();
    const items: Item[] = [];
    const results = this.slots
      .run(async () => {
        // All that one turn of the event loop reads is one piece.
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
