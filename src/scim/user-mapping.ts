import { localeOf } from '../directory/user.resource.js';
import { isId } from '../resources/uri.js';
import { type Filter, parsePath } from './filter.js';
import { applyEach, isObject, type PatchOperation } from './patch.js';
import { badPath, badValue, readOnly } from './scim-errors.js';
import { ENTERPRISE, withoutUrn } from './schemas.js';

/** Values of a user by our attributes; the organization is still a text. */
export type UserValues = Record<string, unknown>;

/** Our attributes of the texts of SCIM, in lower case. */
const TEXTS: Record<string, string> = {
  username: 'login',
  externalid: 'externalId',
  'name.givenname': 'firstName',
  'name.familyname': 'lastName',
  displayname: 'title',
  nickname: 'nickName',
  title: 'userFunction',
  department: 'organization',
  organization: 'organization',
};

/** Our attributes of the values of multi-valued attributes, by their types. */
const LISTS: Record<string, Record<string, string>> = {
  emails: { work: 'email' },
  phonenumbers: { work: 'phoneNumber', mobile: 'mobilePhoneNumber' },
};

/** What the server makes, and a body of a resource gives back. */
const DERIVED = new Set(['id', 'meta', 'schemas', 'groups', 'photos', 'name.formatted']);

/** What a PUT clears when it leaves it out. */
const CLEARED = [
  ...['firstName', 'nickName', 'title', 'email', 'phoneNumber', 'mobilePhoneNumber'],
  ...['userFunction', 'organization', 'manager', 'externalId'],
];

const PLAIN_NAME = /^[A-Za-z][\w-]*(\.[A-Za-z]\w*)?$/;

/**
 * The values of a resource in a body of POST or PUT. Attributes that the server does not keep are ignored (RFC 7644
 * section 3.3).
 * @param isPut whether omitted attributes are cleared
 * @throws ApiError 400
 */
export function valuesOfResource(body: unknown, isPut: boolean): UserValues {
  if (!isObject(body)) throw badValue('body', 'must be an object');
  const values: UserValues = isPut ? Object.fromEntries(CLEARED.map((name) => [name, null])) : {};
  for (const [name, value] of Object.entries(body))
    assign(values, name, value, { isLenient: true });
  return values;
}

/**
 * The values that a patch of a user sets. All attributes here have one value, so that no operation depends on the present
 * state.
 * @throws ApiError 400 for an operation that changes nothing that is kept here
 */
export function valuesOfPatch(operations: PatchOperation[]): UserValues {
  const values: UserValues = {};
  applyEach(operations, (op, path, value) => {
    if (op === 'remove' && value !== undefined && Object.hasOwn(LISTS, withoutUrn(path)))
      throw badValue(path, 'is removed as a whole: leave out the value');
    assign(values, path, op === 'remove' ? null : value, { isLenient: false });
  });
  return values;
}

/** Sets what a path names. @param isLenient whether what is not kept here is ignored */
function assign(
  values: UserValues,
  path: string,
  value: unknown,
  { isLenient }: { isLenient: boolean },
): void {
  if (path.toLowerCase() === ENTERPRISE.toLowerCase())
    return assignEach(values, '', value, path, isLenient);
  // In a resource it is the name of an unknown extension.
  if (isLenient && !PLAIN_NAME.test(path)) return;
  const { attribute, part, below } = parsePath(path);
  const name = withoutUrn(attribute);
  if (part) return assignValue(values, { name, part, below, path }, value);
  if (Object.hasOwn(LISTS, name)) return assignList(values, name, value, isLenient);
  if (name === 'name') return assignEach(values, 'name.', value, path, isLenient);
  if (name === 'active') values.status = readBoolean(path, value) ? 1 : 0;
  else if (name === 'manager' || name === 'manager.value') values.manager = managerIn(path, value);
  else if (name === 'locale' || name === 'preferredlanguage')
    values.locale = languageIn(path, value);
  else if (Object.hasOwn(TEXTS, name)) values[TEXTS[name]!] = textIn(path, value);
  else if (!isLenient) throw DERIVED.has(name) ? readOnly(path) : badPath(path);
}

function assignEach(
  values: UserValues,
  prefix: string,
  value: unknown,
  path: string,
  isLenient: boolean,
): void {
  const isName = prefix !== '';
  if (value === null && isName) {
    values.firstName = null;
    values.lastName = null;
    return;
  }
  if (!isObject(value)) throw badValue(path, 'must be an object');
  for (const [name, one] of Object.entries(value))
    assign(values, `${prefix}${name}`, one, { isLenient });
}

/** Sets a whole multi-valued attribute: its value of each type that is kept here. */
function assignList(values: UserValues, name: string, value: unknown, isLenient: boolean): void {
  const types = LISTS[name]!;
  for (const own of Object.values(types)) values[own] = null;
  if (value === null) return;
  const items: unknown[] = Array.isArray(value) ? value : [value];
  for (const item of items) {
    const one = isObject(item) ? item : { value: item };
    const type = typeof one.type === 'string' ? one.type.toLowerCase() : undefined;
    const own =
      type === undefined ? Object.values(types)[0]! : Object.hasOwn(types, type) && types[type];
    if (own) values[own] = textIn(name, one.value ?? null);
    else if (!isLenient) throw badPath(`${name}[type eq "${type}"]`);
  }
}

/** Sets the value that a value path selects: `emails[type eq "work"].value`. */
function assignValue(
  values: UserValues,
  {
    name,
    part,
    below = 'value',
    path,
  }: { name: string; part: Filter; below?: string | undefined; path: string },
  value: unknown,
): void {
  const types = Object.hasOwn(LISTS, name) ? LISTS[name]! : undefined;
  const type = typeIn(part);
  const own = types && (type === true ? Object.keys(types)[0]! : (type ?? ''));
  if (!own || !Object.hasOwn(types, own)) throw badPath(path);
  const kept = below.toLowerCase();
  if (kept === 'type' || kept === 'primary') throw readOnly(path);
  if (kept !== 'value') throw badPath(path);
  values[types[own]!] = textIn(path, isObject(value) ? (value.value ?? null) : value);
}

/** The type that a filter selects; true for the primary one, undefined for any other filter. */
function typeIn(filter: Filter): string | true | undefined {
  if (filter.kind === 'and') {
    const types = filter.parts.map(typeIn);
    return types.every((type) => type !== undefined)
      ? (types.find((type) => type !== true) ?? true)
      : undefined;
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq') return undefined;
  const name = filter.attribute.toLowerCase();
  if (name === 'type' && typeof filter.value === 'string') return filter.value.toLowerCase();
  return name === 'primary' && filter.value === true ? true : undefined;
}

/** A text; an empty one, which Entra ID sends to remove a value, is null. */
function textIn(path: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (Array.isArray(value) && value.length === 1) return textIn(path, value[0]);
  if (isObject(value) && 'value' in value) return textIn(path, value.value);
  if (typeof value !== 'string') throw badValue(path, 'must be a text');
  return value;
}

/** A boolean; Entra ID sends texts. */
function readBoolean(path: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = textIn(path, value)?.toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw badValue(path, 'must be true or false');
}

/** The link to a manager: an id, alone or in an object. */
function managerIn(path: string, value: unknown): { id: string } | null {
  const id = textIn(path, value);
  if (id === null) return null;
  if (!isId(id)) throw badValue(path, 'must be the id of a user');
  return { id };
}

/** The language of a tag; English for one that the server does not speak. */
function languageIn(path: string, value: unknown): string | null {
  const tag = textIn(path, value);
  return tag === null ? null : (localeOf(tag) ?? 'en');
}
