import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { Transaction } from '../../database/database.js';
import { users } from '../../directory/user.resource.js';
import type { Ref } from '../../resources/ref.js';
import { uriOf } from '../../resources/uri.js';
import type { PendingWrite, Values } from '../../resources/write/pending-write.js';
import type { Caller } from '../../security/caller.js';
import { type AuditContext, recordAudit } from '../../security/audit.service.js';
import { Task } from './task.entity.js';
import { OPEN, tasks } from './task.resource.js';

/**
 * How a task ends: with which outcome and comment, by whom, and for whom. Triggers derive the rest from the status, so
 * that it holds for plain SQL too: when the task ended and whether its source ended it
 * (migrations/functions/tasks_note_closing.sql), and whether an engine has to confirm the decision
 * (tasks_await_engine.sql).
 */

/** The attributes that only a closed task has. */
const NO_END = { outcome: null, comment: null };
const NO_CLOSER = { closed_by_id: null, closed_for_id: null };

/** SQL that clears the columns of the end. */
const OPENED = Object.keys({ ...NO_END, ...NO_CLOSER })
  .map((column) => `${column} = NULL`)
  .join(', ');
const CHANGED = 'revision = t.revision + 1, modification_date = now()';

/** The values of a write that closes or reopens a task. The caller closes it, perhaps as the assignee's substitute. */
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

/** The assignee for whom the caller, as a substitute, acts on an open task or closed it. */
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

/** Whether a person, not the source, has closed a task. A push does not change such an end. */
export const isDecided = (stored: EndedTask | undefined, closerId: string): boolean =>
  stored !== undefined &&
  stored.status !== OPEN &&
  !stored.closedBySource &&
  stored.closedById !== closerId;

/**
 * The end of a task in a push. A push keeps the end that a person has set, and may reopen a task that the source itself
 * closed.
 * @param columns the values of the task by column
 * @param closerId id of the account that closes tasks for the source
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
 * Cancels open tasks for their source. It clears the digest, so that the source can reopen them.
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

/** One decision of a task; a later decision of the same task has another id. */
export interface Decision {
  taskId: string;
  id: string;
  /** The columns of the task as it was decided. */
  task: Record<string, unknown>;
}

/** What the engine says about a decision. */
export type Verdict =
  | {
      says: 'confirmed';
      /** A remark for the history of the task and the log of the delivery. */ note?:
        string | undefined;
    }
  | { says: 'refused'; reason: string };

/** The effects of engines' verdicts on tasks (docs/api-contract.md#confirmed-decisions). */
@Injectable()
export class TaskEnds {
  constructor(@InjectRepository(Task) private readonly tasks: Repository<Task>) {}

  /** Whether no person has withdrawn a decision. */
  stands({ taskId, id }: Decision): Promise<boolean> {
    return this.tasks.existsBy({ id: taskId, decision: id });
  }

  /**
   * Stores the verdict of the engine in the task; a refusal reopens the task. It changes nothing once the decision has
   * been withdrawn or confirmed.
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
   * Restores a decision that people have withdrawn, perhaps replaced, although the engine had already completed the
   * task: an engine cannot undo it. It changes nothing when the decision still stands, when an engine has confirmed
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

/** Another engine may have confirmed the decision before: one refusal is enough to reopen the task. */
const REFUSE = `
  UPDATE tasks t SET status = '${OPEN}', ${OPENED}, confirmation = 'refused', refusal_reason = $3, ${CHANGED}
  FROM (${BEFORE}) AS o WHERE t.id = o.id AND t.decision = $2 AND t.status = 'done'
  ${RETURN_BEFORE}`;

/** Clears the id of the decision, so that the server does not send it again. */
const RESTORE = `
  UPDATE tasks t SET status = 'done', outcome = $3, comment = $4, confirmation = 'confirmed', decision = NULL, refusal_reason = NULL,
    closed_by_id = (SELECT u.id FROM users u WHERE u.id = $5::bigint), closed_for_id = (SELECT u.id FROM users u WHERE u.id = $6::bigint),
    closed_date = $7::timestamptz, ${CHANGED}
  FROM (${BEFORE}) AS o WHERE t.id = o.id AND t.decision IS DISTINCT FROM $2::uuid AND t.status <> 'cancelled'
    AND t.confirmation IS DISTINCT FROM 'confirmed'
  ${RETURN_BEFORE}`;
