import { forbidden } from '../../errors/api-errors.js';
import type { Attempt, Values } from './pending-write.js';
import type { WriteHooks } from './write-hooks.js';

/** Whether the caller writes every row and every attribute. */
export const mayWrite = ({ caller }: Attempt, hooks: WriteHooks): boolean =>
  hooks.mayWrite?.(caller) ?? caller.administrator;

/**
 * Lets through who may write everything, and the owner of the row.
 * @throws ApiError 403
 */
export function requireOwner(attempt: Attempt, hooks: WriteHooks, before: Values): void {
  if (!mayWrite(attempt, hooks) && !hooks.isOwner?.(attempt.caller, before)) throw forbidden();
}

/**
 * An owner writes only the attributes that are writable by the owner.
 * @param names unknown and read-only ones among them are left to validation, write-only ones to the hooks
 * @throws ApiError 403 naming the others
 */
export function requireMayChange(attempt: Attempt, hooks: WriteHooks, names: string[]): void {
  if (mayWrite(attempt, hooks)) return;
  const { attributes } = attempt.resource;
  const others = [...new Set(names)].filter((name) => {
    const { options, writable } = attributes.get(name) ?? {};
    return writable && options?.writableBy !== 'owner';
  });
  if (others.length > 0) throw forbidden(`You may not change: ${others.join(', ')}`);
}
