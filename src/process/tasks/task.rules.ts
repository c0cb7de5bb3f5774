import { conflict, forbidden, type InvalidField } from '../../base/errors/api-errors.js';
import type { Transaction } from '../../database/database.js';
import { isBlank } from '../../base/validation/class-validation.js';
import { linkIdIn } from '../../resources/attributes/link-input.js';
import type { Ref } from '../../resources/ref.js';
import { faultsOfReference } from '../../resources/write/given-reference.js';
import {
  type PendingWrite,
  validValues,
  type Values,
} from '../../resources/write/pending-write.js';
import type { WriteHooks } from '../../resources/write/write-hooks.js';
import type { Caller } from '../../security/caller.js';
import { applications } from '../applications/application.resource.js';
import { faultOfChoice, type Outcome } from './outcomes.js';
import { sources } from './source.resource.js';
import { endOfWrite } from './task-end.js';
import { OPEN } from './task.resource.js';
import { warnOfHiddenApplication } from './warn-of-hidden-application.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/** Most characters of the reason in a message. */
const MAX_REASON = 500;

/** The rules for every write of one task (docs/api-contract.md#tasks-of-sources). */
export const taskHooks = {
  // A role may show tasks of other people.
  isOwner: (_caller: Caller, _before: Values, sees: () => Promise<boolean>) => sees(),
  complete: endOfWrite,
  beforeWrite: checkTask,
  warn: warnOfHiddenApplication,
  checkDelete: mayDelete,
  constraints: {
    tasks_source_external_id_key: () => conflict(reason('taken', { attribute: 'externalId' })),
  },
} satisfies WriteHooks;

async function checkTask(write: PendingWrite): Promise<InvalidField[]> {
  const { before, change } = write;
  const faults = await requireOwnSource(write);
  const isPerson = !change.caller.rights.permits('tasks:change');
  if (before && isPerson) {
    refuseCancelled(write, before);
    refuseDecided(write, before);
    refuseSent(write, before);
  }
  const values = validValues(write);
  if (!change.caller.rights.permits('tasks:set-reference'))
    faults.push(...faultsOfReference('TASK', values, before));
  faults.push(...faultsOfOutcome(values, before, isPerson));
  if (isFilled(values.externalId) && !isFilled(values.source))
    faults.push({ name: 'source', reason: reason('required') });
  return faults;
}

const isFilled = (value: unknown): boolean => value !== null && value !== undefined;

/**
 * Administrators may write a task of a source, and people too, but its source and its externalId. Of the process engines,
 * only the source's service account may, and only in the applications of the source.
 * @throws ApiError 403
 */
async function requireOwnSource({
  change,
  transaction,
  before,
  values,
}: PendingWrite): Promise<InvalidField[]> {
  const { caller } = change;
  if (caller.rights.permits('sources:push')) return [];
  const idIn = (source: unknown) => linkIdIn(source, [sources.ref.uri]);
  if (!caller.rights.permits('tasks:change')) {
    const isMoved = idIn(before?.source) !== idIn(values.source);
    const isRenamed = (before?.externalId ?? null) !== (values.externalId ?? null);
    if (isMoved || (isRenamed && isFilled(values.source)))
      throw forbidden(reason('source-changed'));
    return [];
  }
  const ids = [before?.source, values.source].flatMap((source) => idIn(source) ?? []);
  const [source] = ids;
  if (source === undefined) return [];
  const rows = await transaction.rows({
    text: 'SELECT id FROM sources WHERE id = ANY ($1::bigint[]) AND service_account_id = $2 FOR SHARE',
    values: [ids, caller.id],
  });
  const own = new Set(rows.map(([id]) => String(id)));
  if (!ids.every((id) => own.has(id))) throw forbidden(reason('not-the-service-account'));
  // Otherwise an engine could delete the task afterwards, or take over a task of another engine.
  if (before && idIn(before.source) !== idIn(values.source))
    throw forbidden(reason('source-changed'));
  return faultsOfApplication(transaction, source, before?.application, values.application);
}

/** @throws ApiError 403 when the task belongs to an application that the source may not write */
async function faultsOfApplication(
  transaction: Transaction,
  source: string,
  before: unknown,
  after: unknown,
): Promise<InvalidField[]> {
  const idIn = (application: unknown) => linkIdIn(application, [applications.ref.uri]);
  const rows = await transaction.rows({
    text: 'SELECT application_id FROM source_applications WHERE source_id = $1',
    values: [source],
  });
  const allowed = new Set(rows.map(([id]) => String(id)));
  const isForeign = (id: string | undefined) => id !== undefined && !allowed.has(id);
  if (isForeign(idIn(before))) throw forbidden(reason('application-of-another-source'));
  return isForeign(idIn(after))
    ? [{ name: 'application', reason: reason('foreign-application') }]
    : [];
}

/**
 * Rejects a decision of a task that its source has cancelled.
 * @throws ApiError 409 with the reason that the source gave
 */
function refuseCancelled({ change, values }: PendingWrite, before: Values): void {
  const isBySource =
    before.source !== null && (before.closedBy as Ref | null)?.id !== change.caller.id;
  if (before.status !== 'cancelled' || !isBySource || values.status === before.status) return;
  throw conflict(reasonOfEnd(before));
}

/** Why a closed task cannot be decided: the reason of its source, or the name of the person who closed it. */
export function reasonOfEnd({ status, comment, closedBy }: Values): Reason {
  const closer = closedBy as Ref | null;
  if (status !== 'cancelled')
    return closer ? reason('task-closed-by', { name: closer.label }) : reason('task-closed');
  return typeof comment === 'string'
    ? reason('task-cancelled-because', { why: [...comment].slice(0, MAX_REASON).join('') })
    : reason('task-cancelled');
}

/** The attributes that a person sets when closing a task. */
const DECISION = ['status', 'outcome', 'comment'];

const isSame = (names: string[], values: Values, before: Values): boolean =>
  names.every((name) => (values[name] ?? null) === before[name]);

/**
 * Rejects another decision of a task that another person has decided: the caller has to reopen the task first.
 * @throws ApiError 409 with the name of that person
 */
function refuseDecided({ change, values }: PendingWrite, before: Values): void {
  const closer = before.closedBy as Ref | null;
  if (before.status === OPEN || closer?.id === change.caller.id) return;
  if (values.status === OPEN || isSame(DECISION, values, before)) return;
  throw conflict(reasonOfEnd(before));
}

/**
 * Rejects changes of a decision that the engine has received. A person can only withdraw, as a whole, a decision that
 * the engine has not confirmed yet.
 * @throws ApiError 409
 */
function refuseSent({ values }: PendingWrite, before: Values): void {
  if (before.confirmation === null || before.status === OPEN) return;
  if (isSame(DECISION, values, before)) return;
  if (before.confirmation === 'confirmed') throw conflict(reason('decision-confirmed'));
  if (values.status !== OPEN) throw conflict(reason('decision-waits'));
}

/** A task with outcomes can be done only with one of them. People cannot remove the outcome while it is done. */
function faultsOfOutcome(
  values: Values,
  before: Values | undefined,
  isPerson: boolean,
): InvalidField[] {
  const outcomes = (values.outcomes ?? []) as Outcome[];
  const { outcome, status } = values;
  const isSettled =
    before !== undefined && isSame(isPerson ? DECISION : ['status', 'outcome'], values, before);
  if (isSettled) return [];
  const needsOutcome = status === 'done' && (isPerson || before?.status !== 'done');
  if (!isFilled(outcome))
    return needsOutcome && outcomes.length > 0
      ? [{ name: 'outcome', reason: reason('required') }]
      : [];
  const message = faultOfChoice(outcome, { status, outcomes });
  if (message !== undefined) return [{ name: 'outcome', reason: message }];
  const chosen = outcomes.find(({ name }) => name === outcome)!;
  const isSilent = typeof values.comment !== 'string' || isBlank(values.comment);
  return chosen.commentRequired && isSilent
    ? [{ name: 'comment', reason: reason('required') }]
    : [];
}

/**
 * A source cancels its tasks instead of deleting them, because people have seen them.
 * @throws ApiError 403
 */
function mayDelete({ rights }: Caller, { source }: Values): void {
  if (!rights.permits('sources:push') && source !== null)
    throw forbidden(reason('task-of-source-deleted'));
}
