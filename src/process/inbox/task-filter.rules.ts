import { Any } from 'typeorm';
import type { Transaction } from '../../database/database.js';
import { users } from '../../directory/user.resource.js';
import { GroupMember } from '../../directory/group.entity.js';
import { groups } from '../../directory/group.resource.js';
import { conflict, type InvalidField } from '../../base/errors/api-errors.js';
import type { Ref } from '../../resources/ref.js';
import { linkIdsIn } from '../../resources/attributes/link-input.js';
import { uriOf } from '../../resources/uri.js';
import { faultsOfReference } from '../../resources/write/given-reference.js';
import {
  type PendingWrite,
  validValues,
  type Values,
} from '../../resources/write/pending-write.js';
import type { WriteHooks } from '../../resources/write/write-hooks.js';
import type { Caller } from '../../security/caller.js';
import { lockUser } from '../../security/lock-user.js';
import { MAX_POSITION, MAX_SHARED_DEMAND } from './task-filter.resource.js';
import { demandOf, validateFilters } from '../tiles/parse-view.js';
import { reason } from '../../base/errors/reason.js';

/** Most filters that a person saves. */
export const MAX_FILTERS_OF_ONE = 50;

/** Most filters that a person shares, because every member of the group counts them. Administrators may share more. */
const MAX_SHARED_OF_ONE = 20;

/** Every user saves filters. The owner changes them; administrators also change shared ones. */
export const taskFilterHooks = {
  mayCreate: () => true,
  isOwner: ({ id }, { owner }) => (owner as Ref).id === id,
  ownerMayDelete: true,
  isPrivate: (filter) => !isShared(filter),
  complete: setOwner,
  beforeWrite: checkFilter,
} satisfies WriteHooks;

const isShared = ({ sharedWith, sharedWithEveryone }: Values): boolean =>
  sharedWithEveryone === true || ((sharedWith ?? []) as unknown[]).length > 0;

function setOwner({
  change: { caller },
  values,
  before,
}: Pick<PendingWrite, 'change' | 'values' | 'before'>): Values {
  return before ? values : { ...values, owner: uriOf(users.ref.uri, caller.id) };
}

async function checkFilter(write: PendingWrite): Promise<InvalidField[]> {
  const {
    change: { caller },
    before,
    values,
    copiedId,
  } = write;
  if (!before) await place(write);
  // A copy is the copier's own.
  if (copiedId !== undefined) Object.assign(values, { sharedWith: [], sharedWithEveryone: false });
  const { filters = [], sorter = null } = validValues(write);
  const stored = { filters: filters as string[], sorter: sorter as string | null };
  return [
    ...validateFilters(stored, caller),
    ...faultsOfDemand(write),
    ...(await faultsOfSharing(write)),
    ...(caller.rights.permits('task-filters:change')
      ? []
      : faultsOfReference('FILTER', values, before)),
  ];
}

/**
 * Gives a new filter the last place.
 * @throws ApiError 409 when the person has too many
 */
async function place(write: PendingWrite): Promise<void> {
  const {
    change: { caller },
    values,
    copiedId,
    transaction,
  } = write;
  await lockUser(transaction, caller.id);
  const [row] = await transaction.rows({
    text: `SELECT count(*), least(coalesce(max(position) + 1, 0), ${MAX_POSITION}) FROM task_filters WHERE owner_id = $1`,
    values: [caller.id],
  });
  if (Number(row![0]) >= MAX_FILTERS_OF_ONE)
    throw conflict(reason('too-many-saved-filters', { max: MAX_FILTERS_OF_ONE }));
  if (copiedId !== undefined || values.position === null) values.position = Number(row![1]);
}

/** Other people count a shared filter, so it may not be too demanding. One that is shared already may stay as it is. */
function faultsOfDemand(write: PendingWrite): InvalidField[] {
  const { before } = write;
  const values = validValues(write);
  if (!isShared(values)) return [];
  const former = before && isShared(before) ? demandOf({ filters: before.filters as string[] }) : 0;
  const demand = demandOf({ filters: (values.filters ?? []) as string[] });
  return demand <= Math.max(MAX_SHARED_DEMAND, former)
    ? []
    : [
        {
          name: 'filters',
          reason: reason('shared-filter-too-demanding', { max: MAX_SHARED_DEMAND }),
        },
      ];
}

/** @throws ApiError 409 when the person shares too many */
async function requireFewShared(write: PendingWrite): Promise<void> {
  const {
    change: { caller },
    before,
    transaction,
  } = write;
  if (!isShared(validValues(write)) || (before && isShared(before))) return;
  await lockUser(transaction, caller.id);
  const [row] = await transaction.rows({
    text: `SELECT count(*) FROM task_filters f WHERE f.owner_id = $1
      AND (f.shared_with_everyone OR EXISTS (SELECT 1 FROM task_filter_groups s WHERE s.filter_id = f.id))`,
    values: [caller.id],
  });
  if (Number(row![0]) >= MAX_SHARED_OF_ONE)
    throw conflict(reason('too-many-shared-filters', { max: MAX_SHARED_OF_ONE }));
}

/** People share with their own groups; existing shares may stay. */
async function faultsOfSharing(write: PendingWrite): Promise<InvalidField[]> {
  const {
    change: { caller },
    before,
    transaction,
  } = write;
  if (caller.rights.permits('task-filters:change')) return [];
  await requireFewShared(write);
  const values = validValues(write);
  const faults: InvalidField[] = [];
  if (values.sharedWithEveryone === true && before?.sharedWithEveryone !== true)
    faults.push({
      name: 'sharedWithEveryone',
      reason: reason('shared-with-everyone'),
    });
  const former = ((before?.sharedWith ?? []) as Ref[]).map(({ id }) => id);
  const wanted = linkIdsIn((values.sharedWith ?? []) as unknown[], groups.ref.uri);
  const foreign = await notOwn(
    transaction,
    caller,
    wanted.filter((id) => !former.includes(id)),
  );
  if (foreign.length > 0)
    faults.push({
      name: 'sharedWith',
      reason: reason('foreign-groups', { uris: foreign.map((id) => uriOf(groups.ref.uri, id)) }),
    });
  return faults;
}

/** The groups among these of which the caller is not a member. */
async function notOwn(transaction: Transaction, caller: Caller, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const memberships = { userId: caller.id, groupId: Any(ids) };
  const members = await transaction.of(GroupMember).findBy(memberships);
  const own = new Set(members.map(({ groupId }) => groupId));
  return ids.filter((id) => !own.has(id));
}
