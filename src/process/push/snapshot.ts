import type { Reader, Transaction } from '../../database/database.js';
import { conflict } from '../../base/errors/api-errors.js';
import type { PushRequest } from './push-request.js';
import type { PushSource } from './push-source.js';
import { readOpenTasks, stillOpen } from './store-items.js';
import { reason } from '../../base/errors/reason.js';

/** Most open tasks in a snapshot's comparison; memory holds them until its end. */
const MAX_OPEN = 200_000;

/** The tasks that were open when a snapshot began and that the source has not named yet. */
export class Snapshot {
  private hasNameless = false;

  private constructor(
    /** Digests by external id. */
    private readonly missing: Map<string, string | null>,
    private readonly open = missing.size,
  ) {}

  /** @throws ApiError 409 when the source has too many open tasks */
  static async begin(reader: Reader, sourceId: string): Promise<Snapshot> {
    const found = await readOpenTasks(reader, sourceId, MAX_OPEN + 1);
    if (found.length > MAX_OPEN) throw conflict(reason('source-too-large', { max: MAX_OPEN }));
    return new Snapshot(new Map(found.map(({ externalId, digest }) => [externalId, digest])));
  }

  /** Removes the tasks of the items that have arrived. */
  add(items: readonly { externalId: string | null }[]): void {
    for (const { externalId } of items)
      if (externalId === null) this.hasNameless = true;
      else this.missing.delete(externalId);
  }

  /**
   * @returns the ids of the tasks that the snapshot cancels; tasks that another push has changed meanwhile stay open
   * @throws ApiError 409 when they are more than the source allows
   */
  async tasksToCancel(
    transaction: Transaction,
    source: PushSource,
    { force, dryRun }: PushRequest,
  ): Promise<string[]> {
    if (this.hasNameless) throw conflict(reason('unreadable-snapshot'));
    const ids = await stillOpen(transaction, source.id, this.missing);
    if (!force && !dryRun && ids.length * 100 > this.open * source.brake)
      throw conflict(
        reason('snapshot-brake', { count: ids.length, open: this.open, brake: source.brake }),
      );
    return ids;
  }
}
