import { forbidden } from '../../base/errors/api-errors.js';
import type { Attempt, Values } from './pending-write.js';
import type { WriteHooks } from './write-hooks.js';
import { reason } from '../../base/errors/reason.js';

/** Whether the caller may write every row and every attribute. */
export const mayWrite = ({ caller }: Attempt, hooks: WriteHooks): boolean =>
  hooks.mayWrite?.(caller) ?? caller.administrator;

/**
 * Passes for callers who may write everything, and for the owner of the row.
 * @throws ApiError 403
 */
export function requireOwner(attempt: Attempt, hooks: WriteHooks, before: Values): void {
  if (!mayWrite(attempt, hooks) && !hooks.isOwner?.(attempt.caller, before)) throw forbidden();
}

/**
 * Passes for callers who may delete every row, or rows that they own.
 * @throws ApiError 403
 */
export function requireMayDelete(attempt: Attempt, hooks: WriteHooks): void {
  if (!mayWrite(attempt, hooks) && !hooks.ownerMayDelete) throw forbidden();
}

/**
 * Restricts an owner to the attributes that are writable by the owner.
 * @param names validation handles unknown and read-only ones among them, the hooks the write-only ones
 * @throws ApiError 403 naming the others
 */
export function requireMayChange(attempt: Attempt, hooks: WriteHooks, names: string[]): void {
  if (mayWrite(attempt, hooks)) return;
  const { attributes } = attempt.resource;
  const others = [...new Set(names)].filter((name) => {
    const { options, writable } = attributes.get(name) ?? {};
    return writable && options?.writableBy !== 'owner';
  });
  if (others.length > 0) throw forbidden(reason('attributes-forbidden', { attributes: others }));
}
