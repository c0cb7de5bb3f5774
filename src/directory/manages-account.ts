import type { Permission } from '../base/rights/permissions.js';
import { forbidden } from '../base/errors/api-errors.js';
import type { ResourceReader } from '../resources/resource-reader.js';
import type { AccessRule } from '../security/access.guard.js';
import { requireRecentProof } from '../security/recent-proof.js';
import { requireSysadmin, SYSADMIN } from './user.rules.js';
import { users } from './user.resource.js';

type AccountRule = AccessRule<{ reader: ResourceReader }>;

/**
 * The access rule of routes about an account: users manage their own.
 * @param permission for the accounts of others
 * @throws ApiError 404, 403
 */
export const managesAccount =
  (permission: Permission): AccountRule =>
  async ({ reader }, caller, { id = '' }) => {
    const { representation } = await reader.get(users, caller, id);
    if (caller.id !== id && !caller.rights.permits(permission)) throw forbidden();
    if (representation.reference === SYSADMIN) requireSysadmin(caller);
  };

const setsCredentials = managesAccount('users:set-credentials');

/**
 * The access rule of a new password: the caller's own needs the current password, another user's a recent proof.
 * @throws ApiError 404, 403
 */
export const setsPassword: AccountRule = async (controller, caller, parameters) => {
  await setsCredentials(controller, caller, parameters);
  if (caller.id !== parameters.id) requireRecentProof(caller);
};
