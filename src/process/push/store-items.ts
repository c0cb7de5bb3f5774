import type { Reader, Transaction } from '../../database/database.js';
import { OPEN, tasks } from '../tasks/task.resource.js';
import type { Candidate } from './push-item.js';

/** An existing task of the source, as far as an unchanged item needs it. */
export interface KnownTask {
  id: string;
  externalId: string;
  sourceVersion: string | null;
  /** In hexadecimal digits; null for a task that no push has written. */
  digest: string | null;
}

/** An existing task of the source, under a lock. */
export interface StoredTask extends KnownTask {
  status: string;
  closedById: string | null;
  closedBySource: boolean;
  assigneeId: string | null;
  groupId: string | null;
  /** Whether the last push named a person or group that the server did not know. */
  hasUnknown: boolean;
  /** As JSON. */
  outcomes: string | null;
  /** Whether the source may write tasks of its application. */
  isAllowed: boolean;
}

/** The values of a task by column, as JSON that PostgreSQL reads: the digest is `\\x` and hexadecimal digits. */
export type Columns = Record<string, unknown>;

/** The columns that a push writes. */
const WRITTEN = [
  ...['title', 'description', 'application_id', 'assignee_id', 'group_id', 'status', 'priority'],
  ...['due_date', 'link', 'follow_up_date', 'external_id', 'outcome', 'source_version'],
  ...[
    'correlation_id',
    'variables',
    'outcomes',
    'comment',
    'closed_by_id',
    'closed_for_id',
    'source_digest',
  ],
];

const READ = `id::text, external_id AS "externalId", source_version::text AS "sourceVersion",
    encode(source_digest, 'hex') AS digest`;
const FOUND = `FROM ${tasks.ref.table} t WHERE source_id = $1 AND external_id = ANY ($2)`;

/** SQL of whether the source of a task `t` may write it: it has the task's application. */
export const SOURCE_HAS_APPLICATION =
  'EXISTS (SELECT 1 FROM source_applications j WHERE j.source_id = t.source_id AND j.application_id = t.application_id)';

/** The statement that reads tasks of a source by their external ids. */
export const readTasks = (sourceId: string, externalIds: string[]) => ({
  text: `SELECT ${READ} ${FOUND}`,
  values: [sourceId, externalIds],
});

/**
 * Reads and locks the tasks that a push changes.
 * @returns the tasks with these external ids
 */
export const lockTasks = (
  transaction: Transaction,
  sourceId: string,
  externalIds: string[],
): Promise<StoredTask[]> =>
  transaction.query<StoredTask>({
    text: `SELECT ${READ}, status, closed_by_id::text AS "closedById", closed_by_source AS "closedBySource",
        assignee_id::text AS "assigneeId",
        group_id::text AS "groupId", outcomes::text,
        EXISTS (SELECT FROM task_unknown_names u WHERE u.task_id = t.id) AS "hasUnknown", ${SOURCE_HAS_APPLICATION} AS "isAllowed"
      ${FOUND} ORDER BY id FOR NO KEY UPDATE OF t`,
    values: [sourceId, externalIds],
  });

/** @returns the ids of the new tasks by external id, without those that another call has just created */
export async function insertTasks(
  transaction: Transaction,
  sourceId: string,
  rows: Columns[],
): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map();
  const columns = WRITTEN.map((column) => `r.${column}`).join(', ');
  const inserted = await transaction.rows({
    text: `INSERT INTO tasks (${WRITTEN.join(', ')}, source_id)
      SELECT ${columns}, $1
      FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS x (value, place),
        jsonb_populate_record(NULL::tasks, x.value) AS r ORDER BY place
      ON CONFLICT (source_id, external_id) WHERE external_id IS NOT NULL DO NOTHING
      RETURNING external_id, id::text`,
    values: [sourceId, JSON.stringify(rows)],
  });
  return new Map(inserted as [string, string][]);
}

/** Changes tasks that are locked; columns without a value stay as they are. */
export async function updateTasks(
  transaction: Transaction,
  changes: { id: string; columns: Columns }[],
): Promise<void> {
  if (changes.length === 0) return;
  const columns = WRITTEN.map((column) => `r.${column}`).join(', ');
  await transaction.execute({
    text: `UPDATE tasks t SET (${WRITTEN.join(', ')}) = (
        SELECT ${columns} FROM jsonb_populate_record(t, x.value) AS r
      ), revision = t.revision + 1, modification_date = now()
      FROM ROWS FROM (unnest($1::bigint[]), jsonb_array_elements($2::jsonb)) AS x (id, value) WHERE t.id = x.id`,
    values: [
      changes.map(({ id }) => id),
      // One JSON text, because an array of them takes longer to write and to parse.
      JSON.stringify(changes.map(({ columns: values }) => values)),
    ],
  });
}

/** Replaces the candidates of tasks. */
export async function storeCandidates(
  transaction: Transaction,
  changes: { id: string; isNew: boolean; candidates: Candidate[] }[],
): Promise<void> {
  const wanted = changes.flatMap(({ id, candidates }) =>
    candidates.map(([column, principal]) => ({ task_id: id, [column]: principal })),
  );
  const changed = changes.filter(({ isNew }) => !isNew).map(({ id }) => id);
  const rows =
    'jsonb_to_recordset($1::jsonb) AS r (task_id bigint, user_id bigint, group_id bigint)';
  const values = [JSON.stringify(wanted)];
  if (changed.length > 0)
    await transaction.execute({
      text: `DELETE FROM task_candidates c WHERE c.task_id = ANY ($2::bigint[]) AND (c.task_id, c.principal_id) NOT IN (
          SELECT r.task_id, coalesce(r.user_id, r.group_id) FROM ${rows})`,
      values: [...values, changed],
    });
  if (wanted.length > 0)
    await transaction.execute({
      text: `INSERT INTO task_candidates (task_id, user_id, group_id) SELECT r.task_id, r.user_id, r.group_id FROM ${rows}
        ON CONFLICT DO NOTHING`,
      values,
    });
}

/** Replaces the unknown names of tasks. */
export async function storeUnknown(
  transaction: Transaction,
  changes: { id: string; isNew: boolean; unknown: string[] }[],
): Promise<void> {
  const changed = changes.filter(({ isNew }) => !isNew).map(({ id }) => id);
  const pairs = changes.flatMap(({ id, unknown }) => unknown.map((name) => [id, name]));
  const values = [pairs.map(([id]) => id), pairs.map(([, name]) => name)];
  const rows = 'unnest($1::bigint[], $2::text[])';
  if (changed.length > 0)
    await transaction.execute({
      text: `DELETE FROM task_unknown_names u WHERE u.task_id = ANY ($3::bigint[]) AND (u.task_id, u.name) NOT IN (SELECT * FROM ${rows})`,
      values: [...values, changed],
    });
  if (pairs.length > 0)
    await transaction.execute({
      text: `INSERT INTO task_unknown_names (task_id, name) SELECT * FROM ${rows} ON CONFLICT DO NOTHING`,
      values,
    });
}

/** The open tasks of a source in its applications; `$1` is the source. */
const COMPARED = `t.source_id = $1 AND t.status = '${OPEN}' AND t.external_id IS NOT NULL AND ${SOURCE_HAS_APPLICATION}`;

/** The open tasks that a source has in its applications, up to a number of them. */
export const readOpenTasks = (
  reader: Reader,
  sourceId: string,
  limit: number,
): Promise<KnownTask[]> =>
  reader.query<KnownTask>({
    text: `SELECT ${READ} FROM tasks t WHERE ${COMPARED} LIMIT $2`,
    values: [sourceId, limit],
  });

/**
 * @param digests by external id
 * @returns the ids of those tasks that are open and still have this digest
 */
export async function stillOpen(
  reader: Reader,
  sourceId: string,
  digests: ReadonlyMap<string, string | null>,
): Promise<string[]> {
  const rows = await reader.rows({
    text: `SELECT t.id::text FROM tasks t JOIN unnest($2::text[], $3::text[]) AS k (external_id, digest)
        ON k.external_id = t.external_id AND k.digest IS NOT DISTINCT FROM encode(t.source_digest, 'hex')
      WHERE ${COMPARED}`,
    values: [sourceId, [...digests.keys()], [...digests.values()]],
  });
  return rows.map(([id]) => String(id));
}
