import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import {
  blamesStatement,
  type ConditionSlots,
  countInHalves,
  talliesOfMany,
  NOTHING,
} from '../../process/tiles/count-tasks.js';
import type { Catalogue } from './catalogue.js';
import { Group, type Principal } from './person.js';

/** Time limit of one statement, in milliseconds. */
const LIMIT = 2_000;

/** Most people and groups of one statement. */
const MAX_BATCH = 5_000;

/** When a view that could not be counted is retried, in milliseconds. */
const RETRY = 60_000;

/** Counts the tasks of people and groups, many in one statement. */
@Injectable()
export class Tallies {
  /** The slots that cannot be counted, because a statement with their view alone fails. */
  uncounted: ReadonlySet<number> = new Set();
  private faulty = new Set<ConditionSlots>();
  private retryTime = Infinity;
  /** The present batch size, which shrinks after a slow statement. */
  private batch = MAX_BATCH;
  /** Statements, and counted people and groups, since the start. */
  readonly counts = { statements: 0, principals: 0 };

  constructor(private readonly database: Database) {}

  /** Whether failed views are due again; then all people have to be counted. */
  retriesFaulty(now: number): boolean {
    if (now < this.retryTime) return false;
    this.forgetFaults();
    return true;
  }

  forgetFaults(): void {
    this.faulty = new Set();
    this.uncounted = new Set();
    this.retryTime = Infinity;
  }

  /**
   * Counts all stale people and groups.
   * @returns those whose count failed, which stay stale
   */
  async renew(catalogue: Catalogue, stale: Principal[]): Promise<ReadonlySet<Principal>> {
    // Clears the mark before the statement, so that a change during it marks them again.
    for (const principal of stale) principal.isStale = false;
    const failed = new Set(stale);
    try {
      while (failed.size > 0) {
        const batch = [...failed].slice(0, this.batch);
        await this.countBatch(catalogue, batch);
        for (const principal of batch) failed.delete(principal);
      }
    } catch (error) {
      if (!blamesStatement(error)) throw error;
    } finally {
      for (const principal of failed) principal.isStale = true;
    }
    return failed;
  }

  /** @throws an error of the statement itself, after which the next batch is smaller */
  private async countBatch(catalogue: Catalogue, batch: Principal[]): Promise<void> {
    try {
      await this.count(this.countable(catalogue), batch);
      this.batch = Math.min(MAX_BATCH, this.batch * 2);
    } catch (error) {
      if (!blamesStatement(error)) throw error;
      if (batch.length > 1) {
        this.batch = Math.ceil(batch.length / 4);
        throw error;
      }
      const limits = { first: LIMIT, total: Infinity };
      const faults = await countInHalves([this.countable(catalogue)], limits, (some) =>
        this.count(some, batch),
      );
      for (const fault of faults) this.faulty.add(fault);
      this.uncounted = new Set([...this.faulty].flatMap(({ slots }) => [...slots.values()]));
      if (faults.length > 0) this.retryTime = performance.now() + RETRY;
      await this.count(this.countable(catalogue), batch);
      this.batch = MAX_BATCH;
    }
  }

  private async count(conditions: ConditionSlots[], batch: Principal[]): Promise<void> {
    const idsOf = (areGroups: boolean): string[] =>
      batch.filter((one) => one instanceof Group === areGroups).map(({ id }) => id);
    this.counts.statements++;
    this.counts.principals += batch.length;
    const tallies = await talliesOfMany(
      this.database,
      conditions,
      idsOf(false),
      idsOf(true),
      LIMIT,
    );
    for (const principal of batch) principal.tally = tallies.get(principal.id) ?? NOTHING;
  }

  private countable({ slots }: Catalogue): ConditionSlots[] {
    return slots.conditions.filter((one) => !this.faulty.has(one));
  }
}
