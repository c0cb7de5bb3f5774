import type { Transaction } from '../../database/database.js';
import { Bindings, type Bind } from '../../database/bindings.js';
import type { InvalidField } from '../../errors/api-errors.js';
import { LinkAttribute, LinksAttribute } from '../attributes/link-attributes.js';
import type { Resource } from '../resource.js';
import type { PendingWrite, Values } from './pending-write.js';

/**
 * Looks up every linked object. It has to exist for the caller: one that the caller may not see is a
 * fault like one that does not exist.
 * @returns the URIs of lists of links, in which a body may give plain ids, and what is wrong
 */
export async function resolveLinks(
  write: PendingWrite,
): Promise<{ values: Values; faults: InvalidField[] }> {
  const resolved: Values = {};
  const faults: InvalidField[] = [];
  for (const [name, value] of Object.entries(write.values)) {
    const attribute = write.change.resource.attributes.get(name);
    const isFaulty = write.faults.some((field) => field.name === name);
    if (value === null || isFaulty) continue;
    if (attribute instanceof LinkAttribute) {
      const message = await faultOfLink(attribute, attribute.toStored(value) as string, write);
      if (message !== undefined) faults.push({ name, message });
    }
    if (attribute instanceof LinksAttribute) {
      const { uris, missing } = await resolveList(attribute, value, write);
      resolved[name] = uris;
      for (const id of missing)
        faults.push({ name, message: `there is no object with the id ${id}` });
    }
  }
  return { values: resolved, faults };
}

async function faultOfLink(
  attribute: LinkAttribute,
  id: string,
  { change: { caller }, transaction }: PendingWrite,
): Promise<string | undefined> {
  const seen = (alias: string, bind: Bind) => attribute.seenBy(caller, alias, bind);
  const known = await existing(attribute.target, [id], seen, transaction);
  return known.has(id) ? undefined : `there is no ${attribute.target.ref.uri}/${id}`;
}

/** A plain id among several kinds names the object of the kind that has it. */
async function resolveList(
  attribute: LinksAttribute,
  value: unknown,
  { change: { caller }, transaction }: PendingWrite,
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
      (alias, bind) => target.definition.visible?.(caller, alias, bind),
      transaction,
    );
    for (const link of candidates)
      if (known.has(link.id)) {
        link.target = target.name;
        unresolved.delete(link);
      }
  }
  const uris = links.map(
    ({ id, target }) => `${attribute.targets.find((one) => one.name === target)?.ref.uri}/${id}`,
  );
  return { uris: [...new Set(uris)], missing: [...unresolved].map(({ id }) => id) };
}

async function existing(
  target: Resource,
  ids: string[],
  seen: (alias: string, bind: Bind) => string | undefined,
  transaction: Transaction,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { bind, values } = new Bindings();
  const rows = await transaction.rows({
    text: `SELECT l.id FROM ${target.ref.table} l WHERE l.id = ANY (${bind(ids)}::bigint[]) AND ${seen('l', bind) ?? 'true'}`,
    values,
  });
  return new Set(rows.map(([id]) => String(id)));
}
