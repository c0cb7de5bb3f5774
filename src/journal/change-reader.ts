import type { Reader } from '../database/database.js';
import type { Change, ChangeKind } from './change.js';
import { becameVisible, type Position, positionOf } from './position.js';

/** Most rows of one read. Beyond them, the reader has to assume that everything changed. */
const MAX_CHANGES = 10_000;

/** Reads the journal. Each read returns exactly the changes that became visible since the last one. */
export class ChangeReader {
  private position: (Position & { journal: string }) | undefined;

  constructor(private readonly reader: Pick<Reader, 'rows'>) {}

  /** Starts again, because the next read may reach another cluster. */
  forget(): void {
    this.position = undefined;
  }

  /**
   * One read at a time.
   * @returns `everything` after too many changes, for the first read, or when the journal is another one
   * @throws Error on a standby, whose snapshot does not name the transactions in progress; the error of pg
   */
  async read(): Promise<Change[] | 'everything'> {
    const { position } = this;
    const rows = await this.reader.rows({
      text: READ,
      values: [position?.next ?? null, position?.inProgress ?? []],
    });
    const [journal, snapshot, dropped, isStandby] = rows[0] as Head;
    if (isStandby) throw new Error('the journal cannot be read on a standby');
    this.position = { ...positionOf(snapshot), journal };
    if (position?.journal !== journal || rows.length > MAX_CHANGES) return 'everything';
    // After a long pause, changes may have been dropped unread.
    if (dropped !== null && BigInt(dropped) >= firstNeeded(position)) return 'everything';
    return rows.slice(1).map((row) => presentChange(row as ChangeRow));
  }
}

type ChangeRow = [kind: string, object: string | null, principals: string];
type Head = [journal: string, snapshot: string, dropped: string | null, isStandby: boolean];

/**
 * The first row holds the identity of the table, the snapshot of this statement, and the last transaction of the
 * dropped parts. A table that was dropped and restored has another identity. Ids are read as text: they can exceed the
 * integers of JavaScript.
 */
const READ = `
  SELECT 'changes'::regclass::oid::text, pg_current_snapshot()::text,
    (SELECT dropped_until::text FROM change_parts WHERE dropped_until IS NOT NULL ORDER BY part DESC LIMIT 1),
    pg_is_in_recovery()
  UNION ALL
  (SELECT kind, object::text, principals::text, NULL FROM (${becameVisible('kind, object, principals', '$1', '$2')}) AS c
    LIMIT ${MAX_CHANGES})`;

/** The first transaction whose changes a reader at this position has not seen. */
const firstNeeded = ({ next, inProgress }: Position): bigint =>
  [next, ...inProgress].map(BigInt).reduce((least, xid) => (xid < least ? xid : least));

const presentChange = ([kind, object, principals]: ChangeRow): Change => ({
  kind: kind as ChangeKind,
  object,
  principals: principals === '{}' ? [] : principals.slice(1, -1).split(','),
});
