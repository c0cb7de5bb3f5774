import type { Transaction } from '../../database/database.js';
import { becameVisible, positionOf } from '../../journal/position.js';
import { DECIDED, KIND_SQL } from './event-kinds.js';
import { leavesAt, UNDO_WINDOW, withdrawDecisions } from './undo-window.js';

/** Most tasks whose changes one transaction takes, so that it stays short. */
export const BATCH = 1_000;

/** What one transaction did. */
export interface Dispatched {
  /** The endpoints that have new deliveries. */
  endpoints: string[];
  /** Whether there may be more. */
  hasMore: boolean;
}

/**
 * Turns changes of tasks into deliveries. One transaction deletes the rows of the journal and inserts the deliveries,
 * so that each change becomes exactly one delivery per endpoint, even after a crash. Several changes of a task in one
 * transaction are one. The statement takes all changes of a task together, because transaction ids do not follow the
 * order of changes.
 * @param leader the calling process, which must still lead
 * @returns undefined when another process leads
 */
export async function dispatch(
  transaction: Transaction,
  leader: string,
): Promise<Dispatched | undefined> {
  // A table that is nearly always empty has no useful statistics, so this forces an index scan.
  const [row] = await transaction.rows({
    text: `SELECT coalesce(position, ''), set_config('enable_seqscan', 'off', true), ${UNDO_WINDOW} FROM dispatching WHERE leader = $1 AND leader_until > now() FOR UPDATE`,
    values: [leader],
  });
  if (!row) return undefined;
  const position = positionOf(row[0] as string);
  const undoWindow = Number(row[2]);
  const [done] = await transaction.rows({
    text: DISPATCH,
    values: [position.next === '' ? '0' : position.next, position.inProgress, undoWindow],
  });
  const [tasks, endpoints, reopened] = done as [number, string[] | null, [string, string][] | null];
  // A separate statement, because a statement does not see the rows that it inserts.
  if (undoWindow > 0 && reopened) await withdrawDecisions(transaction, reopened);
  return { endpoints: endpoints ?? [], hasMore: tasks >= BATCH };
}

/** The count stops at this many changes of tasks, so that it stays cheap. */
export const MAX_COUNTED = 100_000;

/** How many changes of tasks have not become deliveries yet, up to `MAX_COUNTED`. */
export async function changesBehind(transaction: Transaction): Promise<number> {
  const [stored] = await transaction.rows({
    text: `SELECT coalesce(position, '') FROM dispatching`,
    values: [],
  });
  const { next, inProgress } = positionOf(stored![0] as string);
  const [counted] = await transaction.rows({
    text: `SELECT count(*)::integer FROM (
        SELECT FROM (${becameVisible('id', `(${NEXT})`, '$2', 'task_changes')}) AS visible LIMIT ${MAX_COUNTED}
      ) AS counted`,
    values: [next === '' ? '0' : next, inProgress],
  });
  return counted![0] as number;
}

/** A link of the task at present: id, reference and label; null without one. */
const linkSql = (column: string, alias: string, reference: string, label: string): string =>
  `'${column}', CASE WHEN ${alias}.id IS NULL THEN NULL ELSE jsonb_build_array(${alias}.id::text, ${alias}.${reference}, ${alias}.${label}) END`;

/**
 * A restored database may have fewer transactions than the position: then the statement reads everything. The position
 * moves only when no change is left, to the snapshot of this statement.
 */
const NEXT = `CASE WHEN $1::xid8 > pg_snapshot_xmax(pg_current_snapshot()) THEN '0'::xid8 ELSE $1::xid8 END`;

/** The present and the former id of a link of the task. */
const bothIds = (column: string): string =>
  `ARRAY[(v.task->>'${column}')::bigint, (v.before->>'${column}')::bigint]`;

/**
 * Whether the answer of the endpoint confirms a decision, as it does if the endpoint confirmed when the task changed. If
 * the last such endpoint stopped confirming during the statement that decided, the decision is pending without one. Then
 * the answer of any endpoint counts, because the decision would otherwise wait without end.
 */
const CONFIRMS = `(p.id = ANY (v.confirming)
  OR v.confirming = '{}' AND v.kind = '${DECIDED}' AND v.task->>'confirmation' = 'pending')`;

const DISPATCH = `
  WITH visible AS (
    ${becameVisible('task_id, xid, id', `(${NEXT})`, '$2', 'task_changes')}
  ), chosen AS MATERIALIZED (
    SELECT DISTINCT task_id FROM (SELECT task_id FROM visible ORDER BY id LIMIT ${BATCH}) AS first_ones
  ), taken AS (
    DELETE FROM task_changes c USING chosen WHERE c.task_id = chosen.task_id
    RETURNING c.xid, c.id, c.task_id, c.operation, c.task, c.before, c.endpoints, c.confirming, c.date
  ), former AS (
    SELECT xid, task_id, jsonb_object_agg(e.key, e.value ORDER BY t.id DESC) AS before
    FROM taken t CROSS JOIN jsonb_each(t.before) AS e GROUP BY xid, task_id
  ), merged AS (
    SELECT xid, task_id, max(id) AS id, bool_or(operation = 'I') AS created, bool_or(operation = 'D') AS deleted,
      (array_agg(task ORDER BY id DESC))[1] AS task, (array_agg(endpoints::text ORDER BY id DESC))[1]::bigint[] AS endpoints,
      (array_agg(confirming::text ORDER BY id DESC))[1]::bigint[] AS confirming,
      max(date) AS date
    FROM taken GROUP BY xid, task_id
  ), events AS (
    SELECT *, ${KIND_SQL} AS kind FROM (
      SELECT m.*, coalesce((
        SELECT jsonb_object_agg(e.key, e.value) FROM jsonb_each(f.before) AS e
        WHERE m.task->e.key IS DISTINCT FROM e.value), '{}') AS before
      FROM merged m LEFT JOIN former f USING (xid, task_id)
    ) AS described WHERE NOT (created AND deleted)
  ), added AS (
    INSERT INTO deliveries (endpoint_id, change_id, task_id, kind, revision, data, creation_date, next_attempt)
    SELECT p.id, v.id, v.task_id, v.kind, (v.task->>'revision')::integer,
      jsonb_build_object('task', v.task, 'before', v.before, 'links', jsonb_build_object(
        ${linkSql('application_id', 'a', 'reference', 'title')},
        ${linkSql('assignee_id', 'u', 'login', 'title')},
        ${linkSql('group_id', 'g', 'reference', 'label')},
        ${linkSql('source_id', 's', 'reference', 'label')},
        ${linkSql('closed_by_id', 'c', 'login', 'title')},
        ${linkSql('closed_for_id', 'f', 'login', 'title')}), 'confirms', ${CONFIRMS}), v.date,
      ${leavesAt('$3::integer', 'v', 'c')}
    FROM events v
      CROSS JOIN LATERAL endpoints_hearing(v.kind, ${bothIds('application_id')}, ${bothIds('source_id')},
        v.task->>'decision' IS NOT NULL AND v.task->>'external_id' IS NOT NULL) p
      LEFT JOIN applications a ON a.id = (v.task->>'application_id')::bigint
      LEFT JOIN users u ON u.id = (v.task->>'assignee_id')::bigint
      LEFT JOIN groups g ON g.id = (v.task->>'group_id')::bigint
      LEFT JOIN sources s ON s.id = (v.task->>'source_id')::bigint
      LEFT JOIN users c ON c.id = (v.task->>'closed_by_id')::bigint
      LEFT JOIN users f ON f.id = (v.task->>'closed_for_id')::bigint
    WHERE p.id = ANY (v.endpoints)
    ORDER BY v.id
    RETURNING endpoint_id
  ), moved AS (
    UPDATE dispatching SET position = pg_current_snapshot()::text WHERE (SELECT count(*) FROM chosen) < ${BATCH}
  )
  SELECT (SELECT count(*)::integer FROM chosen), (SELECT array_agg(DISTINCT endpoint_id::text) FROM added),
    (SELECT jsonb_agg(jsonb_build_array(task_id::text, id::text)) FROM events WHERE kind = 'task.reopened')`;
