import {
  dates,
  enumeration,
  label,
  linkedTimestamp,
  longText,
  name as named,
  number,
  text,
} from '../resources/attributes/attributes.js';
import { AS_LOGIN } from '../resources/name-rule.js';
import { resource } from '../resources/resource.js';
import { USER_STATUS } from '../security/user-status.js';
import { MAX_TITLE, RESERVED_LOGINS, STATUS_LABELS } from './user.resource.js';
import { validateLogin } from './user-validators.js';
import { User } from './user.entity.js';

const { active, inactive } = USER_STATUS;

/** Largest limit of calls in a minute. */
const MAX_CALLS = 1_000_000;

/**
 * Accounts of programs (docs/api-contract.md#service-accounts). They are rows of `users`, so that they have roles, keys,
 * tokens and a name in the audit trail as people have.
 */
export const serviceAccounts = resource({
  name: 'service-accounts',
  schemaName: 'ServiceAccount',
  noun: 'service account',
  uri: '/directory/service-accounts',
  entity: User,
  table: 'users',
  labelColumn: 'title',
  referenceColumn: 'login',
  fixed: { service: true, lastName: '' },
  own: (alias) => `${alias}.service`,
  attributes: {
    reference: label('login', { identity: AS_LOGIN }),
    label: label('title'),
    login: named({
      required: true,
      fault: validateLogin,
      identity: AS_LOGIN,
      reserved: RESERVED_LOGINS,
    }),
    title: text({ required: true, max: MAX_TITLE }),
    description: longText({ max: 2000 }),
    status: enumeration(
      { [inactive]: STATUS_LABELS[inactive]!, [active]: STATUS_LABELS[active]! },
      { numeric: true, default: active, neverEmpty: true },
    ),
    callsPerMinute: number({ min: 1, max: MAX_CALLS, detailedOnly: true }),
    ...dates(),
    lastLoginDate: linkedTimestamp({
      table: 'sign_ins',
      ownerColumn: 'user_id',
      column: 'last_login_date',
    }),
  },
  visible: ({ idSql }, alias) => `${alias}.id = ${idSql()}::bigint`,
});
