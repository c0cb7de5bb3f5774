import { forbidden } from '../errors/api-errors.js';
import type { ResourceReader } from '../resources/resource-reader.js';
import type { AccessRule } from '../security/access.guard.js';
import { requireSysadmin, SYSADMIN } from './user.rules.js';
import { users } from './user.resource.js';

/**
 * The access rule of routes about an account: users manage their own, administrators anyone's.
 * @throws ApiError 404, 403
 */
export const managesAccount: AccessRule<{ reader: ResourceReader }> = async (
  { reader },
  caller,
  { id = '' },
) => {
  const { representation } = await reader.get(users, caller, id);
  if (caller.id !== id && !caller.administrator) throw forbidden();
  if (representation.reference === SYSADMIN) requireSysadmin(caller);
};
