import type { Bind } from '../database/bindings.js';
import { links } from '../resources/attributes/attributes.js';

/** `audience` of everyone: what has no audience of its own. */
export const EVERYONE = '{0}';

/**
 * Holds where a row's audience is everyone or names a principal of the user. The principals are
 * computed in the same statement, so that a change of membership shows in the next call.
 */
export const audienceCondition = (alias: string, userId: string, bind: Bind): string =>
  `${alias}.audience && (SELECT principals(${bind(userId)}::bigint))`;

/** The attribute that names who may see a thing: users, groups, organizations. */
export const audience = (singular: string) =>
  links({
    targets: ['users', 'groups', 'organizations'],
    table: `${singular}_audiences`,
    ownerColumn: `${singular}_id`,
    targetColumns: { users: 'user_id', groups: 'group_id', organizations: 'organization_id' },
    idColumn: 'principal_id',
  });
