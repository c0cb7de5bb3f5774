import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { underAdvisoryLock } from './advisory-lock.js';
import { Database } from './database.js';

/** How often expired rows are deleted, in milliseconds. */
const INTERVAL = 60_000;

/** Rows deleted by one statement: locks stay short. */
const BATCH = 5_000;

/** The advisory lock under which one instance at a time deletes. */
const LOCK = 2_026_112_101;

/**
 * Deletes expired rows: tokens, invitations, throttle windows. The module that owns a table registers which of its rows
 * have expired, or the work that keeps its parts.
 */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Housekeeping.name);
  private readonly tasks: { table: string; condition: string }[] = [];
  private readonly work: (() => Promise<void>)[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  /** @param condition SQL on the database's clock; rows for which it holds are deleted */
  register(table: string, condition: string): void {
    this.tasks.push({ table, condition });
  }

  /** @param work further work, which itself ensures that one instance at a time runs it */
  perform(work: () => Promise<void>): void {
    this.work.push(work);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.run().catch((error: unknown) => this.logger.warn(String(error)));
    }, INTERVAL).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Deletes all expired rows, unless another instance is doing so. */
  async run(): Promise<void> {
    for (const { table, condition } of this.tasks)
      while ((await this.deleteBatch(table, condition)) === BATCH);
    for (const perform of this.work) await perform();
  }

  private async deleteBatch(table: string, condition: string): Promise<number> {
    const deleted = await underAdvisoryLock(this.database, LOCK, (transaction) =>
      transaction.rows({
        text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH})) RETURNING 1`,
        values: [],
      }),
    );
    return deleted?.length ?? 0;
  }
}
