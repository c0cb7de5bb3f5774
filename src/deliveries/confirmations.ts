import type { Database, Transaction } from '../database/database.js';
import { isBlank } from '../http/class-validation.js';
import { type AuditContext, recordAudit } from '../security/audit.service.js';
import { deliveryColumns } from './due-deliveries.js';
import { DECIDED } from './event-kinds.js';
import type { StoredDelivery } from './event.js';

/** Most characters of an engine's reason: the person reads it. */
export const MAX_REASON = 500;

/** What the engine says about a decision. */
export type Verdict =
  | { says: 'confirmed'; /** What is worth knowing about it. */ note?: string | undefined }
  | { says: 'refused'; reason: string };

/** A decision, which a later one of the same task is not. */
export interface Decision {
  taskId: string;
  id: string;
  /** The columns of the task as it was decided. */
  task: Record<string, unknown>;
}

/** The decision that a delivery tells the engine; undefined unless it tells one that an engine confirms. */
export function decisionOf({ kind, taskId, data }: StoredDelivery): Decision | undefined {
  const { task } = data;
  const id = task?.decision;
  return kind === DECIDED && taskId !== null && typeof id === 'string'
    ? { taskId, id, task: task! }
    : undefined;
}

/**
 * The decision that the answer to a delivery confirms or refuses: the delivery says whether the endpoint confirmed when the
 * task changed.
 * @param confirms whether the endpoint confirms now, which counts for a delivery from before an upgrade
 */
export const awaitedDecision = (
  delivery: StoredDelivery,
  confirms: boolean,
): Decision | undefined =>
  (delivery.data.confirms ?? confirms) ? decisionOf(delivery) : undefined;

/**
 * Keeps what the engine says with the task; a refusal opens the task again. Nothing happens when the decision has been
 * taken back or confirmed meanwhile (docs/api-contract.md#confirmed-decisions).
 */
export async function settleDecision(
  transaction: Transaction,
  { taskId, id }: Decision,
  verdict: Verdict,
  auditContext: AuditContext,
): Promise<void> {
  const isRefusal = verdict.says === 'refused';
  const [row] = await transaction.query<{ before: Record<string, unknown> }>(
    isRefusal
      ? { text: REFUSE, values: [taskId, id, verdict.reason] }
      : { text: CONFIRM, values: [taskId, id] },
  );
  if (!row) return;
  const { says } = verdict;
  await recordAudit(transaction, auditContext, {
    action: 'update',
    objectUri: `/process/tasks/${taskId}`,
    before: row.before,
    after: isRefusal
      ? { status: 'open', confirmation: says, refusalReason: verdict.reason }
      : { confirmation: says, ...(verdict.note !== undefined && { note: verdict.note }) },
  });
}

const CONFIRM = `
  UPDATE tasks SET confirmation = 'confirmed', revision = revision + 1, modification_date = now()
  WHERE id = $1 AND decision = $2 AND confirmation = 'pending'
  RETURNING jsonb_build_object('confirmation', 'pending') AS before`;

/** Another engine may have confirmed the decision before: a task that one of them refuses is not done. */
const REFUSE = `
  UPDATE tasks t SET status = 'open', outcome = NULL, comment = NULL, closed_by_id = NULL, closed_for_id = NULL, completion_date = NULL,
    confirmation = 'refused', refusal_reason = $3, revision = t.revision + 1, modification_date = now()
  FROM (SELECT id, outcome, comment, confirmation FROM tasks WHERE id = $1 FOR NO KEY UPDATE) AS o
  WHERE t.id = o.id AND t.decision = $2 AND t.status = 'done'
  RETURNING jsonb_build_object('status', 'done', 'outcome', o.outcome, 'comment', o.comment, 'confirmation', o.confirmation) AS before`;

/**
 * Keeps that an engine has taken a decision which people had taken back, and perhaps replaced, meanwhile: the engine has the
 * last word, and hears of decisions alone. Nothing happens when the decision still stands, when an engine has confirmed
 * another one, or when the source has cancelled the task.
 */
export async function restoreDecision(
  transaction: Transaction,
  { taskId, id, task }: Decision,
  note: string,
  auditContext: AuditContext,
): Promise<void> {
  const { outcome, comment, closed_by_id, closed_for_id, completion_date } = task;
  const [row] = await transaction.query<{ before: Record<string, unknown> }>({
    text: RESTORE,
    values: [taskId, id, outcome, comment, closed_by_id, closed_for_id, completion_date],
  });
  if (!row) return;
  await recordAudit(transaction, auditContext, {
    action: 'update',
    objectUri: `/process/tasks/${taskId}`,
    before: row.before,
    after: { status: 'done', outcome, comment, confirmation: 'confirmed', note },
  });
}

/** Without an id of its own, the decision is not sent once more. */
const RESTORE = `
  UPDATE tasks t SET status = 'done', outcome = $3, comment = $4, confirmation = 'confirmed', decision = NULL, refusal_reason = NULL,
    closed_by_id = (SELECT u.id FROM users u WHERE u.id = $5::bigint), closed_for_id = (SELECT u.id FROM users u WHERE u.id = $6::bigint),
    completion_date = $7::timestamptz, revision = t.revision + 1, modification_date = now()
  FROM (SELECT id, status, outcome, comment, confirmation FROM tasks WHERE id = $1 FOR NO KEY UPDATE) AS o
  WHERE t.id = o.id AND t.decision IS DISTINCT FROM $2::uuid AND t.status <> 'cancelled'
    AND t.confirmation IS DISTINCT FROM 'confirmed'
  RETURNING jsonb_build_object('status', o.status, 'outcome', o.outcome, 'comment', o.comment, 'confirmation', o.confirmation) AS before`;

/** Whether the decision still stands: a decision that somebody has taken back is not sent to an engine. */
export async function stands(database: Database, { taskId, id }: Decision): Promise<boolean> {
  const rows = await database.rows({
    text: `SELECT FROM tasks WHERE id = $1 AND decision = $2`,
    values: [taskId, id],
  });
  return rows.length > 0;
}

/** The decision of the same task and endpoint that was sent before and given up without an answer: the engine may have taken it. */
export async function decisionInDoubt(
  database: Database,
  { id }: StoredDelivery,
): Promise<Decision | undefined> {
  const [former] = await database.query<StoredDelivery>({
    text: `SELECT ${deliveryColumns('e')} FROM deliveries d JOIN deliveries e ON e.task_id = d.task_id AND e.endpoint_id = d.endpoint_id
        AND e.change_id < d.change_id AND e.in_doubt
      WHERE d.id = $1 ORDER BY e.change_id DESC LIMIT 1`,
    values: [id],
  });
  return former && decisionOf(former);
}

/**
 * Keeps that the engine may have this decision from now on, whatever becomes of the call, of this process, and of the
 * delivery; it has no earlier decision of the task.
 */
export async function doubtAlone(
  database: Database,
  { id, taskId }: StoredDelivery,
): Promise<void> {
  await database.execute({
    text: `UPDATE deliveries e SET in_doubt = e.id = d.id FROM deliveries d
      WHERE d.id = $1 AND e.task_id = $2 AND e.endpoint_id = d.endpoint_id AND e.in_doubt <> (e.id = d.id)`,
    values: [id, taskId],
  });
}

/**
 * The reason in the JSON of an engine: the first of these attributes that is a filled text.
 * @returns undefined without one: then nobody knows that the engine has answered, and not something before it
 */
export function reasonIn(body: string | undefined, names: readonly string[]): string | undefined {
  const answer = parseObject(body);
  const found = names.map((name) => answer?.[name]).find(isFilledText);
  return found === undefined ? undefined : asReason(found);
}

/** A reason without control characters, cut to what a page shows. */
export const asReason = (text: string): string =>
  [...text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()].slice(0, MAX_REASON).join('');

const isFilledText = (value: unknown): value is string =>
  typeof value === 'string' && !isBlank(value);

/** The object that a body is in JSON; undefined when it is none. */
export function parseObject(body: string | undefined): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(body ?? '') as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
