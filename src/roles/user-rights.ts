import { ANY, attributesIn, type Permission, PERMISSIONS } from '../base/rights/permissions.js';
import type { Ref } from '../resources/ref.js';
import type { ResourceReader } from '../resources/resource-reader.js';
import { uriOf } from '../resources/uri.js';
import type { Caller } from '../security/caller.js';
import { roleAssignments } from './role.resource.js';

/** A permission of a user, and what gives it. */
export interface UserRight {
  permission: Permission;
  /** The attributes that it lets write; null for all. */
  attributes: string[] | null;
  role: Ref;
  /** The object to which the role is confined; null for the other kinds, and for all three where it holds everywhere. */
  organization: Ref | null;
  group: Ref | null;
  application: Ref | null;
  /** The URI of the assignment. */
  assignment: string;
}

type Assignment = Pick<UserRight, 'role' | 'organization' | 'group' | 'application'> & {
  permissions: string[];
};

/**
 * What a user may do by roles, each permission once for every assignment that gives it (docs/api-contract.md#roles).
 * @param caller who asks: objects that are hidden from the caller are null
 */
export async function rightsOf(
  reader: ResourceReader,
  caller: Caller,
  userId: string,
): Promise<UserRight[]> {
  const rows = await reader.database.query<{ id: string }>({
    text: 'SELECT id::text FROM role_assignments WHERE user_id = $1 ORDER BY id',
    values: [userId],
  });
  const given: UserRight[] = [];
  for (const { id } of rows) {
    const { representation } = await reader.get(roleAssignments, caller, id);
    const { permissions, role, organization, group, application } =
      representation as unknown as Assignment;
    const assignment = uriOf(roleAssignments.ref.uri, id);
    for (const permission of PERMISSIONS) {
      const found = attributesIn(permissions, permission);
      if (found.size === 0) continue;
      const attributes = found.has(ANY) ? null : [...found];
      given.push({ permission, attributes, role, organization, group, application, assignment });
    }
  }
  const place = ({ permission }: UserRight): number => PERMISSIONS.indexOf(permission);
  return given.sort((a, b) => place(a) - place(b));
}
