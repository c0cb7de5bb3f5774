import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database/database.js';
import { renewParts } from '../database/parts.js';
import { Housekeeping } from '../database/housekeeping.js';

/**
 * Keeps the journal for the time of the server parameter: it adds a new part from time to time and drops old parts as a
 * whole, which leaves no dead rows.
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
    if (row?.[0] !== null) await renewParts(this.database, ['drop_foreign_changes']);
  }

  /** Adds a part when the newest is old enough, and drops the parts whose rows are all older than the retention. */
  async renew(): Promise<void> {
    // The first call attaches a part, the second opens it.
    await renewParts(this.database, ['add_journal_part', 'add_journal_part', 'drop_journal_parts']);
  }
}
