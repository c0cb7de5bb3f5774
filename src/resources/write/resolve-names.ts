import { Bindings } from '../../database/bindings.js';
import type { Transaction } from '../../database/database.js';
import type { Caller } from '../../security/caller.js';
import { folded, foldedValue } from '../attributes/folded-text.js';
import { UnknownName } from '../attributes/link-input.js';
import { LinkAttribute } from '../attributes/link-attribute.js';
import { LinksAttribute } from '../attributes/links-attribute.js';
import type { Resource } from '../resource.js';
import { isId, uriOf } from '../uri.js';
import { sqlViewer, type Visibility } from '../visibility.js';
import type { Values } from './pending-write.js';

/**
 * Replaces the names in the links of a body by URIs, for resources whose bodies programs write: ids differ from one
 * installation to the next (docs/api-contract.md#request-bodies). A name is a login or a reference. A name that fits
 * nothing which the caller sees becomes an UnknownName, and `resolveLinks` refuses it.
 */
export async function resolveNames(
  resource: Resource,
  body: unknown,
  caller: Caller,
  transaction: Transaction,
): Promise<unknown> {
  if (!resource.definition.takesNames) return body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const given = { ...(body as Values) };
  for (const [name, attribute] of resource.attributes) {
    if (!attribute.writable || !Object.hasOwn(given, name)) continue;
    const value = given[name];
    if (attribute instanceof LinkAttribute) {
      const seen: Visibility = (viewer, alias) => attribute.seenBy(viewer, alias);
      const { target } = attribute;
      const found = await urisOf(target, [value], { caller, transaction, seen });
      given[name] = resolved(value, [{ target, found }]);
    } else if (attribute instanceof LinksAttribute && Array.isArray(value)) {
      const among: Found[] = [];
      for (const target of attribute.targets) {
        const seen = target.definition.visible;
        among.push({ target, found: await urisOf(target, value, { caller, transaction, seen }) });
      }
      given[name] = value.map((one: unknown) => resolved(one, among));
    }
  }
  return given;
}

/** The name in a link that is neither an id nor a URI. */
function nameIn(value: unknown): string | undefined {
  if (typeof value === 'string')
    return value === '' || isId(value) || value.startsWith('/') ? undefined : value;
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, uri, reference } = value as Values;
  const isNamed = (id ?? uri ?? null) === null && typeof reference === 'string';
  return isNamed && reference !== '' ? reference : undefined;
}

/** The URIs of the objects of one resource, by the names that stand for them. */
interface Found {
  target: Resource;
  found: Map<string, string>;
}

/** The URI for a link that is a name; any other value stays. A name that fits objects of two kinds stands for neither. */
function resolved(value: unknown, among: Found[]): unknown {
  const name = nameIn(value);
  if (name === undefined) return value;
  const fitting = among.filter(({ found }) => found.has(name));
  if (fitting.length === 1) return fitting[0]!.found.get(name);
  const nouns = (of: Found[]) => of.map(({ target }) => target.noun);
  return new UnknownName(
    fitting.length === 0
      ? `there is no ${nouns(among).join(' or ')} '${name}'`
      : `'${name}' is a ${nouns(fitting).join(' and a ')}: give the URI`,
  );
}

async function urisOf(
  { ref }: Resource,
  values: unknown[],
  {
    caller,
    transaction,
    seen,
  }: { caller: Caller; transaction: Transaction; seen: Visibility | undefined },
): Promise<Map<string, string>> {
  const names = values.flatMap((value) => nameIn(value) ?? []);
  if (names.length === 0) return new Map();
  const { bind, values: bound } = new Bindings();
  const rows = await transaction.rows({
    text: `SELECT n.name, l.id FROM unnest(${bind(names)}::text[]) AS n (name)
      JOIN ${ref.table} l ON ${folded(`l.${ref.referenceColumn}`)} = ${foldedValue('n.name')}
      WHERE ${seen?.(sqlViewer(caller, bind), 'l') ?? 'true'}`,
    values: bound,
  });
  return new Map(rows.map(([name, id]) => [String(name), uriOf(ref.uri, id)]));
}
