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

/** How much memory the pages take, in bytes: some 10,000 pages of 50 rows. */
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
  /** Pages that are being found since the last change; undefined where only their first caller was refused. */
  private searches = new Map<string, Promise<PageKeys | undefined>>();

  constructor(private readonly barrier: ReadBarrier) {
    const forget = (): void => {
      this.pages.clear();
      this.searches = new Map();
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
    // A call that has not passed the barrier may not share a search that began before it arrived.
    if (this.has(list) && (await this.barrier.pass()))
      for (let page; (page = this.pages.get(list) ?? this.searches.get(list));) {
        const keys = await page;
        if (!keys) continue;
        this.lookups.hits++;
        return fetch(keys);
      }
    // Nothing is awaited between the last look and here, so later callers share this search. Each searches alone while
    // the journal cannot be read.
    this.lookups.misses++;
    return this.findAndKeep(list, plan, find());
  }

  private has(list: string): boolean {
    return this.pages.has(list) || this.searches.has(list);
  }

  private async findAndKeep(
    list: string,
    plan: ListPlan,
    finding: Promise<ListedRows>,
  ): Promise<ListedRows> {
    const { searches } = this;
    const search = finding.then((found) => keysOf(found, plan), refusalOfAll);
    // Nobody may be waiting for it.
    search.catch(() => undefined);
    searches.set(list, search);
    try {
      const found = await finding;
      const isWhole = !plan.exactCount || found.total !== undefined;
      if (searches === this.searches && isWhole) this.pages.set(list, keysOf(found, plan));
      return found;
    } finally {
      if (searches.get(list) === search) searches.delete(list);
    }
  }
}

/**
 * What a failed search means for the other callers: nothing, if the first one runs too many searches.
 * @throws the error that would be theirs, too
 */
function refusalOfAll(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status !== 429) throw error;
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
  // Roles see different columns, which decide whether a page is too large.
  const { administrator, processEngine } = caller;
  const role = [administrator, processEngine];
  return JSON.stringify([sql, values, within?.parameters, viewer, role, range, exactCount]);
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
