import { forbidden } from '../base/errors/api-errors.js';
import type { ResourceReader } from '../resources/resource-reader.js';
import type { AccessRule } from '../security/access.guard.js';
import { requireRecentProof } from '../security/recent-proof.js';
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

/**
 * The access rule of a new password: the caller's own needs the current password, another user's a recent proof.
 * @throws ApiError 404, 403
 */
export const setsPassword: typeof managesAccount = async (controller, caller, parameters) => {
  await managesAccount(controller, caller, parameters);
  if (caller.id !== parameters.id) requireRecentProof(caller);
};
