import { Bindings } from '../../database/bindings.js';
import type { InvalidField } from '../../errors/api-errors.js';
import { UnknownName } from '../attributes/link-input.js';
import { LinkAttribute } from '../attributes/link-attribute.js';
import { LinksAttribute } from '../attributes/links-attribute.js';
import type { Resource } from '../resource.js';
import { sqlViewer, type Visibility } from '../visibility.js';
import type { PendingWrite, Values } from './pending-write.js';

/**
 * Looks up every linked object. An object that the caller may not see is the same fault as one that does
 * not exist, whether the body gives its name or its id.
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
    const isFaulty = write.faults.some((field) => field.name === name);
    if (value instanceof UnknownName) faults.push({ name, message: value.fault });
    else if (attribute instanceof LinkAttribute && !isFaulty) {
      const message = await faultOfLink(attribute, attribute.toStored(value) as string, write);
      if (message !== undefined) faults.push({ name, message });
    }
    if (attribute instanceof LinksAttribute && Array.isArray(value)) {
      const { uris, missing } = await resolveList(attribute, value, write);
      resolved[name] = uris;
      for (const message of missing) faults.push({ name, message });
    }
  }
  return { values: resolved, faults };
}

async function faultOfLink(
  attribute: LinkAttribute,
  id: string,
  write: PendingWrite,
): Promise<string | undefined> {
  const seen: Visibility = (viewer, alias) => attribute.seenBy(viewer, alias);
  const known = await existing(attribute.target, [id], seen, write);
  return known.has(id) ? undefined : `there is no ${attribute.target.ref.uri}/${id}`;
}

/** A plain id in a list with several target resources names the object of the resource that has this id. */
async function resolveList(
  attribute: LinksAttribute,
  value: unknown,
  write: PendingWrite,
): Promise<{ uris: string[]; missing: string[] }> {
  const links = attribute.idsIn(value);
  const unresolved = new Set(links);
  for (const target of attribute.targets) {
    const candidates = links.filter(
      (link) => link.target === undefined || link.target === target.name,
    );
    const known = await existing(
      target,
      candidates.map(({ id }) => id),
      target.definition.visible,
      write,
    );
    for (const link of candidates)
      if (known.has(link.id)) {
        link.target = target.name;
        unresolved.delete(link);
      }
  }
  const uriOfLink = ({ id, target }: (typeof links)[number]): string =>
    `${attribute.targets.find(({ name }) => name === target)?.ref.uri}/${id}`;
  const missing = [...unresolved].map((link) =>
    link.target === undefined
      ? `there is no object with the id ${link.id}`
      : `there is no ${uriOfLink(link)}`,
  );
  const unknown = (value as unknown[]).flatMap((item) =>
    item instanceof UnknownName ? [item.fault] : [],
  );
  return { uris: [...new Set(links.map(uriOfLink))], missing: [...new Set(unknown), ...missing] };
}

async function existing(
  target: Resource,
  ids: string[],
  seen: Visibility | undefined,
  { change: { caller }, transaction }: PendingWrite,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { bind, values } = new Bindings();
  const rows = await transaction.rows({
    text: `SELECT l.id FROM ${target.ref.table} l WHERE l.id = ANY (${bind(ids)}::bigint[]) AND ${seen?.(sqlViewer(caller, bind), 'l') ?? 'true'}`,
    values,
  });
  return new Set(rows.map(([id]) => String(id)));
}
