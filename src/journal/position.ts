/**
 * A point in the history of the database: which transactions have ended. It is a snapshot of PostgreSQL (`pg_snapshot`),
 * because neither sequences nor transaction ids follow the order of commits.
 */
export interface Position {
  /** The first unassigned transaction id. */
  next: string;
  /** The transactions below `next` that were in progress. */
  inProgress: string[];
}

/** @param snapshot the text of a `pg_snapshot`, `xmin:xmax:xip,…` */
export function positionOf(snapshot: string): Position {
  const [, next = '', inProgress = ''] = snapshot.split(':');
  return { next, inProgress: inProgress === '' ? [] : inProgress.split(',') };
}

/**
 * SQL of the rows of the journal that became visible after a position: those of the transactions that were in progress
 * then, and of all later ones. An old open transaction costs nothing, unlike with `xmin`. The condition skips the rows
 * of transactions in progress, because a large import may have many.
 * @param next SQL of its `next`; `inProgress` SQL of its `inProgress`
 * @param table another journal with the column `xid`
 */
export const becameVisible = (
  columns: string,
  next: string,
  inProgress: string,
  table = 'changes',
): string =>
  `SELECT ${columns} FROM ${table} WHERE xid >= ${next}::xid8
    UNION ALL SELECT ${columns} FROM ${table} WHERE xid = ANY (${ended(inProgress)})`;

/** SQL of the ended transactions among these. */
export const ended = (transactions: string): string =>
  `ARRAY(SELECT x FROM unnest(${transactions}::xid8[]) AS x WHERE pg_visible_in_snapshot(x, pg_current_snapshot()))`;
