import {
  boolean,
  computed,
  dates,
  label,
  link,
  longText,
  reference,
  text,
} from '../resources/attributes/attributes.js';
import { textList } from '../resources/attributes/text-list-attribute.js';
import { resource } from '../resources/resource.js';
import { Role, RoleAssignment } from './role.entity.js';

/** Most permissions of a role. */
const MAX_PERMISSIONS = 200;

/** Roles (docs/api-contract.md#roles). People read those that they have. */
export const roles = resource({
  name: 'roles',
  uri: '/directory/roles',
  entity: Role,
  labelColumn: 'label',
  attributes: {
    reference: reference(),
    label: text({ required: true, max: 200 }),
    description: longText({ max: 2000 }),
    permissions: textList({ max: MAX_PERMISSIONS, noun: 'permissions' }),
    shipped: boolean({ readOnly: true, neverEmpty: true }),
    ...dates(),
  },
  visible: ({ idSql }, alias) =>
    `${alias}.id IN (SELECT a.role_id FROM role_assignments a WHERE a.user_id = ${idSql()}::bigint)`,
});

/** Who has which role, and where (docs/api-contract.md#roles). People read their own. */
export const roleAssignments = resource({
  name: 'role-assignments',
  uri: '/directory/role-assignments',
  entity: RoleAssignment,
  table: 'role_assignments',
  labelColumn: 'reference',
  warning: 'the person has API keys: `/directory/users/3 has 2 API keys, with these rights too`',
  attributes: {
    reference: reference(),
    label: label('reference'),
    user: link('users', { required: true }),
    role: link('roles', { required: true }),
    organization: link('organizations'),
    group: link('groups'),
    application: link('applications'),
    permissions: computed({
      sql: (alias) => `(SELECT r.permissions FROM roles r WHERE r.id = ${alias}.role_id)`,
      make: (permissions) => permissions,
      schema: { type: 'array', items: { type: 'string' } },
      detailedOnly: true,
    }),
    ...dates(),
  },
  visible: ({ idSql }, alias) => `${alias}.user_id = ${idSql()}::bigint`,
});
