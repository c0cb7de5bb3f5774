import type { Entry } from 'ldapts';
import { type LdapSettings, type Mapped, mappingOf } from '../directory/ldap-settings.js';
import { localeOf } from '../directory/user.resource.js';
import { USER_STATUS } from '../security/user-status.js';

/** The attributes that name the members of a group, by DN or by login. */
const MEMBERS = ['member', 'uniqueMember', 'memberUid'] as const;

/** The bit of a disabled account in `userAccountControl` (MS-ADTS 2.2.16). */
const DISABLED = 2;

type Values = Record<string, unknown>;

/** A person of the directory. */
export interface DirectoryPerson {
  /** Null where the entry has none, or one that is no text. */
  key: string | null;
  dn: string;
  /** Attributes of a user, the organization as its reference. */
  values: Values;
  manager: string | null;
  /** The picture of the mapping's `photo`. */
  photo: Buffer | null;
  /** Active Directory's number of the group that no `member` lists. */
  primaryGroup: string | null;
}

/** A group of the directory; members are DNs or logins. */
export interface DirectoryGroup {
  key: string | null;
  dn: string;
  label: string | null;
  members: string[];
  logins: string[];
  number: string | null;
  /** The attribute whose further members another search gives, and from which on. */
  next: { attribute: string; from: number } | undefined;
}

export const isActiveDirectory = ({ schema }: LdapSettings): boolean =>
  schema === 'active-directory';

/** What a search for people asks for. */
export function personAttributes(settings: LdapSettings): string[] {
  const { groupLabel: _groupLabel, ...mapping } = mappingOf(settings);
  const more = isActiveDirectory(settings) ? ['userAccountControl', 'primaryGroupID'] : [];
  return [...new Set(Object.values(mapping)), ...more];
}

/** What a search for the places of people asks for. */
export function placeAttributes(settings: LdapSettings): string[] {
  const { key = '' } = mappingOf(settings);
  return isActiveDirectory(settings) ? [key, 'primaryGroupID'] : [key];
}

/** What a search for groups asks for. */
export function groupAttributes(settings: LdapSettings): string[] {
  const { key = '', groupLabel = '' } = mappingOf(settings);
  const more = isActiveDirectory(settings) ? ['primaryGroupToken'] : [];
  return [key, groupLabel, ...MEMBERS, ...more];
}

export function readPerson(entry: Entry, settings: LdapSettings): DirectoryPerson {
  const attributes = byName(entry);
  const mapping = mappingOf(settings);
  const of = (name: Mapped): string | null =>
    mapping[name] === undefined ? null : textOf(attributes, mapping[name]);
  const values: Values = {};
  for (const name of Object.keys(mapping) as Mapped[])
    if (!['key', 'manager', 'groupLabel', 'locale', 'photo'].includes(name))
      values[name] = of(name);
  const locale = localeOf(of('locale') ?? '');
  if (locale !== undefined) values.locale = locale;
  const control = Number(textOf(attributes, 'userAccountControl') ?? 0);
  values.status = (control & DISABLED) === 0 ? USER_STATUS.active : USER_STATUS.inactive;
  return {
    key: keyOf(attributes, mapping.key),
    dn: normalDn(entry.dn),
    values,
    manager: of('manager') && normalDn(of('manager')!),
    photo: pictureOf(attributes, mapping.photo),
    primaryGroup: textOf(attributes, 'primaryGroupID'),
  };
}

export function readGroup(entry: Entry, settings: LdapSettings): DirectoryGroup {
  const attributes = byName(entry);
  const { key, groupLabel = 'cn' } = mappingOf(settings);
  const { values, next } = rangedMembers(entry);
  return {
    key: keyOf(attributes, key),
    dn: normalDn(entry.dn),
    label: textOf(attributes, groupLabel),
    members: [
      ...values,
      ...textsOf(attributes, 'member'),
      ...textsOf(attributes, 'uniqueMember'),
    ].map(normalDn),
    logins: textsOf(attributes, 'memberUid'),
    number: textOf(attributes, 'primaryGroupToken'),
    next,
  };
}

/** The members of an answer in ranges, such as `member;range=0-1499`; the last range ends in `*`. */
export function rangedMembers(entry: Entry): {
  values: string[];
  next: DirectoryGroup['next'];
} {
  for (const [name, given] of Object.entries(entry)) {
    const [, attribute, to] = /^(member);range=\d+-(\d+|\*)$/i.exec(name) ?? [];
    if (attribute === undefined) continue;
    const values = [given].flat().map(String);
    const next = to === '*' ? undefined : { attribute, from: Number(to) + 1 };
    return { values, next };
  }
  return { values: [], next: undefined };
}

/** Attributes by their names in lower case, since a server may answer in another spelling. */
export function byName(entry: Entry): Map<string, Entry[string]> {
  return new Map(Object.entries(entry).map(([name, value]) => [name.toLowerCase(), value]));
}

const valuesOf = (attributes: Map<string, Entry[string]>, name: string): (string | Buffer)[] =>
  [attributes.get(name.toLowerCase()) ?? []].flat();

const textsOf = (attributes: Map<string, Entry[string]>, name: string): string[] =>
  valuesOf(attributes, name)
    .filter((value) => typeof value === 'string')
    .map((value) => value.trim())
    // PostgreSQL stores no NUL.
    .filter((value) => value !== '' && !value.includes('\0'));

export const textOf = (attributes: Map<string, Entry[string]>, name: string): string | null =>
  textsOf(attributes, name)[0] ?? null;

/** The first picture of an entry. */
function pictureOf(attributes: Map<string, Entry[string]>, name = ''): Buffer | null {
  const [value = ''] = valuesOf(attributes, name);
  return value.length === 0 ? null : Buffer.from(value as Buffer);
}

/** The key as text: 16 bytes are a UUID whose first three parts are in the order of Intel (MS-DTYP 2.3.4). */
export function keyOf(attributes: Map<string, Entry[string]>, name = ''): string | null {
  const [value] = valuesOf(attributes, name);
  if (!Buffer.isBuffer(value)) return textOf(attributes, name);
  if (value.length !== 16) return null;
  return withIntelOrder(Buffer.from(value))
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The key as a directory stores it, the reverse of `keyOf`. */
export function storedKey(attribute: string, key: string): string | Buffer {
  return attribute.toLowerCase() === 'objectguid'
    ? withIntelOrder(Buffer.from(key.replaceAll('-', ''), 'hex'))
    : key;
}

function withIntelOrder(bytes: Buffer): Buffer {
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
}

/**
 * A DN in one spelling, to compare those of entries with those that name members: without case, without blanks around
 * its separators, and with special characters alone escaped, in hexadecimal (RFC 4514 section 2.4).
 */
export function normalDn(dn: string): string {
  return dn
    .replace(/\\([^0-9a-fA-F])/g, (_, escaped: string) => hexOf(escaped))
    .replace(/(\\[0-9a-fA-F]{2})+/g, (escaped) =>
      Buffer.from(escaped.replaceAll('\\', ''), 'hex')
        .toString()
        .replace(/[,+"\\<>;=#\0]/g, hexOf),
    )
    .replace(/\s*([,=+])\s*/g, '$1')
    .trim()
    .toLowerCase();
}

const hexOf = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
