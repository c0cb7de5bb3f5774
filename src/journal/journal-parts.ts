import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { Housekeeping } from '../database/housekeeping.js';
import { ParametersService } from '../security/parameters/parameters.service.js';

/** Number of parts per retention. A row stays up to a tenth longer than the parameter says. */
const PARTS = 10;

/** The advisory lock under which one instance at a time adds and drops parts. */
const LOCK = 2_026_112_301;

/**
 * Lock timeout for dropping a part, in milliseconds. It locks the whole journal, and all later statements wait behind
 * it.
 */
const DROP_PATIENCE = 100;

/**
 * Keeps the journal for the time of the server parameter. It adds a new part from time to time and drops old parts as a
 * whole, which leaves no dead rows.
 */
@Injectable()
export class JournalParts implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly parameters: ParametersService,
    housekeeping: Housekeeping,
  ) {
    housekeeping.perform(() => this.renew());
  }

  async onApplicationBootstrap(): Promise<void> {
    // The command line also runs on a database without tables, which it reports itself.
    const [row] = await this.database.rows({ text: `SELECT to_regclass('changes')`, values: [] });
    if (row?.[0] !== null) await this.alone(dropForeign);
  }

  /** Adds a part when the newest is old enough, and drops the parts whose rows are all older than the retention. */
  async renew(): Promise<void> {
    const days = (await this.parameters.current()).number('changeRetention');
    // Uses two transactions, because sessions must know the part before they use it.
    await this.alone((transaction) => attachPart(transaction, days / PARTS));
    await this.alone((transaction) => openPart(transaction, days / PARTS));
    await this.alone((transaction) => dropParts(transaction, days));
  }

  private async alone(work: (transaction: Transaction) => Promise<void>): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const [lock] = await transaction.rows({
        text: 'SELECT pg_try_advisory_xact_lock($1)',
        values: [LOCK],
      });
      if (lock?.[0] === true) await work(transaction);
    });
  }
}

/**
 * Transactions that this database has not reached come from another one, by pg_restore. Readers would treat them as new
 * with every read.
 */
async function dropForeign(transaction: Transaction): Promise<void> {
  const next = 'pg_snapshot_xmax(pg_current_snapshot())';
  const [row] = await transaction.rows({
    text: `SELECT (SELECT xid FROM changes ORDER BY xid DESC LIMIT 1) >= ${next}
      OR EXISTS (SELECT FROM change_parts WHERE dropped_until >= ${next})`,
    values: [],
  });
  if (row?.[0] !== true) return;
  await run(transaction, 'TRUNCATE changes');
  await run(transaction, 'DELETE FROM change_parts WHERE dropped_until IS NOT NULL');
}

/** The number of the next part; undefined while the newest is young. */
async function nextPart(transaction: Transaction, days: number): Promise<number | undefined> {
  const [newest] = await transaction.query<{ part: number; isOld: boolean }>({
    text: `SELECT part, creation_date < now() - make_interval(secs => $1::float8 * 86400) AS "isOld"
      FROM change_parts ORDER BY part DESC LIMIT 1`,
    values: [days],
  });
  return newest?.isOld ? newest.part + 1 : undefined;
}

const isAttached = async (transaction: Transaction, part: number): Promise<boolean> => {
  const [row] = await transaction.rows({
    text: `SELECT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass($1) AND inhparent = 'changes'::regclass)`,
    values: [`changes_${part}`],
  });
  return row?.[0] === true;
};

/** Attaching a part does not block other sessions, unlike creating one in place. */
async function attachPart(transaction: Transaction, days: number): Promise<void> {
  const part = await nextPart(transaction, days);
  if (part === undefined || (await isAttached(transaction, part))) return;
  await run(
    transaction,
    `CREATE TABLE changes_${part} (LIKE changes INCLUDING DEFAULTS INCLUDING INDEXES, CHECK (part = ${part}))`,
  );
  await run(
    transaction,
    `ALTER TABLE changes ATTACH PARTITION changes_${part} FOR VALUES IN (${part})`,
  );
}

async function openPart(transaction: Transaction, days: number): Promise<void> {
  const part = await nextPart(transaction, days);
  if (part === undefined || !(await isAttached(transaction, part))) return;
  await transaction.execute({
    text: 'INSERT INTO change_parts (part) VALUES ($1)',
    values: [part],
  });
}

/** Stores the last transaction of the dropped parts. Positions before it are no longer complete. */
async function dropParts(transaction: Transaction, days: number): Promise<void> {
  const old = await transaction.query<{ part: number }>({
    text: `SELECT part FROM (
        SELECT part, dropped_until, lead(creation_date) OVER (ORDER BY part) AS end_date FROM change_parts
      ) AS p WHERE dropped_until IS NULL AND end_date < now() - make_interval(days => $1) ORDER BY part`,
    values: [days],
  });
  if (old.length === 0) return;
  await run(transaction, `SET LOCAL lock_timeout = ${DROP_PATIENCE}`);
  await run(transaction, 'LOCK TABLE changes IN ACCESS EXCLUSIVE MODE');
  for (const { part } of old) {
    await transaction.execute({
      // A long transaction may write to an older part than a later one, so the greatest counts.
      text: `UPDATE change_parts SET dropped_until = greatest(
          (SELECT xid FROM changes_${part} ORDER BY xid DESC LIMIT 1),
          (SELECT max(dropped_until) FROM change_parts), '0') WHERE part = $1`,
      values: [part],
    });
    await run(transaction, `DROP TABLE changes_${part}`);
  }
  await transaction.execute({
    text: 'DELETE FROM change_parts WHERE part < $1',
    values: [old.at(-1)!.part],
  });
}

const run = (transaction: Transaction, text: string) =>
  transaction.execute({ text, values: [], prepared: false });
