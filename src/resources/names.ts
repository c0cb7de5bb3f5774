import { Bindings } from '../database/bindings.js';
import type { Reader } from '../database/database.js';
import type { Caller } from '../security/caller.js';
import type { Resource } from './resource.js';
import { sqlViewer, type Visibility } from './visibility.js';

/** SQL of the condition that a row of a resource has a name, or one of an array. */
export const isNamed = (
  { ref }: Resource,
  alias: string,
  name: string,
  operator: 'eq' | 'in' = 'eq',
): string => ref.nameRule.compare(`${alias}.${ref.referenceColumn}`, operator, name);

/** A text of digits is an id wherever it could be an id or a name. */
const DIGITS = /^\d+$/;
export const isNumber = (text: string): boolean => DIGITS.test(text);

/** The attributes of an object that name what a link points to. */
const NAMING = ['login', 'reference'] as const;

/** A name in a link, and the attribute that gives it where the link is an object. */
export interface GivenName {
  name: string;
  by?: (typeof NAMING)[number];
}

/**
 * The name in a link of a body: a text that is neither a URI nor digits, or an object with `login` or `reference` and
 * without `id` and `uri`.
 * @returns undefined where the link is an id, a URI or no link at all
 */
export function nameIn(value: unknown): GivenName | undefined {
  if (typeof value === 'string')
    return value === '' || isNumber(value) || value.startsWith('/') ? undefined : { name: value };
  if (typeof value !== 'object' || value === null) return undefined;
  const link = value as Record<string, unknown>;
  if ((link.id ?? link.uri ?? null) !== null) return undefined;
  const [by, ...others] = NAMING.filter((attribute) => (link[attribute] ?? null) !== null);
  const name = by && link[by];
  // A login and a reference that differ name two objects.
  const isOne = by !== undefined && others.every((other) => link[other] === name);
  return isOne && typeof name === 'string' && name !== '' ? { name, by } : undefined;
}

/** Whether an attribute of a link can name objects of a resource: only users have a login. */
export const takesName = ({ attributes }: Resource, { by = 'reference' }: GivenName): boolean =>
  attributes.has(by);

/** The attributes that name objects of these resources. */
export const namesOf = (targets: Resource[]): string[] =>
  NAMING.filter((by) => targets.some((target) => takesName(target, { name: '', by })));

/** The caller of a lookup of names, and the condition of the objects that the caller sees. */
export interface NameSearch {
  caller: Caller;
  reader: Reader;
  /** Without it, the objects that the caller sees in lists. */
  seen?: Visibility;
}

/** Finds the ids of the objects of one resource that have these names and that the caller sees, in one statement. */
export async function idsByName(
  target: Resource,
  names: string[],
  { caller, reader, seen = target.visible }: NameSearch,
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const { bind, values } = new Bindings();
  const rows = await reader.rows({
    text: `SELECT n.name, l.id FROM unnest(${bind([...new Set(names)])}::text[]) AS n (name)
      JOIN ${target.ref.table} l ON ${isNamed(target, 'l', 'n.name')}
      WHERE ${seen(sqlViewer(caller, bind), 'l') ?? 'true'}`,
    values,
  });
  return new Map(rows.map(([name, id]) => [String(name), String(id)]));
}
