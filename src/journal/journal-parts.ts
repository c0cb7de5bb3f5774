import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Housekeeping } from '../database/housekeeping.js';

/** The advisory lock under which one instance at a time adds and drops parts. */
const LOCK = 2_026_112_301;

/**
 * Keeps the journal for the time of the server parameter: it adds a new part from time to time and drops old parts as a
 * whole, which leaves no dead rows. Functions of the database do it, because only the owner of the journal may
 * (migrations/functions).
 */
@Injectable()
export class JournalParts implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    housekeeping: Housekeeping,
  ) {
    housekeeping.perform(() => this.renew());
  }

  async onApplicationBootstrap(): Promise<void> {
    // The command line also runs on a database without tables, which it reports itself.
    const [row] = await this.database.rows({ text: `SELECT to_regclass('changes')`, values: [] });
    if (row?.[0] !== null) await this.alone('drop_foreign_changes');
  }

  /** Adds a part when the newest is old enough, and drops the parts whose rows are all older than the retention. */
  async renew(): Promise<void> {
    // The first call attaches a part, the second opens it.
    await this.alone('add_journal_part');
    await this.alone('add_journal_part');
    await this.alone('drop_journal_parts');
  }

  private async alone(name: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const [lock] = await transaction.rows({
        text: 'SELECT pg_try_advisory_xact_lock($1)',
        values: [LOCK],
      });
      if (lock?.[0] === true) await transaction.execute({ text: `SELECT ${name}()`, values: [] });
    });
  }
}
