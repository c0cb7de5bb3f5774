import type { Reason } from '../base/errors/reason.js';
import type { Reader } from '../database/database.js';
import type { DedicatedConnection } from '../database/dedicated-connection.js';
import type { Cookie } from './cookie.js';
import type { RunChange } from './run-context.js';
import type { RunCounts } from './run-counts.js';

/** The first key of the advisory locks of providers; the second is the id. */
const LOCK = 2_026_112_801;

/** Milliseconds between two notes of how far a run is. */
const PROGRESS_INTERVAL = 1_000;

/** A run that changed nothing, with a message for administrators. */
export class RunFailed extends Error {}

/** The brake held. */
export class Braked extends RunFailed {}

/** A run that could not begin. */
export class RunRefused extends RunFailed {
  constructor(readonly reason: Reason) {
    super(reason.message);
  }
}

/** What a run is asked to do. */
export interface RunKind {
  isDryRun: boolean;
  isFull: boolean;
}

/** How a run ended. */
interface End {
  state: 'done' | 'failed';
  counts?: RunCounts;
  changes?: RunChange[];
  cookie?: Cookie;
  error?: string;
  brake?: boolean;
}

/**
 * Lets the database notice within a minute that the host of a session is lost, and release its lock. By default it would
 * after two hours.
 */
const NOTICE_LOSS =
  'SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 60000';

/** Whether the session is now the only one that runs this provider, until it ends. */
export async function lockProvider(
  session: DedicatedConnection,
  provider: string,
): Promise<boolean> {
  await session.run(NOTICE_LOSS);
  const [row] = await session.rows({
    text: 'SELECT pg_try_advisory_lock($1, $2)',
    values: [LOCK, Number(provider)],
  });
  return row?.[0] === true;
}

/** Ends the records of runs whose session has ended without them: their process was killed. */
export async function endInterrupted(reader: Reader): Promise<void> {
  await reader.execute({
    text: `UPDATE provider_runs r SET state = 'interrupted', end_date = now()
      WHERE r.state = 'running' AND NOT EXISTS (
        SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = $1 AND l.objid = r.provider_id AND l.granted
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`,
    values: [LOCK],
  });
}

/** Where an incremental run begins: what the last run read whose changes were committed; undefined without one. */
export async function cookieOf(reader: Reader, provider: string): Promise<Cookie | undefined> {
  const [row] = await reader.query<{ cookie: Cookie | null }>({
    text: `SELECT cookie FROM provider_runs
      WHERE provider_id = $1 AND state = 'done' AND NOT dry_run ORDER BY id DESC LIMIT 1`,
    values: [provider],
  });
  return row?.cookie ?? undefined;
}

/** The record of a run (`GET …/providers/{id}/runs`). The session holds the lock of the provider. */
export class RunRecord {
  private noted = Date.now();

  private constructor(
    readonly id: string,
    private readonly session: DedicatedConnection,
  ) {}

  static async begin(
    session: DedicatedConnection,
    provider: string,
    { isDryRun, isFull }: RunKind,
  ): Promise<RunRecord> {
    // Who holds the lock knows that earlier ones without an end were killed.
    await session.run(
      `UPDATE provider_runs SET state = 'interrupted', end_date = now()
        WHERE provider_id = $1 AND state = 'running'`,
      [provider],
    );
    const [row] = await session.rows({
      text: `INSERT INTO provider_runs (provider_id, dry_run, is_full) VALUES ($1, $2, $3) RETURNING id::text`,
      values: [provider, isDryRun, isFull],
    });
    return new RunRecord(String(row![0]), session);
  }

  /** Notes that everything is read, although only changes were asked for. */
  async becomesFull(): Promise<void> {
    await this.session.run('UPDATE provider_runs SET is_full = true WHERE id = $1', [this.id]);
  }

  /** Notes how many entries were read, at most once a second. */
  async note(read: number): Promise<void> {
    if (Date.now() < this.noted + PROGRESS_INTERVAL) return;
    this.noted = Date.now();
    await this.session.run('UPDATE provider_runs SET read = $2 WHERE id = $1', [this.id, read]);
  }

  /** In the transaction of the changes, so that a run that is done has written them, and no other has. */
  async end({ state, counts, changes, cookie, error, brake = false }: End): Promise<void> {
    const json = (value: object | undefined) =>
      value === undefined ? null : JSON.stringify(value);
    await this.session.run(
      `UPDATE provider_runs SET end_date = clock_timestamp(), state = $2, counts = $3, changes = $4, cookie = $5, error = $6,
        brake = $7, read = coalesce($8, read) WHERE id = $1`,
      [
        ...[this.id, state, json(counts), json(changes), json(cookie), error, brake],
        counts && counts.read + counts.groups,
      ],
    );
  }
}
