import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database/database.js';
import { users } from '../../directory/user.resource.js';
import type { Ref } from '../../resources/ref.js';
import { uriOf } from '../../resources/uri.js';
import type { PendingWrite, Values } from '../../resources/write/pending-write.js';
import type { Caller } from '../../security/caller.js';
import { type AuditContext, recordAudit } from '../../security/audit.service.js';
import { OPEN, tasks } from './task.resource.js';

/**
 * How a task ends: with which outcome and comment, by whom, and for whom. What follows from its status holds for plain SQL too:
 * when it ended and whether its source ended it (migrations/functions/tasks_note_closing.sql), and whether an engine has to
 * confirm its decision (tasks_await_engine.sql).
 */

/** What an open task does not have. */
const NO_END = { outcome: null, comment: null };
const NO_CLOSER = { closed_by_id: null, closed_for_id: null };

/** SQL that sets the columns of the end as those of an open task. */
const OPENED = Object.keys({ ...NO_END, ...NO_CLOSER })
  .map((column) => `${column} = NULL`)
  .join(', ');
const CHANGED = 'revision = t.revision + 1, modification_date = now()';

/** The end that a write of a caller makes, who closes the task, perhaps in place of the assignee; or the end of its end. */
export function endOfWrite({
  change,
  values,
  before,
}: Pick<PendingWrite, 'change' | 'values' | 'before'>): Values {
  if (values.status === (before?.status ?? OPEN)) return values;
  return values.status === OPEN
    ? { ...values, ...NO_END, closedBy: null, closedFor: null }
    : {
        ...values,
        closedBy: uriOf(users.ref.uri, change.caller.id),
        closedFor: before ? (onBehalfOf(change.caller, before)?.uri ?? null) : null,
      };
}

/** The assignee for whom a substitute acts on an open task, or acted when closing it. */
export function onBehalfOf(
  caller: Caller,
  { substitute, assignee, closedBy, closedFor }: Values,
): Ref | null {
  if ((closedBy as Ref | null)?.id === caller.id) return closedFor as Ref | null;
  return (substitute as Ref | null)?.id === caller.id ? (assignee as Ref) : null;
}

/** A task that a source pushes again, as far as its end matters. */
interface EndedTask {
  status: string;
  closedById: string | null;
  closedBySource: boolean;
}

/** Whether a person, not the source, has closed a task: it stays as it was closed. */
export const isDecided = (stored: EndedTask | undefined, closerId: string): boolean =>
  stored !== undefined &&
  stored.status !== OPEN &&
  !stored.closedBySource &&
  stored.closedById !== closerId;

/**
 * The end of a task as its source tells it. What a person has closed stays as the person closed it; what the source
 * itself closed it may open again.
 * @param columns the values of the task by column
 * @param closerId as whom the source closes tasks
 */
export function endOfPush(
  columns: Record<string, unknown>,
  stored: EndedTask | undefined,
  closerId: string,
): Record<string, unknown> {
  if (isDecided(stored, closerId)) {
    const { status: _status, outcome: _outcome, comment: _comment, ...rest } = columns;
    return rest;
  }
  const status = columns.status ?? stored?.status ?? OPEN;
  if (status === OPEN) return { ...columns, status, ...NO_END, ...NO_CLOSER };
  return { ...columns, status, ...NO_CLOSER, closed_by_id: closerId };
}

/**
 * Cancels open tasks for their source; the digest goes, so that the source can open them again.
 * @returns the ids of those that were open
 */
export async function cancelTasks(
  transaction: Transaction,
  ids: string[],
  closerId: string,
): Promise<string[]> {
  const rows = await transaction.rows({
    text: `UPDATE tasks t SET status = 'cancelled', closed_by_id = $2, source_digest = NULL, ${CHANGED}
      WHERE id = ANY ($1::bigint[]) AND status = '${OPEN}' RETURNING id::text`,
    values: [ids, closerId],
  });
  return rows.map(([id]) => String(id));
}

/** A decision of a task, which a later one of the same task is not. */
export interface Decision {
  taskId: string;
  id: string;
  /** The columns of the task as it was decided. */
  task: Record<string, unknown>;
}

/** What the engine says about a decision. */
export type Verdict =
  | { says: 'confirmed'; /** What is worth knowing about it. */ note?: string | undefined }
  | { says: 'refused'; reason: string };

/** What engines do to the decisions of tasks (docs/api-contract.md#confirmed-decisions). */
@Injectable()
export class TaskEnds {
  constructor(private readonly database: Database) {}

  /** Whether a decision still stands, i.e. has not been taken back. */
  async stands({ taskId, id }: Decision): Promise<boolean> {
    const rows = await this.database.rows({
      text: 'SELECT FROM tasks WHERE id = $1 AND decision = $2',
      values: [taskId, id],
    });
    return rows.length > 0;
  }

  /**
   * Keeps what the engine says with the task; a refusal opens the task again. Nothing happens when the decision has been
   * taken back or confirmed meanwhile.
   */
  async settle(
    transaction: Transaction,
    { taskId, id }: Decision,
    verdict: Verdict,
    auditContext: AuditContext,
  ): Promise<void> {
    const isRefusal = verdict.says === 'refused';
    const [row] = await transaction.query<Audited>(
      isRefusal
        ? { text: REFUSE, values: [taskId, id, verdict.reason] }
        : { text: CONFIRM, values: [taskId, id] },
    );
    if (!row) return;
    const { says } = verdict;
    await recordAudit(transaction, auditContext, {
      action: 'update',
      objectUri: uriOf(tasks.ref.uri, taskId),
      before: row.before,
      after: isRefusal
        ? { status: OPEN, confirmation: says, refusalReason: verdict.reason }
        : { confirmation: says, ...(verdict.note !== undefined && { note: verdict.note }) },
    });
  }

  /**
   * Keeps that an engine has taken a decision which people had taken back, and perhaps replaced, meanwhile: the engine has the
   * last word, and hears of decisions alone. Nothing happens when the decision still stands, when an engine has confirmed
   * another one, or when the source has cancelled the task.
   */
  async restore(
    transaction: Transaction,
    { taskId, id, task }: Decision,
    note: string,
    auditContext: AuditContext,
  ): Promise<void> {
    const { outcome, comment, closed_by_id, closed_for_id, closed_date } = task;
    const [row] = await transaction.query<Audited>({
      text: RESTORE,
      values: [taskId, id, outcome, comment, closed_by_id, closed_for_id, closed_date],
    });
    if (!row) return;
    await recordAudit(transaction, auditContext, {
      action: 'update',
      objectUri: uriOf(tasks.ref.uri, taskId),
      before: row.before,
      after: { status: 'done', outcome, comment, confirmation: 'confirmed', note },
    });
  }
}

/** What a statement has changed. */
interface Audited {
  before: Record<string, unknown>;
}

const CONFIRM = `
  UPDATE tasks t SET confirmation = 'confirmed', ${CHANGED}
  WHERE id = $1 AND decision = $2 AND confirmation = 'pending'
  RETURNING jsonb_build_object('confirmation', 'pending') AS before`;

const BEFORE =
  'SELECT id, status, outcome, comment, confirmation FROM tasks WHERE id = $1 FOR NO KEY UPDATE';
const RETURN_BEFORE = `RETURNING jsonb_build_object('status', o.status, 'outcome', o.outcome, 'comment', o.comment,
    'confirmation', o.confirmation) AS before`;

/** Another engine may have confirmed the decision before: a task that one of them refuses is not done. */
const REFUSE = `
  UPDATE tasks t SET status = '${OPEN}', ${OPENED}, confirmation = 'refused', refusal_reason = $3, ${CHANGED}
  FROM (${BEFORE}) AS o WHERE t.id = o.id AND t.decision = $2 AND t.status = 'done'
  ${RETURN_BEFORE}`;

/** Without an id of its own, the decision is not sent once more. */
const RESTORE = `
  UPDATE tasks t SET status = 'done', outcome = $3, comment = $4, confirmation = 'confirmed', decision = NULL, refusal_reason = NULL,
    closed_by_id = (SELECT u.id FROM users u WHERE u.id = $5::bigint), closed_for_id = (SELECT u.id FROM users u WHERE u.id = $6::bigint),
    closed_date = $7::timestamptz, ${CHANGED}
  FROM (${BEFORE}) AS o WHERE t.id = o.id AND t.decision IS DISTINCT FROM $2::uuid AND t.status <> 'cancelled'
    AND t.confirmation IS DISTINCT FROM 'confirmed'
  ${RETURN_BEFORE}`;
