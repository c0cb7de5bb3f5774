import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../errors/api-errors.js';
import { ReadBarrier } from '../../journal/read-barrier.js';
import { readsUnrecorded } from '../../journal/unrecorded.js';
import type { ListedRows } from './execute-list.js';
import { conditionsOf } from './list-builder.js';
import type { PageKeys } from './page-bytes.js';
import type { ListPlan } from './plan-list.js';
import { orderOf } from './sort-order.js';

/** How much memory the pages take, in bytes: some 10,000 pages. */
const MAX_BYTES = 16 * 2 ** 20;

/** What a key takes, in bytes. */
const KEY_BYTES = 16;

/** How to find the rows of a page, and how to fetch those with known keys. */
interface PageSource {
  find: () => Promise<ListedRows>;
  fetch: (keys: PageKeys) => Promise<ListedRows>;
}

/**
 * The pages of lists whose rows take long to find, for as long as nothing changes in the database. Only their keys are
 * kept: a row shows more than it is found by. The read barrier makes them as new as the database (docs/decisions/0032, 0036).
 */
@Injectable()
export class ListMemory {
  /** Pages that were found before or for another call, and those that were not, since the start. */
  readonly lookups = { hits: 0, misses: 0 };

  private readonly pages = new LRUCache<string, PageKeys>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ keys }, list) => list.length + KEY_BYTES * keys.length,
  });
  /** Pages that are being found since the last change. */
  private pending = new Map<string, Promise<ListedRows>>();

  constructor(private readonly barrier: ReadBarrier) {
    const forget = (): void => {
      this.pages.clear();
      this.pending = new Map();
    };
    barrier.subscribe({ changed: forget, reset: forget });
  }

  /**
   * The rows of a page.
   * @throws what `find` and `fetch` throw
   */
  async rows(plan: ListPlan, { find, fetch }: PageSource): Promise<ListedRows> {
    const list = nameOf(plan);
    if (list === undefined) return find();
    const known = await this.recall(list, plan);
    if (known) {
      this.lookups.hits++;
      return fetch(known);
    }
    this.lookups.misses++;
    return this.findAndKeep(list, plan, find);
  }

  /** A page that was found before, or that another call is finding; undefined where there is none. */
  private async recall(list: string, plan: ListPlan): Promise<PageKeys | undefined> {
    const isKnown = this.pages.has(list) || this.pending.has(list);
    if (!isKnown || !(await this.barrier.pass())) return undefined;
    return this.pages.get(list) ?? this.shared(list, plan);
  }

  private async shared(list: string, plan: ListPlan): Promise<PageKeys | undefined> {
    for (let search; (search = this.pending.get(list));)
      try {
        return keysOf(await search, plan);
      } catch (error) {
        // The other caller may be one who runs too many searches.
        if (!(error instanceof ApiError) || error.status === 400) throw error;
      }
    return undefined;
  }

  private async findAndKeep(
    list: string,
    plan: ListPlan,
    find: PageSource['find'],
  ): Promise<ListedRows> {
    const { pending } = this;
    const search = find();
    pending.set(list, search);
    try {
      const found = await search;
      const isWhole = !plan.exactCount || found.total !== undefined;
      if (pending === this.pending && isWhole) this.pages.set(list, keysOf(found, plan));
      return found;
    } finally {
      if (pending.get(list) === search) pending.delete(list);
    }
  }
}

/** What tells a page from all others; undefined where finding it is easy, or the journal does not have all that it depends on. */
function nameOf(plan: ListPlan): string | undefined {
  const { resource, caller, range, filters, within, strategy, exactCount } = plan;
  const isFoundAtOnce = strategy === 'page' || strategy === 'deferred-join';
  if (isFoundAtOnce || resource.definition.withoutId) return undefined;
  const sql = [resource.ref.table, ...conditionsOf(plan, 'each'), ...orderOf(plan)].join(' ');
  if (readsUnrecorded(sql)) return undefined;
  const values = filters.map(({ value }) => value);
  const viewer = sql.includes(':viewer') ? caller.id : undefined;
  return JSON.stringify([sql, values, within?.parameters, viewer, range, exactCount]);
}

/** The keys of the rows that were found, of which the first column is the id. */
const keysOf = (
  { shown, total, hasNext }: ListedRows,
  { range: { count } }: ListPlan,
): PageKeys => ({
  keys: shown.slice(0, count).map((row) => String(row[0])),
  hasNext: hasNext ?? shown.length > count,
  total,
});
