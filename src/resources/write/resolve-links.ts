import { isDeepStrictEqual } from 'node:util';
import { Bindings } from '../../database/bindings.js';
import type { Reader } from '../../database/database.js';
import { invalid, type InvalidField, invalidField } from '../../base/errors/api-errors.js';
import type { Caller } from '../../security/caller.js';
import { linkIdsIn, UnknownName } from '../attributes/link-input.js';
import { LinkAttribute } from '../attributes/link-attribute.js';
import { LinksAttribute } from '../attributes/links-attribute.js';
import { isNamed, namesOf } from '../names.js';
import type { Resource } from '../resource.js';
import { isId, uriOf } from '../uri.js';
import { sqlViewer, type Visibility } from '../visibility.js';
import type { PendingWrite, Values } from './pending-write.js';
import type { Ref } from '../ref.js';
import { urisOf } from './resolve-names.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/**
 * Looks up every linked object, except those that the caller was shown and sends back unchanged. An object that the
 * caller may not see is the same fault as one that does not exist, whether the body gives its name or its id.
 * @returns lists of links as URIs, because a body may also give plain ids, and the faults. A list with
 * invalid items is looked up without them, so that one answer names every bad item.
 */
export async function resolveLinks(
  write: PendingWrite,
): Promise<{ values: Values; faults: InvalidField[] }> {
  const resolved: Values = {};
  const faults: InvalidField[] = [];
  for (const [name, value] of Object.entries(write.values)) {
    const attribute = write.change.resource.attributes.get(name);
    if (value === null) continue;
    if (isDeepStrictEqual(value, write.before?.[name])) {
      if (attribute instanceof LinksAttribute)
        resolved[name] = (value as Ref[]).map(({ uri }) => uri);
      continue;
    }
    const isFaulty = write.faults.some((field) => field.name === name);
    if (value instanceof UnknownName) faults.push({ name, reason: value.fault });
    else if (attribute instanceof LinkAttribute && !isFaulty) {
      const why = await faultOfLink(attribute, value, write);
      if (why !== undefined) faults.push({ name, reason: why });
    }
    if (attribute instanceof LinksAttribute && Array.isArray(value)) {
      const { uris, missing } = await resolveList(attribute, value, write);
      resolved[name] = uris;
      for (const why of missing) faults.push({ name, reason: why });
    }
  }
  return { values: resolved, faults };
}

async function faultOfLink(
  attribute: LinkAttribute,
  value: unknown,
  write: PendingWrite,
): Promise<Reason | undefined> {
  const { target } = attribute;
  const seen: Visibility = (viewer, alias) => attribute.seenBy(viewer, alias);
  const id = attribute.toStored(value) as string;
  const { known, named } = await existing(
    target,
    { ids: [id], plain: plainIds([value]) },
    seen,
    within(write),
  );
  if (named.has(id)) return alsoNamed(id, [target]);
  return known.has(id) ? undefined : reason('unknown-object', { uri: `${target.ref.uri}/${id}` });
}

/** Who looks links up. */
interface Looking {
  caller: Caller;
  reader: Reader;
}

const within = ({ change: { caller }, transaction }: PendingWrite): Looking => ({
  caller,
  reader: transaction,
});

/**
 * The ids in an array of links outside a resource's attributes.
 * @param field the name of the array
 * @throws ApiError 400 for a name of no object that the caller sees, for a plain id that is also the name of another
 * object, and for a repeated object
 */
export async function idsOfLinks(
  target: Resource,
  field: string,
  links: unknown[],
  { caller, reader }: Looking,
): Promise<string[]> {
  const seen = target.visible;
  const plain = plainIds(links);
  const { named } = await existing(target, { ids: [], plain }, seen, { caller, reader });
  const uris = await urisOf(links, [{ target, seen }], caller, reader);
  const unknown = uris.flatMap((uri) => (uri instanceof UnknownName ? [uri.fault] : []));
  const faults = [...unknown, ...[...named].map((id) => alsoNamed(id, [target]))];
  if (faults.length > 0) throw invalid(faults.map((why) => ({ name: field, reason: why })));
  const ids = linkIdsIn(uris, target.ref.uri);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined)
    throw invalidField(field, reason('repeated-link', { uri: uriOf(target.ref.uri, twice) }));
  return ids;
}

/** The texts of digits in links, which could also be names. */
const plainIds = (links: unknown[]): string[] =>
  links.filter((link) => typeof link === 'string' && isId(link)) as string[];

/** The fault of a plain id that is also the name of another object: it must not mean one or the other. */
function alsoNamed(id: string, targets: Resource[]): Reason {
  const ways = ['id', ...namesOf(targets)].map((name) => JSON.stringify({ [name]: id }));
  return reason('id-and-name', { id, ways: ways.join(' or ') });
}

/** A plain id in a list with several target resources names the object of the resource that has this id. */
async function resolveList(
  attribute: LinksAttribute,
  value: unknown,
  write: PendingWrite,
): Promise<{ uris: string[]; missing: Reason[] }> {
  const links = attribute.idsIn(value);
  const plain = plainIds(value as unknown[]);
  const unresolved = new Set(links);
  const namedBy = new Map<string, Resource[]>();
  for (const target of attribute.targets) {
    const candidates = links.filter(
      (link) => link.target === undefined || link.target === target.name,
    );
    const ids = candidates.map(({ id }) => id);
    const { known, named } = await existing(target, { ids, plain }, target.visible, within(write));
    for (const id of named) namedBy.set(id, [...(namedBy.get(id) ?? []), target]);
    for (const link of candidates)
      if (known.has(link.id)) {
        link.target = target.name;
        unresolved.delete(link);
      }
  }
  const uriOfLink = ({ id, target }: (typeof links)[number]): string =>
    `${attribute.targets.find(({ name }) => name === target)?.ref.uri}/${id}`;
  const ambiguous = [...namedBy].map(([id, targets]) => alsoNamed(id, targets));
  const missing = [...unresolved]
    .filter(({ id }) => !namedBy.has(id))
    .map((link) =>
      link.target === undefined
        ? reason('unknown-id', { id: link.id })
        : reason('unknown-object', { uri: uriOfLink(link) }),
    );
  const unknown = new Map(
    (value as unknown[]).flatMap((item) =>
      item instanceof UnknownName ? [[item.fault.message, item.fault]] : [],
    ),
  );
  return {
    uris: [...new Set(links.map(uriOfLink))],
    missing: [...unknown.values(), ...ambiguous, ...missing],
  };
}

/**
 * Looks links up in one statement.
 * @param plain the texts of digits, which may be the names of other objects
 */
async function existing(
  target: Resource,
  { ids, plain }: { ids: string[]; plain: string[] },
  seen: Visibility | undefined,
  { caller, reader }: Looking,
): Promise<{ known: Set<string>; named: Set<string> }> {
  const found = { known: new Set<string>(), named: new Set<string>() };
  if (ids.length + plain.length === 0) return found;
  const { bind, values } = new Bindings();
  const { table } = target.ref;
  const isSeen = seen?.(sqlViewer(caller, bind), 'l') ?? 'true';
  const byName = () =>
    ` UNION ALL SELECT n.name, true FROM unnest(${bind(plain)}::text[]) AS n (name)
      JOIN ${table} l ON ${isNamed(target, 'l', 'n.name')} WHERE l.id <> n.name::bigint AND ${isSeen}`;
  const rows = await reader.rows({
    text: `SELECT l.id::text, false FROM ${table} l WHERE l.id = ANY (${bind(ids)}::bigint[]) AND ${isSeen}${plain.length > 0 ? byName() : ''}`,
    values,
  });
  for (const [id, isName] of rows) found[isName ? 'named' : 'known'].add(String(id));
  return found;
}
