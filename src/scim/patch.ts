import { isId } from '../resources/uri.js';
import { type Filter, parsePath } from './filter.js';
import { badPath, badSyntax, badValue, noTarget, readOnly } from './scim-errors.js';
import { withoutUrn } from './schemas.js';

type Json = Record<string, unknown>;

const OPERATIONS = ['add', 'replace', 'remove'] as const;

/** An operation of a patch (RFC 7644 section 3.5.2). */
export interface PatchOperation {
  op: (typeof OPERATIONS)[number];
  path: string | undefined;
  value: unknown;
}

/**
 * Reads the operations of a patch; their names are in any case, as Entra ID sends them.
 * @throws ApiError 400
 */
export function operationsOf(body: unknown): PatchOperation[] {
  const given = memberOf(body, 'operations');
  if (!Array.isArray(given) || given.length === 0) throw badSyntax('Operations must be a list');
  return given.map((one: unknown) => {
    const name = memberOf(one, 'op');
    const op = OPERATIONS.find((known) => typeof name === 'string' && known === name.toLowerCase());
    if (!op) throw badSyntax(`op must be one of ${OPERATIONS.join(', ')}`);
    const path = memberOf(one, 'path');
    const value = memberOf(one, 'value');
    if (path !== undefined && typeof path !== 'string') throw badSyntax('path must be a text');
    if (op === 'remove' && (path === undefined || path === '')) throw noTarget();
    if (op !== 'remove' && value === undefined) throw badSyntax(`${op} needs a value`);
    return { op, path: path === '' ? undefined : path, value };
  });
}

/** A member of an object, by its name in any case. */
export function memberOf(object: unknown, name: string): unknown {
  if (!isObject(object)) return undefined;
  const key = Object.keys(object).find((one) => one.toLowerCase() === name);
  return key === undefined ? undefined : object[key];
}

/** Applies operations in their order; one without a path has an object with a value for each. @throws ApiError 400 */
export function applyEach(
  operations: PatchOperation[],
  apply: (op: PatchOperation['op'], path: string, value: unknown) => void,
): void {
  for (const { op, path, value } of operations)
    if (path !== undefined) apply(op, path, value);
    else if (!isObject(value)) throw badValue('value', 'must be an object where there is no path');
    else
      for (const [name, one] of Object.entries(value))
        if (!['schemas', 'meta'].includes(name)) apply(op, name, one);
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A change of the members of a group: those to add or remove, or all of them. */
export interface MemberChange {
  op: 'add' | 'remove' | 'set';
  ids: string[];
}

/** What a body changes in a group. */
export interface GroupChange {
  values: { label?: string | null; externalId?: string | null };
  members: MemberChange[];
}

/**
 * What a patch changes in a group.
 * @throws ApiError 400 for a form that is not known
 */
export function changeOfPatch(operations: PatchOperation[]): GroupChange {
  const change: GroupChange = { values: {}, members: [] };
  applyEach(operations, (op, path, value) => applyTo(change, op, path, value));
  return change;
}

/** What a body of POST or PUT gives a group; without members they stay. */
export function changeOfResource(body: unknown): GroupChange {
  const change: GroupChange = { values: {}, members: [] };
  const members = memberOf(body, 'members');
  setText(change, 'label', 'displayName', memberOf(body, 'displayname'));
  setText(change, 'externalId', 'externalId', memberOf(body, 'externalid'));
  if (members !== undefined && members !== null)
    change.members.push({ op: 'set', ids: idsIn(members) });
  return change;
}

function applyTo(
  change: GroupChange,
  op: PatchOperation['op'],
  path: string,
  value: unknown,
): void {
  const { attribute, part, below } = parsePath(path);
  const name = withoutUrn(attribute);
  if (name === 'members' && below === undefined) {
    if (part) {
      if (op !== 'remove') throw badPath(path);
      change.members.push({ op: 'remove', ids: idsOfFilter(part, path) });
    } else if (op === 'remove' && value === undefined) change.members.push({ op: 'set', ids: [] });
    else {
      const ids = idsIn(value);
      // An empty list would read like the removal of all.
      if (op === 'remove' && ids.length === 0) throw badValue('members', 'must name members');
      change.members.push({ op: op === 'replace' ? 'set' : op, ids });
    }
    return;
  }
  if (part || below !== undefined) throw badPath(path);
  const given = op === 'remove' ? null : value;
  if (name === 'displayname') setText(change, 'label', path, given);
  else if (name === 'externalid') setText(change, 'externalId', path, given);
  else throw ['id', 'meta', 'schemas'].includes(name) ? readOnly(path) : badPath(path);
}

function setText(
  { values }: GroupChange,
  name: 'label' | 'externalId',
  path: string,
  value: unknown,
): void {
  const given = value === undefined || value === '' ? null : value;
  if (given !== null && typeof given !== 'string') throw badValue(path, 'must be a text');
  values[name] = given;
}

/** The ids in a list of members, `[{ "value": "42" }]`; a single one may stand alone. */
function idsIn(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    const id = typeof item === 'string' ? item : memberOf(item, 'value');
    if (memberOf(item, 'type') === 'Group') throw badValue('members', 'must be users');
    return requireId(id);
  });
}

/** The ids that a filter compares: `members[value eq "42"]`. */
function idsOfFilter(filter: Filter, path: string): string[] {
  if (filter.kind === 'or') return filter.parts.flatMap((part) => idsOfFilter(part, path));
  const isId =
    filter.kind === 'compare' &&
    filter.operator === 'eq' &&
    filter.attribute.toLowerCase() === 'value';
  if (!isId) throw badPath(path);
  return [requireId(filter.value)];
}

function requireId(id: unknown): string {
  if (typeof id === 'string' && isId(id)) return id;
  throw badValue('members', 'must be ids of users');
}
