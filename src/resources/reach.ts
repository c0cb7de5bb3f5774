import { type Permission, textsFor } from '../base/rights/permissions.js';
import type { Scope } from '../base/rights/rights.js';
import type { SqlViewer } from './visibility.js';

/**
 * Which objects of a resource lie in the scope of a role (docs/decisions/0052): for each kind of scope that reaches the
 * resource, the condition of a row. `ids` is SQL of an array of the ids of organizations, groups or applications.
 */
export type Reach = Partial<Record<Scope, (alias: string, ids: string) => string>>;

/** SQL of the ids of the objects to which the viewer's roles with a permission are confined. */
function grantedIds(scope: Scope, permission: Permission, { idSql }: SqlViewer): string {
  const texts = textsFor(permission)
    .map((text) => `'${text}'`)
    .join(', ');
  const ids = `SELECT s.${scope}_id FROM role_assignments s JOIN roles r ON r.id = s.role_id
    WHERE s.user_id = ${idSql()}::bigint AND s.${scope}_id IS NOT NULL AND r.permissions && ARRAY[${texts}]`;
  return scope === 'organization' ? organizationsBelow(`ARRAY(${ids})`) : `ARRAY(${ids})`;
}

/** SQL of the ids of organizations with all below them. */
const organizationsBelow = (ids: string): string =>
  `ARRAY(SELECT o.id FROM organizations o WHERE o.path && ${ids})`;

/** The conditions of the rows that lie in a scope of the viewer's roles with a permission; one of them suffices. */
export const withinScopes = (
  reach: Reach,
  permission: Permission,
  viewer: SqlViewer,
  alias: string,
): string[] =>
  viewer.rights
    .completeScopesOf(permission)
    .flatMap((scope) => reach[scope]?.(alias, grantedIds(scope, permission, viewer)) ?? []);

/**
 * SQL of the permissions, as the roles have them, that a person's roles give within their scopes for one row.
 * @param id SQL of the row's id
 * @param userId SQL of the person's id
 */
export function permissionsWithin(
  reach: Reach,
  { table, id, userId }: { table: string; id: string; userId: string },
): string {
  const conditions = (Object.keys(reach) as Scope[]).map((scope) => {
    const id = `ARRAY[s.${scope}_id]`;
    const ids = scope === 'organization' ? organizationsBelow(id) : id;
    return `s.${scope}_id IS NOT NULL AND ${reach[scope]!('t', ids)}`;
  });
  return `SELECT DISTINCT permission
    FROM ${table} t, role_assignments s JOIN roles r ON r.id = s.role_id, unnest(r.permissions) AS permission
    WHERE t.id = ${id} AND s.user_id = ${userId}::bigint AND (${conditions.join(' OR ')})`;
}
