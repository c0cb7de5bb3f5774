import pg from 'pg';
import type { Config } from '../config/config.js';
import { clientOptions } from '../database/connection-options.js';
import type { Change, ChangeKind } from './change.js';
import { becameVisible, type Position, positionOf } from './position.js';

/** Rows that one read returns at most; beyond them the reader has to assume that everything changed. */
const MAX_CHANGES = 10_000;

/** How long a read may take, in milliseconds, and the client waits for a little longer. */
const READ_TIMEOUT = 2_000;

/** One plan for all positions, which reads the index: without its values the planner expects a third of all rows. */
const PLANS =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off';

/** What has become visible since the last read. */
export interface ChangesRead {
  /** `everything` where there were too many, where nothing was read before, or where the journal is another one. */
  changes: Change[] | 'everything';
}

/**
 * Reads the journal on a connection of its own, so that no read waits for the pool. Each read returns exactly what
 * became visible since the one before, whatever transactions are open.
 */
export class ChangeReader {
  private position: (Position & { journal: string }) | undefined;

  private constructor(private readonly client: pg.Client) {}

  /**
   * @param lost called once when the connection ends, never before the reader is there
   * @throws the error of pg
   */
  static async connect(config: Config, lost: () => void): Promise<ChangeReader> {
    const { options = '', ...address } = clientOptions(config);
    const client = new pg.Client({
      ...address,
      options: `${options} ${PLANS}`,
      application_name: 'process-platform journal',
      statement_timeout: READ_TIMEOUT,
      query_timeout: READ_TIMEOUT + 500,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      // A standby's snapshot does not name the transactions in progress.
      const { rows } = await client.query<[boolean]>({
        text: 'SELECT pg_is_in_recovery()',
        rowMode: 'array',
      });
      if (rows[0]![0]) throw new Error('the journal cannot be read on a standby');
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    // pg reports the end of a connection that fails before it rejects.
    client.once('end', lost);
    return new ChangeReader(client);
  }

  /** @throws the error of pg */
  async read(): Promise<ChangesRead> {
    const { position } = this;
    const { rows } = await this.client.query<JournalRow>({
      name: 'read-changes',
      text: READ,
      values: [position?.next ?? null, position?.inProgress ?? []],
      rowMode: 'array',
    });
    const [journal, snapshot, dropped] = rows[0] as Head;
    this.position = { ...positionOf(snapshot), journal };
    if (position?.journal !== journal || rows.length > MAX_CHANGES)
      return { changes: 'everything' };
    // After a long pause the changes since then may be gone.
    if (dropped !== null && BigInt(dropped) >= firstNeeded(position))
      return { changes: 'everything' };
    return { changes: rows.slice(1).map((row) => presentChange(row as ChangeRow)) };
  }

  /** Closes the connection at once: an answer that never comes holds nothing up. */
  close(): void {
    (
      this.client as unknown as { connection: { stream: { destroy(): void } } }
    ).connection.stream.destroy();
  }
}

type ChangeRow = [kind: string, object: string | null, principals: string];
type Head = [journal: string, snapshot: string, dropped: string | null];
type JournalRow = ChangeRow | Head;

/**
 * The first row holds the identity of the table, the snapshot of this very statement, and the last transaction of the
 * parts that were dropped. A table that was dropped and restored has another identity. Ids are read as text: they can exceed the integers of JavaScript.
 */
const READ = `
  SELECT 'changes'::regclass::oid::text, pg_current_snapshot()::text,
    (SELECT dropped_until::text FROM change_parts WHERE dropped_until IS NOT NULL ORDER BY part DESC LIMIT 1)
  UNION ALL
  (SELECT kind, object::text, principals::text FROM (${becameVisible('kind, object, principals', '$1', '$2')}) AS c
    LIMIT ${MAX_CHANGES})`;

/** The first transaction whose changes a reader at this position has not seen. */
const firstNeeded = ({ next, inProgress }: Position): bigint =>
  [next, ...inProgress].map(BigInt).reduce((least, xid) => (xid < least ? xid : least));

const presentChange = ([kind, object, principals]: ChangeRow): Change => ({
  kind: kind as ChangeKind,
  object,
  principals: principals === '{}' ? [] : principals.slice(1, -1).split(','),
});
