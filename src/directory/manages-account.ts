import type { Permission } from '../base/rights/permissions.js';
import { forbidden } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { requirePermissionWith } from '../resources/http/require-permission-with.js';
import type { ResourceReader } from '../resources/resource-reader.js';
import { type AccessRule, asking } from '../security/access.guard.js';
import { requireRecentProof } from '../security/recent-proof.js';
import type { Resource } from '../resources/resource.js';
import { accountOf, requireNotMore } from './hand-out.js';
import { users } from './user.resource.js';

type AccountRule = AccessRule<{ reader: ResourceReader }>;

/** What gives no access to an account: it may have more rights than the caller, unless it is the system administrator's. */
const HARMLESS: readonly Permission[] = ['users:unlock', 'users:end-sessions'];

/**
 * What decides who signs in to an account, and who is signed in. A token with a part of its rights, such as one on behalf of
 * its user, needs it for that account too.
 */
const OF_CREDENTIALS: readonly Permission[] = [
  'users:set-credentials',
  'service-accounts:set-credentials',
  'users:end-sessions',
];

/**
 * The access rule of routes about an account: users manage their own, but with a part of their rights not its credentials.
 * @param permission for the accounts of others
 * @param resource whose objects the accounts are; as users, service accounts can be unlocked and signed out alone
 * @throws ApiError 404, 403
 */
export const managesAccount = (permission: Permission, resource: Resource = users): AccountRule =>
  asking(permission, async ({ reader }, caller, { id = '' }) => {
    await reader.get(resource, caller, id);
    if (caller.id === id && (caller.limit === null || !OF_CREDENTIALS.includes(permission))) return;
    await requirePermissionWith(reader, caller, { resource, id, permission });
    const account = await accountOf(reader.database, id);
    if (!account) return;
    const { rights, isService } = account;
    const isHarmless = HARMLESS.includes(permission);
    if (isService && resource === users && !isHarmless) throw forbidden(reason('service-account'));
    if (rights.isSysadmin || !isHarmless) requireNotMore(caller, rights);
  });

/**
 * The access rule of what people do with their own account alone.
 * @throws ApiError 404, 403
 */
export const ownsAccount: AccountRule = async ({ reader }, caller, { id = '' }) => {
  await reader.get(users, caller, id);
  if (caller.id !== id) throw forbidden(reason('own-second-step'));
};

const SET_CREDENTIALS = 'users:set-credentials';
const setsCredentials = managesAccount(SET_CREDENTIALS);

/**
 * The access rule of a new password: the caller's own needs the current password, another user's a recent proof.
 * @throws ApiError 404, 403
 */
export const setsPassword: AccountRule = asking(
  SET_CREDENTIALS,
  async (controller, caller, parameters) => {
    await setsCredentials(controller, caller, parameters);
    if (caller.id !== parameters.id) requireRecentProof(caller);
  },
);
