import { randomUUID } from 'node:crypto';
import type { Database } from '../../database/database.js';

/** How long a leader leads without renewing, in milliseconds, by the clock of the database. */
const TERM = 5_000;

/** How much earlier the leader stops by its own clock. */
const MARGIN = 1_000;

/**
 * Elects one leader among the processes that share the database. The leader renews its term; when it dies, another
 * process leads within a term and a tick.
 */
export class Leadership {
  readonly id = randomUUID();
  private leadsUntil = -Infinity;
  private terms = 0;

  constructor(private readonly database: Database) {}

  /** Whether this process leads for certain. */
  get isHeld(): boolean {
    return performance.now() < this.leadsUntil;
  }

  /** Counts the interruptions of the leadership: another process may have led in between. */
  get term(): number | undefined {
    return this.isHeld ? this.terms : undefined;
  }

  /**
   * Renews the term, or takes over when there is no leader. It writes nothing while there are neither endpoints nor
   * changes.
   * @param sql a value that a leader reads in the same statement
   * @returns the value; undefined when another process leads
   */
  async renew<T>(sql: string): Promise<T | undefined> {
    const asked = performance.now();
    const [renewed] = await this.database.query<{ value: T }>({
      text: `UPDATE dispatching SET leader = $1, leader_until = now() + make_interval(secs => $2)
        WHERE (leader = $1 OR leader_until < now()) AND (EXISTS (SELECT FROM endpoints) OR EXISTS (SELECT FROM task_changes))
        RETURNING (${sql}) AS value`,
      values: [this.id, TERM / 1000],
    });
    if (!this.isHeld) this.terms++;
    this.leadsUntil = renewed ? asked + TERM - MARGIN : -Infinity;
    return renewed?.value;
  }

  /** Lets another process take over at once. */
  async resign(): Promise<void> {
    if (!this.isHeld) return;
    this.leadsUntil = -Infinity;
    await this.database.execute({
      text: 'UPDATE dispatching SET leader_until = now() WHERE leader = $1',
      values: [this.id],
    });
  }
}
