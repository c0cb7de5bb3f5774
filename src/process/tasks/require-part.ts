import { missingPermission } from '../../base/errors/api-errors.js';
import type { Reader } from '../../database/database.js';
import type { ResourceReader } from '../../resources/resource-reader.js';
import type { Caller } from '../../security/caller.js';
import { tasks } from './task.resource.js';

/**
 * Passes for people whom a task concerns, and for roles that write it: others may only read it.
 * @throws ApiError 403
 */
export async function requirePart(
  reader: ResourceReader,
  caller: Caller,
  id: string,
  transaction: Reader,
): Promise<void> {
  const permission = 'tasks:change';
  const granted = await reader.granted(tasks, caller, { permission, id }, transaction);
  if (granted.size === 0 && !(await reader.isOwn(tasks, caller, id, transaction)))
    throw missingPermission(permission);
}
