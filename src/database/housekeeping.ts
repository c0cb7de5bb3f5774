import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Database } from './database.js';

/** How often expired rows are deleted, in milliseconds. */
const INTERVAL = 60_000;

/** Rows deleted by one statement: locks stay short. */
const BATCH = 5_000;

/** The advisory lock under which one instance at a time keeps house. */
const LOCK = 2_026_112_101;

/**
 * Deletes what has expired: tokens, invitations, windows of the throttle, old lines of the audit
 * trail. Whoever owns a table registers what of it may go.
 */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Housekeeping.name);
  private readonly tasks: { table: string; condition: string }[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  /** @param condition SQL, by database time: rows for which it holds may go */
  register(table: string, condition: string): void {
    this.tasks.push({ table, condition });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.run().catch((error: unknown) => this.logger.warn(String(error)));
    }, INTERVAL).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Deletes everything that may go; another instance that is at it is left to it. */
  async run(): Promise<void> {
    for (const { table, condition } of this.tasks)
      while ((await this.deleteBatch(table, condition)) === BATCH);
  }

  private async deleteBatch(table: string, condition: string): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const [lock] = await transaction.rows({
        text: 'SELECT pg_try_advisory_xact_lock($1)',
        values: [LOCK],
      });
      if (lock?.[0] !== true) return 0;
      const deleted = await transaction.rows({
        text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH})) RETURNING 1`,
        values: [],
      });
      return deleted.length;
    });
  }
}
