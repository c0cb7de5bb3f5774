import { links } from '../resources/attributes/attributes.js';

/** The `audience` of everyone, which is the default. */
export const EVERYONE = '{0}';

/**
 * The condition that a row's audience is everyone or names a principal of the user. The statement computes the
 * principals itself, so that a change of membership takes effect with the next call.
 * @param userId SQL of the user's id, e.g. `$2`
 */
export const audienceCondition = (alias: string, userId: string): string =>
  `${alias}.audience && (SELECT principals(${userId}::bigint))`;

/** The attribute that names who may see an object: users, groups, organizations. */
export const audience = (singular: string) =>
  links({
    targets: ['users', 'groups', 'organizations'],
    table: `${singular}_audiences`,
    ownerColumn: `${singular}_id`,
    targetColumns: { users: 'user_id', groups: 'group_id', organizations: 'organization_id' },
    idColumn: 'principal_id',
    requiredInPut: true,
  });
