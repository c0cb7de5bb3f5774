import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { blamesStatement } from '../process/count-many-views.js';
import type { Catalogue } from './catalogue.js';
import { countStatement } from './count-statement.js';
import { Group, NOTHING, type Principal } from './person.js';

type Counted = Catalogue['conditions'][number];

/** Time for one statement, in milliseconds. */
const LIMIT = 2_000;

/** Most people and groups of one statement. */
const MAX_BATCH = 5_000;

/** After how long a view that could not be counted is tried again, in milliseconds. */
const RETRY = 60_000;

/** Counts the tasks of people and groups, many in one statement. */
@Injectable()
export class Tallies {
  /** The slots that cannot be counted, because the statement fails with their view alone. */
  uncounted: ReadonlySet<number> = new Set();
  private faulty = new Set<string>();
  private retryTime = Infinity;
  /** Fewer after a statement that took too long. */
  private batch = MAX_BATCH;
  /** Statements, and people and groups that were counted, since the start. */
  readonly counts = { statements: 0, principals: 0 };

  constructor(private readonly database: Database) {}

  /** Whether views that failed are due again; everybody has to be counted then. */
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
   * Counts all who are stale.
   * @returns those who could not be counted: they stay stale
   */
  async renew(catalogue: Catalogue, stale: Principal[]): Promise<ReadonlySet<Principal>> {
    // Before the statement: a change that arrives meanwhile marks them again.
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

  /** @throws an error that blames the statement, after which the next batch is smaller */
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
      await this.findFaults(this.countable(catalogue), batch);
      await this.count(this.countable(catalogue), batch);
      this.batch = MAX_BATCH;
    }
  }

  /** Finds the views with which the statement fails, by halves. */
  private async findFaults(conditions: Counted[], batch: Principal[]): Promise<void> {
    try {
      await this.count(conditions, batch);
    } catch (error) {
      if (!blamesStatement(error)) throw error;
      const [only] = conditions;
      if (conditions.length > 1) {
        const middle = Math.ceil(conditions.length / 2);
        await this.findFaults(conditions.slice(0, middle), batch);
        await this.findFaults(conditions.slice(middle), batch);
      } else if (only) {
        this.faulty.add(only.condition.key);
        this.uncounted = new Set([...this.uncounted, ...only.slots.values()]);
        this.retryTime = performance.now() + RETRY;
      }
    }
  }

  private async count(conditions: Counted[], batch: Principal[]): Promise<void> {
    const isGroup = (principal: Principal) => principal instanceof Group;
    const people = batch.filter((principal) => !isGroup(principal)).map(({ id }) => id);
    const counting = countStatement(
      conditions,
      people,
      batch.filter(isGroup).map(({ id }) => id),
    );
    this.counts.statements++;
    this.counts.principals += batch.length;
    const tallies = counting?.read(await this.database.rowsWithin(LIMIT, counting.statement));
    for (const principal of batch) principal.tally = tallies?.get(principal.id) ?? NOTHING;
  }

  private countable({ conditions }: Catalogue): Counted[] {
    return conditions.filter(({ condition }) => !this.faulty.has(condition.key));
  }
}
