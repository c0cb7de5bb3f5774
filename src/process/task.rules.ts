import { conflict, forbidden, type InvalidField } from '../errors/api-errors.js';
import { users } from '../directory/user.resource.js';
import { linkIdIn } from '../resources/attributes/link-input.js';
import type { Ref } from '../resources/ref.js';
import { uriOf } from '../resources/uri.js';
import { type PendingWrite, validValues, type Values } from '../resources/write/pending-write.js';
import type { WriteHooks } from '../resources/write/write-hooks.js';
import type { Caller } from '../security/caller.js';
import type { Outcome } from './outcomes.js';
import { sources } from './source.resource.js';
import { OPEN } from './task.resource.js';
import { warnOfHiddenApplication } from './warn-of-hidden-application.js';

/** Most characters of the reason in a message. */
const MAX_REASON = 500;

/** What holds for every write of one task (docs/api-contract.md#tasks-of-sources). */
export const taskHooks = {
  mayWrite: mayWriteTasks,
  // Other callers see a task only if it is assigned to them or to their group.
  isOwner: () => true,
  complete: completeTask,
  beforeWrite: checkTask,
  afterWrite: setCompletionDate,
  warn: warnOfHiddenApplication,
  checkDelete: mayDelete,
  constraints: {
    tasks_source_external_id_key: () => conflict('The externalId is taken'),
  },
} satisfies WriteHooks;

function mayWriteTasks({ administrator, processEngine }: Caller): boolean {
  return administrator || processEngine;
}

/** The person who closes a task is kept with it; a task that is open again has no outcome any more. */
function completeTask({
  change,
  values,
  before,
}: Pick<PendingWrite, 'change' | 'values' | 'before'>): Values {
  if (values.status === (before?.status ?? OPEN)) return values;
  return values.status === OPEN
    ? { ...values, outcome: null, comment: null, closedBy: null }
    : { ...values, closedBy: uriOf(users.ref.uri, change.caller.id) };
}

async function checkTask(write: PendingWrite): Promise<InvalidField[]> {
  const { before, change } = write;
  await requireOwnSource(write);
  if (before && !mayWriteTasks(change.caller)) {
    refuseCancelled(write, before);
    refuseDecided(write, before);
  }
  const values = validValues(write);
  const faults = faultsOfOutcome(values, before);
  if (isFilled(values.externalId) && !isFilled(values.source))
    faults.push({ name: 'source', message: 'source is required' });
  return faults;
}

const isFilled = (value: unknown): boolean => value !== null && value !== undefined;

/**
 * A task of a source is written by administrators, by the people for whom it waits, and among process engines by the
 * service account of the source alone.
 * @throws ApiError 403
 */
async function requireOwnSource({
  change,
  transaction,
  before,
  values,
}: PendingWrite): Promise<void> {
  const { caller } = change;
  if (caller.administrator || !caller.processEngine) return;
  const ids = [before?.source, values.source].flatMap(
    (source) => linkIdIn(source, [sources.ref.uri]) ?? [],
  );
  if (ids.length === 0) return;
  const rows = await transaction.rows({
    text: 'SELECT id FROM sources WHERE id = ANY ($1::bigint[]) AND service_account_id = $2 FOR SHARE',
    values: [ids, caller.id],
  });
  const own = new Set(rows.map(([id]) => String(id)));
  if (!ids.every((id) => own.has(id)))
    throw forbidden('Only the service account of its source may write this task');
}

/**
 * Nobody decides what the source has cancelled.
 * @throws ApiError 409 with the reason that the source gave
 */
function refuseCancelled({ change, values }: PendingWrite, before: Values): void {
  const isBySource =
    before.source !== null && (before.closedBy as Ref | null)?.id !== change.caller.id;
  if (before.status !== 'cancelled' || !isBySource || values.status === before.status) return;
  throw conflict(reasonOfEnd(before));
}

/** Why a closed task cannot be decided: what its source or the person who closed it says. */
export function reasonOfEnd({ status, comment, closedBy }: Values): string {
  const closer = closedBy as Ref | null;
  if (status !== 'cancelled')
    return closer ? `${closer.label} has closed the task` : 'The task is not open any more';
  return typeof comment === 'string'
    ? `The task has been cancelled: ${[...comment].slice(0, MAX_REASON).join('')}`
    : 'The task has been cancelled';
}

/**
 * Nobody decides what somebody else has decided; opening it again comes first.
 * @throws ApiError 409 with the name of that person
 */
function refuseDecided({ change, values }: PendingWrite, before: Values): void {
  const closer = before.closedBy as Ref | null;
  if (before.status === OPEN || closer === null || closer.id === change.caller.id) return;
  const isSame = (name: string): boolean => (values[name] ?? null) === before[name];
  if (values.status === OPEN || ['status', 'outcome', 'comment'].every(isSame)) return;
  throw conflict(reasonOfEnd(before));
}

/** A task with outcomes is done with one of them. */
function faultsOfOutcome(values: Values, before: Values | undefined): InvalidField[] {
  const outcomes = (values.outcomes ?? []) as Outcome[];
  const { outcome, status } = values;
  const isDoneNow = status === 'done' && before?.status !== 'done';
  if (!isFilled(outcome))
    return isDoneNow && outcomes.length > 0
      ? [{ name: 'outcome', message: 'outcome is required' }]
      : [];
  if (outcome === before?.outcome && status === before?.status) return [];
  if (status !== 'done') return [{ name: 'outcome', message: 'needs the status done' }];
  const chosen = outcomes.find(({ name }) => name === outcome);
  if (!chosen)
    return [
      {
        name: 'outcome',
        message:
          outcomes.length === 0
            ? 'must be left out: the task has no outcomes'
            : `must be one of: ${outcomes.map(({ name }) => name).join(', ')}`,
      },
    ];
  const isSilent = typeof values.comment !== 'string' || values.comment.trim() === '';
  return chosen.commentRequired && isSilent
    ? [{ name: 'comment', message: 'comment is required' }]
    : [];
}

/**
 * A source cancels its tasks; it deletes none, because people have seen them.
 * @throws ApiError 403
 */
function mayDelete({ administrator }: Caller, { source }: Values): void {
  if (!administrator && source !== null)
    throw forbidden('Only administrators delete tasks of a source');
}

/** Derives the completion date from the status. */
async function setCompletionDate({ transaction }: PendingWrite, id: string): Promise<void> {
  await transaction.rows({
    text: `UPDATE tasks SET completion_date = CASE WHEN status = 'done' THEN coalesce(completion_date, now()) END
      WHERE id = $1 AND (status = 'done') = (completion_date IS NULL)`,
    values: [id],
  });
}
