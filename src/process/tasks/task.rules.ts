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

/** What holds for every write of one task (docs/api-contract.md#tasks-of-sources). */
export const taskHooks = {
  mayWrite: mayWriteTasks,
  // Other callers see a task only if it is assigned to them or to their group.
  isOwner: () => true,
  complete: endOfWrite,
  beforeWrite: checkTask,
  warn: warnOfHiddenApplication,
  checkDelete: mayDelete,
  constraints: {
    tasks_source_external_id_key: () => conflict(reason('taken', { attribute: 'externalId' })),
  },
} satisfies WriteHooks;

function mayWriteTasks({ administrator, processEngine }: Caller): boolean {
  return administrator || processEngine;
}

async function checkTask(write: PendingWrite): Promise<InvalidField[]> {
  const { before, change } = write;
  const faults = await requireOwnSource(write);
  const isPerson = !mayWriteTasks(change.caller);
  if (before && isPerson) {
    refuseCancelled(write, before);
    refuseDecided(write, before);
    refuseSent(write, before);
  }
  const values = validValues(write);
  if (!change.caller.administrator) faults.push(...faultsOfReference('TASK', values, before));
  faults.push(...faultsOfOutcome(values, before, isPerson));
  if (isFilled(values.externalId) && !isFilled(values.source))
    faults.push({ name: 'source', reason: reason('required') });
  return faults;
}

const isFilled = (value: unknown): boolean => value !== null && value !== undefined;

/**
 * A task of a source is written by administrators, by the people for whom it waits, and among process engines by the
 * service account of the source alone, in the applications of the source.
 * @throws ApiError 403
 */
async function requireOwnSource({
  change,
  transaction,
  before,
  values,
}: PendingWrite): Promise<InvalidField[]> {
  const { caller } = change;
  if (caller.administrator || !caller.processEngine) return [];
  const idIn = (source: unknown) => linkIdIn(source, [sources.ref.uri]);
  const ids = [before?.source, values.source].flatMap((source) => idIn(source) ?? []);
  const [source] = ids;
  if (source === undefined) return [];
  const rows = await transaction.rows({
    text: 'SELECT id FROM sources WHERE id = ANY ($1::bigint[]) AND service_account_id = $2 FOR SHARE',
    values: [ids, caller.id],
  });
  const own = new Set(rows.map(([id]) => String(id)));
  if (!ids.every((id) => own.has(id))) throw forbidden(reason('not-the-service-account'));
  // An engine would delete the task afterwards, or take one of another engine.
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
export function reasonOfEnd({ status, comment, closedBy }: Values): Reason {
  const closer = closedBy as Ref | null;
  if (status !== 'cancelled')
    return closer ? reason('task-closed-by', { name: closer.label }) : reason('task-closed');
  return typeof comment === 'string'
    ? reason('task-cancelled-because', { why: [...comment].slice(0, MAX_REASON).join('') })
    : reason('task-cancelled');
}

/** What a person says when closing a task. */
const DECISION = ['status', 'outcome', 'comment'];

const isSame = (names: string[], values: Values, before: Values): boolean =>
  names.every((name) => (values[name] ?? null) === before[name]);

/**
 * Nobody decides what somebody else has decided; opening it again comes first.
 * @throws ApiError 409 with the name of that person
 */
function refuseDecided({ change, values }: PendingWrite, before: Values): void {
  const closer = before.closedBy as Ref | null;
  if (before.status === OPEN || closer?.id === change.caller.id) return;
  if (values.status === OPEN || isSame(DECISION, values, before)) return;
  throw conflict(reasonOfEnd(before));
}

/**
 * What the engine was told stays as it is. A decision that still waits for the engine can be taken back as a whole.
 * @throws ApiError 409
 */
function refuseSent({ values }: PendingWrite, before: Values): void {
  if (before.confirmation === null || before.status === OPEN) return;
  if (isSame(DECISION, values, before)) return;
  if (before.confirmation === 'confirmed') throw conflict(reason('decision-confirmed'));
  if (values.status !== OPEN) throw conflict(reason('decision-waits'));
}

/** A task with outcomes is done with one of them. People keep to that as long as it is done. */
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
 * A source cancels its tasks; it deletes none, because people have seen them.
 * @throws ApiError 403
 */
function mayDelete({ administrator }: Caller, { source }: Values): void {
  if (!administrator && source !== null) throw forbidden(reason('task-of-source-deleted'));
}
