import pg from 'pg';
import { rulesFor } from '../process/access/substitution.js';
import { tasks } from '../process/tasks/task.resource.js';
import type { Resource } from '../resources/resource.js';
import type { SqlViewer } from '../resources/visibility.js';
import type { Viewer } from '../security/caller.js';

/** Only the rights decide which conditions a resource has. */
const asSql = ({ rights }: Viewer, idSql = ':viewer'): SqlViewer => ({
  rights,
  idSql: () => idSql,
});

/** Whether a caller sees every object of a resource. */
export const seesAll = (resource: Resource, caller: Viewer): boolean =>
  resource.conditionsFor(asSql(caller)).length === 0;

/**
 * SQL of a digest of the rights that decide which objects of these kinds a caller sees: those of the roles, the limit of the key, and the memberships
 * and substitutions where they matter. It changes with the rights even when no object of these kinds changes. Null for
 * a deleted user.
 * @param id SQL of the id of the caller
 */
export function rightsSql(kinds: Resource[], caller: Viewer, id: string): string {
  const principals = kinds.every((resource) => seesAll(resource, caller))
    ? ''
    : `, ARRAY(SELECT unnest(principals(u.id)) ORDER BY 1)`;
  const rules = kinds.includes(tasks) && !seesAll(tasks, caller) ? `, ${rulesFor('u.id')}` : '';
  const { limit } = caller.rights;
  const limited = limit === null ? '' : `, ${pg.escapeLiteral(JSON.stringify(limit))}::text`;
  const facts = `json_build_array(u.rights${principals}${rules}${limited})::text`;
  return `(SELECT left(encode(sha256(convert_to(${facts}, 'UTF8')), 'hex'), 24) FROM users u WHERE u.id = ${id}::bigint)`;
}
