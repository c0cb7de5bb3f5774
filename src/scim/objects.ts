import { hash } from 'node:crypto';
import { USER_STATUS } from '../security/user-status.js';
import { GROUP, ENTERPRISE, USER, withoutUrn } from './schemas.js';
import type { Filterable } from './filter-sql.js';

type Json = Record<string, unknown>;

/** What a representation is made of besides its row. */
export interface Shown {
  /** The address of `/scim/v2`. */
  base: string;
  /** The names in `attributes` and `excludedAttributes`, in lower case. */
  attributes: string[];
  excluded: string[];
}

/** How SCIM reads the objects of one kind. The SQL has the alias `t`. */
export interface Kind {
  name: 'Users' | 'Groups';
  table: 'users' | 'groups';
  from: string;
  /** The columns of a row, by name. */
  columns: Record<string, string>;
  /** A column that is expensive, the attribute that shows it, and about how many items it has. */
  list: { attribute: string; sql: (provider: string) => string; size: string };
  filterable: (provider: string) => Filterable;
  /** The rows that a provider sees: its own, and those of nobody, which it can take over. `provider` is a placeholder. */
  visible: (provider: string, alias?: string) => string;
  present: (row: Json, shown: Shown) => Json;
}

const date = (sql: string) => ({ sql, type: 'date' as const });
const text = (sql: string) => ({ sql, type: 'text' as const });
const literal = (value: string) => text(`'${value}'::text`);
const TRUE = { sql: 'true', type: 'boolean' as const };

const META = {
  'meta.created': date('t.creation_date'),
  'meta.lastmodified': date('t.modification_date'),
};
const ID = { id: { sql: 't.id', type: 'id' as const } };
const EXTERNAL_ID = { externalid: { sql: 't.external_id', type: 'exact' as const } };

const visibleUser = (provider: string, alias = 't'): string =>
  `NOT ${alias}.service AND NOT ${alias}.sysadmin AND ${alias}.status <> ${USER_STATUS.archived} AND (${alias}.managed_by_id IS NULL OR ${alias}.managed_by_id = ${provider})`;

export const USERS: Kind = {
  name: 'Users',
  table: 'users',
  from: 'users t LEFT JOIN organizations o ON o.id = t.organization_id LEFT JOIN users m ON m.id = t.manager_id',
  columns: {
    id: 't.id::text',
    login: 't.login',
    firstName: 't.first_name',
    lastName: 't.last_name',
    title: 't.title',
    nickName: 't.nick_name',
    email: 't.email',
    phoneNumber: 't.phone_number',
    mobilePhoneNumber: 't.mobile_phone_number',
    userFunction: 't.user_function',
    locale: 't.locale',
    status: 't.status',
    externalId: 't.external_id',
    revision: 't.revision',
    created: 't.creation_date',
    modified: 't.modification_date',
    organization: 'o.label',
    managerId: 'm.id::text',
    managerTitle: 'm.title',
  },
  list: {
    attribute: 'groups',
    sql: () => `(SELECT json_agg(json_build_array(g.id::text, g.label) ORDER BY g.id)
      FROM group_members x JOIN groups g ON g.id = x.group_id WHERE x.user_id = t.id)`,
    size: '(SELECT count(*) FROM group_members x WHERE x.user_id = t.id)',
  },
  filterable: () => ({
    columns: {
      ...ID,
      ...EXTERNAL_ID,
      ...META,
      username: { sql: 't.login', type: 'login' },
      displayname: text('t.title'),
      nickname: text('t.nick_name'),
      'name.givenname': text('t.first_name'),
      'name.familyname': text('t.last_name'),
      title: text('t.user_function'),
      locale: text('t.locale'),
      preferredlanguage: text('t.locale'),
      active: { sql: 't.status = 1', type: 'boolean' },
      department: text('o.label'),
      organization: text('o.label'),
      manager: { sql: 't.manager_id', type: 'id' },
      'manager.value': { sql: 't.manager_id', type: 'id' },
      'manager.displayname': text('m.title'),
    },
    lists: {
      emails: (fits) =>
        `(t.email IS NOT NULL AND ${fits({ value: { sql: 't.email', type: 'email' }, type: literal('work'), primary: TRUE })})`,
      phonenumbers: (fits) =>
        `(${[
          ['t.phone_number', 'work'],
          ['t.mobile_phone_number', 'mobile'],
        ]
          .map(
            ([sql, type]) =>
              `${sql} IS NOT NULL AND ${fits({ value: text(sql!), type: literal(type!) })}`,
          )
          .join(' OR ')})`,
      groups: (fits) =>
        `EXISTS (SELECT FROM group_members x JOIN groups g ON g.id = x.group_id WHERE x.user_id = t.id AND ${fits({ value: { sql: 'g.id', type: 'id' }, display: text('g.label') })})`,
    },
  }),
  visible: visibleUser,
  present: (row, { base }) => {
    const typed = (value: unknown, type: string, more: Json = {}) =>
      value === null ? [] : [{ value, type, ...more }];
    const names = [row.firstName, row.lastName].filter((name) => name !== null && name !== '');
    return {
      schemas: [USER, ENTERPRISE],
      id: row.id,
      externalId: row.externalId,
      userName: row.login,
      name: { formatted: names.join(' '), familyName: row.lastName, givenName: row.firstName },
      displayName: row.title,
      nickName: row.nickName,
      title: row.userFunction,
      preferredLanguage: row.locale,
      locale: row.locale,
      active: row.status === 1,
      emails: typed(row.email, 'work', { primary: true }),
      phoneNumbers: [...typed(row.phoneNumber, 'work'), ...typed(row.mobilePhoneNumber, 'mobile')],
      photos: typed(
        `${base.slice(0, -'/scim/v2'.length)}/navigation/directory/users/${String(row.id)}/photo`,
        'photo',
      ),
      groups: pairsOf(row.list).map(([value, display]) => ({
        value,
        $ref: `${base}/Groups/${value}`,
        display,
      })),
      [ENTERPRISE]: {
        department: row.organization,
        manager:
          typeof row.managerId !== 'string'
            ? null
            : {
                value: row.managerId,
                $ref: `${base}/Users/${row.managerId}`,
                displayName: row.managerTitle,
              },
      },
    };
  },
};

export const GROUPS: Kind = {
  name: 'Groups',
  table: 'groups',
  from: 'groups t',
  columns: {
    id: 't.id::text',
    label: 't.label',
    externalId: 't.external_id',
    revision: 't.revision',
    created: 't.creation_date',
    modified: 't.modification_date',
  },
  list: {
    attribute: 'members',
    sql: (provider) => `(SELECT json_agg(json_build_array(u.id::text, u.title) ORDER BY u.id)
      FROM group_members x JOIN users u ON u.id = x.user_id
      WHERE x.group_id = t.id AND ${visibleUser(provider, 'u')})`,
    size: '(SELECT count(*) FROM group_members x WHERE x.group_id = t.id)',
  },
  filterable: (provider) => ({
    columns: { ...ID, ...EXTERNAL_ID, ...META, displayname: { sql: 't.label', type: 'label' } },
    lists: {
      members: (fits) =>
        `EXISTS (SELECT FROM group_members x JOIN users u ON u.id = x.user_id WHERE x.group_id = t.id AND ${visibleUser(provider, 'u')} AND ${fits({ value: { sql: 'u.id', type: 'id' }, display: text('u.title') })})`,
    },
  }),
  visible: (provider, alias = 't') =>
    `(${alias}.managed_by_id IS NULL OR ${alias}.managed_by_id = ${provider})`,
  present: (row, { base }) => ({
    schemas: [GROUP],
    id: row.id,
    externalId: row.externalId,
    displayName: row.label,
    members: pairsOf(row.list).map(([value, display]) => ({
      value,
      $ref: `${base}/Users/${value}`,
      display,
      type: 'User',
    })),
  }),
};

const pairsOf = (list: unknown): [string, string][] => (list ?? []) as [string, string][];

/** Whether a caller wants an attribute at the top of a representation. */
export function wants({ attributes, excluded }: Shown, name: string): boolean {
  if (attributes.length > 0) return attributes.some((one) => one.split('.', 1)[0] === name);
  return !excluded.includes(name);
}

/** An object as the caller asks for it, with what headers say of it. */
export interface Represented {
  body: Json;
  location: string;
  version: string;
}

/** The representation of a row with its meta, limited to what the caller asks for; nulls are left out. */
export function represent(kind: Kind, row: Json, shown: Shown): Represented {
  const whole = kind.present(row, shown);
  const content = withoutBlanks(whole) as Json;
  const digest = hash('sha256', JSON.stringify(content), 'base64url').slice(0, 10);
  const meta = {
    resourceType: kind.name.slice(0, -1),
    created: row.created,
    lastModified: row.modified,
    location: `${shown.base}/${kind.name}/${String(row.id)}`,
    version: `W/"${String(row.revision)}-${digest}"`,
  };
  const { location, version } = meta;
  return { body: limited({ ...content, meta }, shown), location, version };
}

/** Without nulls and what is empty: SCIM has no attribute without a value (RFC 7643 section 2.5). */
function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value)
    .map(([name, one]) => [name, withoutBlanks(one)] as const)
    .filter(([, one]) => {
      if (one === null || one === undefined || one === '') return false;
      return typeof one !== 'object' || Object.keys(one).length > 0;
    });
  return Object.fromEntries(entries);
}

const ALWAYS = ['id', 'schemas'];

/** The attributes that a caller asks for (RFC 7644 section 3.9). */
function limited(whole: Json, { attributes, excluded }: Shown): Json {
  if (attributes.length === 0 && excluded.length === 0) return whole;
  const named = (path: string): boolean =>
    (attributes.length > 0 ? attributes : excluded).includes(path);
  const keeps = (path: string): boolean => (attributes.length > 0 ? named(path) : !named(path));
  const isExtension = (name: string): boolean => name === ENTERPRISE;
  const entries = Object.entries(whole).flatMap(([name, value]): [string, unknown][] => {
    const path = isExtension(name) ? name.toLowerCase() : withoutUrn(name);
    if (ALWAYS.includes(path)) return [[name, value]];
    if (named(path)) return attributes.length > 0 ? [[name, value]] : [];
    if (typeof value !== 'object' || value === null) return keeps(path) ? [[name, value]] : [];
    const prefix = isExtension(name) ? '' : `${path}.`;
    const part = (object: Json): Json =>
      Object.fromEntries(
        Object.entries(object).filter(([below]) => keeps(`${prefix}${below.toLowerCase()}`)),
      );
    const kept = Array.isArray(value) ? value.map((one) => part(one as Json)) : part(value as Json);
    const isEmpty = Array.isArray(kept)
      ? kept.every((one) => Object.keys(one).length === 0)
      : Object.keys(kept).length === 0;
    return isEmpty ? [] : [[name, kept]];
  });
  return Object.fromEntries(entries);
}
