import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Rights } from '../base/rights/rights.js';
import { type BoundStatement, Database, type Row } from '../database/database.js';
import { gone, unauthenticated, unavailable } from '../base/errors/api-errors.js';
import { ended, type Position, positionOf } from '../journal/position.js';
import { absenteesOf, wasLent } from '../process/access/substitution.js';
import type { Resource } from '../resources/resource.js';
import type { Caller } from '../security/caller.js';
import type { Cursor, Place } from './cursor.js';
import { ANOTHER_JOURNAL } from './cursors.service.js';
import { withShortText } from './position-text.js';
import { rightsSql, seesAll } from './rights.js';
import { type ChangedObject, type ChangeRow, takeObjects } from './take-objects.js';

/** Most rows of the journal that one page scans, and how many it scans per object of the page. */
const MAX_SCANNED = 10_000;
const ROWS_PER_OBJECT = 4;

/** The reasons of a 410 (docs/api-contract.md#changes). */
const DROPPED = 'the changes after it are no longer kept';
const OTHER_RIGHTS = 'your rights have changed since, and with them what you may see';

/** The state of the journal, and of its reader. */
export interface Standing {
  /** The identity of the journal. */
  journal: string;
  /** A digest of the caller's rights. */
  rights: string;
  /** The user, the groups and the organizations of the caller, and those for whom the caller stands in. */
  principals: string[];
  position: Position;
  /** Whether `position` is the latest one; otherwise very many transactions are in progress. */
  isComplete: boolean;
}

/** A part of the changes after a cursor. */
export interface JournalPage {
  standing: Standing;
  objects: ChangedObject[];
  /** The position up to which the pages go, fixed by the first one. */
  until: Position;
  /** The last scanned row; undefined when the pages have reached `until`. */
  last: Place | undefined;
}

/** The parameters of a call of the feed. */
export interface Consumer {
  kinds: Resource[];
  caller: Caller;
}

/** Reads from the journal which objects have changed after a cursor, in one statement. */
@Injectable()
export class JournalReader {
  constructor(private readonly database: Database) {}

  /**
   * Reads only the standing.
   * @throws ApiError as `page`
   */
  async standing(consumer: Consumer, cursor?: Cursor): Promise<Standing> {
    const { text, values } = standingStatement(consumer);
    const [row] = await this.database.rows({ text, values });
    return checkStanding(headOf(row!), consumer, cursor);
  }

  /**
   * @throws ApiError 410 for a cursor of another journal, when changes after it were dropped, when the rights of the
   * caller have changed, and when a table was emptied since; 401 once the user is gone
   */
  async page(consumer: Consumer, cursor: Cursor, maxObjects: number): Promise<JournalPage> {
    const maxRows = maxObjects * ROWS_PER_OBJECT;
    const [first, ...rows] = await this.database.rows(pageStatement(consumer, cursor, maxRows));
    const head = headOf(first!);
    const standing = checkStanding(head, consumer, cursor);
    const until = cursor.until?.position ?? standing.position;
    const end = BigInt(until.next);
    const isBefore = ({ xid }: Place): boolean => BigInt(xid) < end;
    const found = (rows as ChangeRow[]).filter(([xid, id]) => isBefore({ xid, id }));
    const { objects, cut } = takeObjects(found, maxObjects);
    const isCut = rows.length >= maxRows;
    const considered = isCut ? placeOf(rows.at(-1) as ChangeRow) : head.last;
    const last = cut ?? (considered && isBefore(considered) ? considered : undefined);
    return { standing, objects, until, last };
  }
}

const placeOf = ([xid, id]: ChangeRow): Place => ({ xid, id });

/** The first row of each statement. */
interface Head {
  journal: string;
  snapshot: string;
  /** The last transaction of the parts of the journal that were dropped. */
  dropped: string | null;
  rights: string | null;
  /** `users.rights`. */
  grants: string;
  sysadmin: boolean;
  principals: string[] | null;
  /** The last scanned row, if more may follow. */
  last?: Place;
}

const headOf = ([, , , head]: Row): Head => JSON.parse(head as string) as Head;

/**
 * A journal has another identity in another cluster, on a promoted standby (the name of the WAL file shows the timeline
 * at once, unlike the control file), in another database, and after a restore of its table.
 */
const JOURNAL = `concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
  left(pg_walfile_name(pg_current_wal_lsn()), 8), (SELECT oid FROM pg_database WHERE datname = current_database()),
  'changes'::regclass::oid)`;

const headSql = ({ kinds, caller }: Consumer, id: string, more = ''): string => `
  SELECT NULL::text, NULL::text, NULL::text, (
    SELECT json_build_object('journal', ${JOURNAL}, 'snapshot', pg_current_snapshot()::text,
      'dropped', (SELECT dropped_until::text FROM change_parts WHERE dropped_until IS NOT NULL ORDER BY part DESC LIMIT 1),
      'rights', ${rightsSql(kinds, caller, id)},
      'grants', me.rights::text, 'sysadmin', me.sysadmin,
      'principals', (principals(me.id) || ${absenteesOf('me.id')})::text[]${more})
    FROM (SELECT 1) AS one LEFT JOIN users me ON me.id = ${id}::bigint)::text`;

const standingStatement = (consumer: Consumer): BoundStatement => ({
  text: headSql(consumer, '$1'),
  values: [consumer.caller.id],
});

/**
 * The changes after the cursor, in the order of their transactions and ids: first those of the transactions that were
 * in progress at `from`, then those of the later ones; up to `until`, or up to the snapshot of this statement.
 */
function pageStatement(consumer: Consumer, cursor: Cursor, maxRows: number): BoundStatement {
  const { kinds, caller } = consumer;
  const { from, until } = cursor;
  const after = until?.after ?? { xid: '0', id: '0' };
  const isDue = (xid: string): boolean => BigInt(xid) >= BigInt(after.xid);
  // Ids begin at 1. A single bound: PostgreSQL would begin at the first of two.
  const later = BigInt(after.xid) >= BigInt(from.next) ? after : { xid: from.next, id: '0' };
  const scan = (condition: string): string => `(
    SELECT xid, id, kind, object, principals, application FROM changes
    WHERE ${condition} AND NOT xid = ANY ($8::xid8[]) ORDER BY xid, id LIMIT ${MAX_SCANNED})`;
  return {
    text: `
      WITH scanned AS MATERIALIZED (
        SELECT * FROM (
          ${scan(`xid = ANY (${ended('$2')}) AND (xid <> $3::xid8 OR id > $4::bigint)`)}
          UNION ALL
          ${scan('(xid, id) > ($5::xid8, $6::bigint) AND xid < coalesce($7::xid8, pg_snapshot_xmax(pg_current_snapshot()))')}
        ) AS both_parts ORDER BY xid, id LIMIT ${MAX_SCANNED}
      )
      ${headSql(consumer, '$1', `, 'last', ${LAST_SCANNED}`)}
      UNION ALL
      SELECT xid::text, id::text, kind, object::text FROM (
        SELECT * FROM (${changesSql(kinds, caller)}) AS concerned
        ORDER BY xid, id FETCH FIRST ($10::bigint) ROWS WITH TIES
      ) AS page`,
    values: [
      caller.id,
      from.inProgress.filter(isDue),
      ...[after.xid, after.id],
      ...[later.xid, later.id],
      until?.position.next ?? null,
      until?.position.inProgress ?? [],
      kinds.map(({ name }) => name),
      maxRows,
    ],
  };
}

const LAST_SCANNED = `(
  SELECT json_build_object('xid', s.xid::text, 'id', s.id::text) FROM scanned s
  WHERE (SELECT count(*) FROM scanned) = ${MAX_SCANNED} ORDER BY s.xid DESC, s.id DESC LIMIT 1)`;

/** The scanned rows that concern the caller. */
function changesSql(kinds: Resource[], caller: Caller): string {
  const isHidden = (name: string): boolean =>
    kinds.some((resource) => resource.name === name && !seesAll(resource, caller));
  // The page leaves out tasks of other people, even as tombstones: a row names all principals that saw the task before
  // or after. A substitute saw open tasks of the absent person in some applications. Rows without principals are older
  // than this column, and may concern any person.
  const ownTasks = isHidden('tasks')
    ? `AND (s.kind <> 'tasks' OR s.object IS NULL OR s.principals && (SELECT principals($1::bigint))
        OR (s.principals && (SELECT ${absenteesOf('$1')})
          AND (s.application IS NULL
            OR (s.application <> 0 AND ${wasLent('s.principals', 's.application', '$1')}))))`
    : '';
  // Who sees a view is decided by its application.
  const viewsOfApplications = isHidden('views')
    ? `UNION ALL SELECT s.xid, s.id, 'views', v.id FROM scanned s JOIN views v ON v.application_id = s.object
        WHERE s.kind = 'applications'`
    : '';
  const tasksOfCandidates = isHidden('tasks')
    ? `UNION ALL SELECT s.xid, s.id, 'tasks', s.object FROM scanned s
        WHERE s.kind = 'candidates' AND s.principals && (SELECT principals($1::bigint))`
    : '';
  return `SELECT s.xid, s.id, s.kind, s.object FROM scanned s WHERE s.kind = ANY ($9::text[]) ${ownTasks}
    ${tasksOfCandidates} ${viewsOfApplications}`;
}

function checkStanding(head: Head, { caller }: Consumer, cursor?: Cursor): Standing {
  const { rights, principals, grants, sysadmin, snapshot, dropped } = head;
  if (rights === null || principals === null) throw unauthenticated();
  const journal = hash('sha256', head.journal, 'base64url').slice(0, 16);
  if (cursor) {
    if (cursor.journal !== journal) throw gone(ANOTHER_JOURNAL);
    // A restored data folder has the same identity but an earlier snapshot.
    if (isAhead(cursor, snapshot)) throw gone(ANOTHER_JOURNAL);
    if (dropped !== null && BigInt(dropped) >= firstNeeded(cursor)) throw gone(DROPPED);
    if (cursor.rights !== rights) throw gone(OTHER_RIGHTS);
  }
  // The rights of the user have changed since the look-up of the token.
  if (Rights.of(grants, sysadmin, caller.rights.limit).everywhere.key !== caller.rights.key)
    throw unavailable();
  const latest = positionOf(snapshot);
  const position = withShortText(latest);
  return { journal, rights, principals, position, isComplete: position.next === latest.next };
}

/** Whether a cursor comes from a time that this database has not reached. */
const isAhead = ({ from, until }: Cursor, snapshot: string): boolean =>
  BigInt(until?.position.next ?? from.next) > BigInt(positionOf(snapshot).next);

/** The first transaction whose changes a cursor may still need. */
function firstNeeded({ from, until }: Cursor): bigint {
  if (until) return BigInt(until.after.xid);
  return [from.next, ...from.inProgress].map(BigInt).reduce((a, b) => (b < a ? b : a));
}

/** @throws ApiError 410 when a later statement of the page was executed with other rights of the caller */
export function requireSameRights(before: string, after: string | null): void {
  if (before !== after) throw gone(OTHER_RIGHTS);
}
