import { conflict, type InvalidField } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { isPermission } from '../base/rights/permissions.js';
import { type Grant, SCOPES } from '../base/rights/rights.js';
import { groups } from '../directory/group.resource.js';
import { organizations } from '../directory/organization.resource.js';
import { applications } from '../process/applications/application.resource.js';
import { linkIdIn } from '../resources/attributes/link-input.js';
import { type PendingWrite, validValues, type Values } from '../resources/write/pending-write.js';
import type { WriteHooks } from '../resources/write/write-hooks.js';
import type { Caller } from '../security/caller.js';
import { requireGrantable } from '../directory/hand-out.js';
import { users } from '../directory/user.resource.js';
import { userUri } from '../security/user-uri.js';
import { roles } from './role.resource.js';

/** The rules of roles: known permissions, no more than the caller's own, and nothing for those of the server. */
export const roleHooks = {
  beforeWrite({ values, before, change: { caller } }: PendingWrite): InvalidField[] {
    if (before) requireOwnRole(caller, before);
    const texts = textsIn(values.permissions);
    requireGrantable(caller, { permissions: texts });
    return texts
      .filter((text) => !isPermission(text))
      .map((permission) => ({
        name: 'permissions',
        reason: reason('unknown-permission', { permission }),
      }));
  },
  asksForProof: (_: PendingWrite, changed: string[]) => changed.includes('permissions'),
  checkDelete: requireOwnRole,
} satisfies WriteHooks;

const textsIn = (permissions: unknown): string[] =>
  Array.isArray(permissions) ? permissions.filter((text) => typeof text === 'string') : [];

/** @throws ApiError 409 for a role of the server, 403 for one that permits more than the caller may */
function requireOwnRole(caller: Caller, { shipped, permissions }: Values): void {
  if (shipped === true) throw conflict(reason('shipped-role'));
  requireGrantable(caller, { permissions: textsIn(permissions) });
}

/** The rules of assignments: at most one scope, and no more than the caller's own rights. */
export const assignmentHooks = {
  async beforeWrite(write: PendingWrite): Promise<InvalidField[]> {
    const { before, change, transaction } = write;
    if (before) requireOwnAssignment(change.caller, before);
    const values = validValues(write);
    const scopes = SCOPES.filter((scope) => (values[scope] ?? null) !== null);
    const role = linkIdIn(values.role, [roles.ref.uri]);
    if (role !== undefined && scopes.length <= 1) {
      // A concurrent change of the role waits, so that it cannot add what the caller lacks.
      const [row] = await transaction.query<{ permissions: string[] }>({
        text: 'SELECT permissions FROM roles WHERE id = $1 FOR SHARE',
        values: [role],
      });
      if (row) requireGrantable(change.caller, grantOf(values, row.permissions));
    }
    return scopes
      .slice(1)
      .map((name) => ({ name, reason: reason('second-scope', { other: scopes[0]! }) }));
  },
  asksForProof: () => true,
  warn: warnOfKeys,
  checkDelete: requireOwnAssignment,
  constraints: {
    role_assignments_key: () => conflict(reason('role-assigned')),
    users_sysadmin_check: () => conflict(reason('sysadmin-protected')),
  },
} satisfies WriteHooks;

/** Says which API keys a person has, because others may have made them, and they have the rights of the role too. */
async function warnOfKeys({ values, transaction }: PendingWrite): Promise<string[]> {
  const user = linkIdIn(values.user, [users.ref.uri]);
  const [row] = await transaction.query<{ count: number }>({
    text: `SELECT count(*)::int AS count FROM api_keys k JOIN users u ON u.id = k.user_id
      WHERE u.id = $1 AND NOT u.service AND k.permissions IS NULL AND (k.expiration IS NULL OR k.expiration > now())`,
    values: [user],
  });
  const count = row?.count ?? 0;
  return count === 0
    ? []
    : [`${userUri(user!)} has ${count} API ${count === 1 ? 'key' : 'keys'}, with these rights too`];
}

/** @throws ApiError 403 for an assignment that permits more than the caller may */
function requireOwnAssignment(caller: Caller, before: Values): void {
  requireGrantable(caller, grantOf(before, textsIn(before.permissions)));
}

const grantOf = (values: Values, permissions: string[]): Grant => ({
  permissions,
  ...Object.fromEntries(
    SCOPES.flatMap((scope) => {
      const id = linkIdIn(values[scope], [URIS[scope]]);
      return id === undefined ? [] : [[scope, id]];
    }),
  ),
});

const URIS = {
  organization: organizations.ref.uri,
  group: groups.ref.uri,
  application: applications.ref.uri,
};
