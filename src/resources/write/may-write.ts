import { forbidden, missingPermission } from '../../base/errors/api-errors.js';
import { ANY } from '../../base/rights/permissions.js';
import { reason } from '../../base/errors/reason.js';
import type { Resource } from '../resource.js';
import type { Attempt } from './pending-write.js';
import type { WriteHooks } from './write-hooks.js';

/** What a write does with a row. */
export type WriteAction = 'create' | 'change' | 'delete';

/** What lets a caller write a row. */
export interface Authority {
  /** Whether the row is the caller's own. */
  isOwner: boolean;
  /** The attributes that the caller's roles let write in it; `*` for all. */
  granted: ReadonlySet<string>;
}

export const COMPLETE: Authority = { isOwner: false, granted: new Set([ANY]) };

/** Whether the caller may do this with every row and every attribute. */
export const mayWrite = ({ caller, resource }: Attempt, action: WriteAction): boolean =>
  caller.rights.permits(resource.permission(action));

/** Whether the caller's roles permit this with some rows or some attributes: under the lock of the row the writer decides. */
export const mayWriteSome = ({ caller, resource }: Attempt, action: WriteAction): boolean =>
  caller.rights.permitsSomewhere(resource.permission(action));

/**
 * Passes for callers who may delete rows by a role, or rows that they own.
 * @throws ApiError 403
 */
export function requireMayDelete(attempt: Attempt, hooks: WriteHooks): void {
  if (!mayWriteSome(attempt, 'delete') && !hooks.ownerMayDelete)
    throw missingPermission(attempt.resource.permission('delete'));
}

/**
 * Passes for attributes that a role lets write, and for those of the owner.
 * @param names validation handles unknown and read-only ones among them
 * @throws ApiError 403 naming the others
 */
export function requireMayChange(
  { attributes, writeOnly }: Resource,
  { isOwner, granted }: Authority,
  names: string[],
): void {
  if (granted.has(ANY)) return;
  const others = [...new Set(names)].filter((name) => {
    const { options, writable } = attributes.get(name) ?? writeOnly.get(name) ?? {};
    const isOwners = isOwner && options?.writableBy === 'owner';
    return writable && !isOwners && !granted.has(name);
  });
  if (others.length > 0) throw forbidden(reason('attributes-forbidden', { attributes: others }));
}
