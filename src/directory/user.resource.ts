import {
  boolean,
  enumeration,
  dates,
  label,
  link,
  linkedTimestamp,
  links,
  longText,
  computed,
  name as named,
  text,
  timestamp,
} from '../resources/attributes/attributes.js';
import { lockEnd } from '../auth/credentials/lock-end.js';
import { MAX_PASSWORD } from '../auth/credentials/password-rules.js';
import { USERS_URI } from '../http/route-facts.js';
import { presentPath } from './organization.resource.js';
import { MANAGED, managedBy } from './provider.resource.js';
import { AS_EMAIL, AS_IS, AS_LOGIN } from '../resources/name-rule.js';
import { resource } from '../resources/resource.js';
import type { Reach } from '../resources/reach.js';
import { USER_STATUS } from '../security/user-status.js';
import { validateEmail, validateLogin } from './user-validators.js';
import { User } from './user.entity.js';

/** The names of the statuses. */
export const STATUS_LABELS = {
  [USER_STATUS.inactive]: { en: 'inactive', fr: 'inactif', de: 'inaktiv' },
  [USER_STATUS.active]: { en: 'active', fr: 'actif', de: 'aktiv' },
  [USER_STATUS.invited]: { en: 'invited', fr: 'invité', de: 'eingeladen' },
  [USER_STATUS.archived]: { en: 'archived', fr: 'archivé', de: 'archiviert' },
};

/** The languages of displayed values. */
export const LOCALES = {
  en: { en: 'English', fr: 'anglais', de: 'Englisch' },
  fr: { en: 'French', fr: 'français', de: 'Französisch' },
  de: { en: 'German', fr: 'allemand', de: 'Deutsch' },
};

/** The language of a tag such as `fr-CH` (RFC 5646), which other directories use; undefined for one that is not spoken here. */
export function localeOf(tag: string): string | undefined {
  const language = tag.split(/[-_;,]/, 1)[0]!.toLowerCase();
  return Object.hasOwn(LOCALES, language) ? language : undefined;
}

/** Logins that are words in paths. */
export const RESERVED_LOGINS = ['me', 'invitations'];

/** Longest title, in characters. */
export const MAX_TITLE = 200;

/** Whether a user is a member of one of these groups. */
const isMember = (userId: string, groups: string): string =>
  `EXISTS (SELECT 1 FROM group_members m WHERE m.user_id = ${userId} AND m.group_id = ANY (${groups}))`;

/** The scopes that reach an object through its user. */
export const reachOfUser = (column: string) =>
  ({
    organization: (alias, ids) =>
      `EXISTS (SELECT 1 FROM users h WHERE h.id = ${alias}.${column} AND h.organization_id = ANY (${ids}))`,
    group: (alias, ids) => isMember(`${alias}.${column}`, ids),
  }) satisfies Reach;

/**
 * SQL of the people among the rows of `users`. A comparison with the ids of the few others lets every index of a list serve,
 * also one that has no other column.
 */
export const isPerson = (alias: string): string =>
  `${alias}.id <> ALL (ARRAY(SELECT s.id FROM users s WHERE s.service))`;

const searched = { searched: true };
const identifying = { identifying: true };
const byOwner = { writableBy: 'owner' } as const;
const leaves =
  'and leaves something behind: `/directory/users/3 still has openTasks 12, groups 1`, with the names and numbers of `GET …/responsibilities`';

export const users = resource({
  name: 'users',
  reach: {
    organization: (alias, ids) => `${alias}.organization_id = ANY (${ids})`,
    group: (alias, ids) => isMember(`${alias}.id`, ids),
  },
  uri: USERS_URI,
  entity: User,
  labelColumn: 'title',
  referenceColumn: 'login',
  listed: isPerson,
  managed: MANAGED.users,
  changeWarning: `the user becomes inactive or archived, ${leaves}`,
  deletionWarning: `the user is deleted, ${leaves}`,
  attributes: {
    reference: label('login', { ...searched, ...identifying, identity: AS_LOGIN }),
    label: label('title', searched),
    login: named({
      required: true,
      fault: validateLogin,
      identity: AS_LOGIN,
      reserved: RESERVED_LOGINS,
      ...searched,
    }),
    firstName: text({ max: 100, ...searched }),
    lastName: text({ required: true, max: 100, ...searched }),
    nickName: text({ max: 100, ...searched, ...byOwner }),
    title: text({ max: MAX_TITLE, neverEmpty: true, ...searched }),
    email: text({
      ...{ max: 254, fault: validateEmail, identity: AS_EMAIL },
      ...searched,
      ...identifying,
    }),
    phoneNumber: text({ max: 50, ...searched, ...byOwner }),
    mobilePhoneNumber: text({ max: 50, ...searched, ...byOwner }),
    userFunction: text({ max: 150, ...searched }),
    description: longText({
      max: 2000,
      ngrams: (alias) => `ngrams(fold(coalesce(${alias}.description, '')))`,
      ...byOwner,
    }),
    locale: enumeration(LOCALES, { default: 'en', ...byOwner }),
    organization: link('organizations'),
    manager: link('users'),
    status: enumeration(STATUS_LABELS, { numeric: true, keptWhenBlank: true, neverEmpty: true }),
    administrator: boolean({ default: false, keptWhenBlank: true }),
    processEngine: boolean({ default: false, keptWhenBlank: true }),
    externalId: text({ max: 100, confidential: true, identity: AS_IS, ...identifying }),
    password: text({ max: MAX_PASSWORD, writeOnly: true }),
    photo: computed({
      make: (_, id, basePath) => `${basePath}/navigation/directory/users/${id}/photo`,
      schema: { type: 'string', format: 'uri-reference' },
    }),
    ...dates(),
    lastLoginDate: linkedTimestamp({
      table: 'sign_ins',
      ownerColumn: 'user_id',
      column: 'last_login_date',
      confidential: true,
    }),
    groups: links({
      targets: ['groups'],
      table: 'group_members',
      ownerColumn: 'user_id',
      targetColumns: { groups: 'group_id' },
      idColumn: 'group_id',
      readOnly: true,
      detailedOnly: true,
    }),
    organizationPath: computed({
      sql: (alias) => presentPath.sql(`${alias}.organization_id`),
      make: presentPath.make,
      schema: presentPath.schema,
      detailedOnly: true,
    }),
    managedBy: managedBy(),
    lockedUntil: timestamp({
      readOnly: true,
      detailedOnly: true,
      permission: 'users:unlock',
      sql: (alias) => lockEnd(`${alias}.id`),
    }),
  },
});
