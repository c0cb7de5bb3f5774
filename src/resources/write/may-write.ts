import { forbidden } from '../../base/errors/api-errors.js';
import type { Attempt, Values } from './pending-write.js';
import type { WriteHooks } from './write-hooks.js';
import { reason } from '../../base/errors/reason.js';

/** What a write does with a row. */
export type WriteAction = 'create' | 'change' | 'delete';

/** Whether the caller may do this with every row and every attribute. */
export const mayWrite = ({ caller, resource }: Attempt, action: WriteAction): boolean =>
  caller.rights.permits(resource.permission(action));

/**
 * Passes for callers who may write everything, and for the owner of the row.
 * @throws ApiError 403
 */
export function requireOwner(
  attempt: Attempt,
  action: WriteAction,
  hooks: WriteHooks,
  before: Values,
): void {
  if (!mayWrite(attempt, action) && !hooks.isOwner?.(attempt.caller, before)) throw forbidden();
}

/**
 * Passes for callers who may delete every row, or rows that they own.
 * @throws ApiError 403
 */
export function requireMayDelete(attempt: Attempt, hooks: WriteHooks): void {
  if (!mayWrite(attempt, 'delete') && !hooks.ownerMayDelete) throw forbidden();
}

/**
 * Restricts an owner to the attributes that are writable by the owner.
 * @param names validation handles unknown and read-only ones among them, the hooks the write-only ones
 * @throws ApiError 403 naming the others
 */
export function requireMayChange(attempt: Attempt, names: string[]): void {
  if (mayWrite(attempt, 'change')) return;
  const { attributes } = attempt.resource;
  const others = [...new Set(names)].filter((name) => {
    const { options, writable } = attributes.get(name) ?? {};
    return writable && options?.writableBy !== 'owner';
  });
  if (others.length > 0) throw forbidden(reason('attributes-forbidden', { attributes: others }));
}
