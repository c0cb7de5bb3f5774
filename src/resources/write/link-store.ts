import type { Transaction } from '../../database/database.js';
import { Bindings, type Bind } from '../../database/bindings.js';
import type { PendingWrite } from './pending-write.js';
import { LinkAttribute, LinksAttribute } from '../attributes/link-attributes.js';
import type { Resource } from '../resource.js';

type Values = Record<string, unknown>;

/** The entity's properties for checked values; several links live in tables of their own. */
export function storedColumns(resource: Resource, values: Values): Values {
  const columns: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const attribute = resource.attributes.get(name);
    if (!attribute || attribute instanceof LinksAttribute) continue;
    columns[attribute.property] = value === null ? null : attribute.toStored(value);
  }
  return columns;
}

/** Makes the tables of several links say what the values say. */
export async function storeLinks(
  resource: Resource,
  id: string,
  values: Values,
  transaction: Transaction,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const attribute = resource.attributes.get(name);
    if (!(attribute instanceof LinksAttribute)) continue;
    const { table, ownerColumn, targetColumns, idColumn } = attribute.options;
    const wanted = value === null ? [] : attribute.idsIn(value);
    await transaction.rows({
      text: `DELETE FROM ${table} WHERE ${ownerColumn} = $1 AND NOT (${idColumn} = ANY ($2::bigint[]))`,
      values: [id, wanted.map((link) => link.id)],
    });
    for (const target of attribute.targets) {
      const ids = wanted.filter((link) => link.target === target.name).map((link) => link.id);
      if (ids.length === 0) continue;
      await transaction.rows({
        text: `INSERT INTO ${table} (${ownerColumn}, ${targetColumns[target.name]})
          SELECT $1, wanted FROM unnest($2::bigint[]) wanted
          WHERE NOT EXISTS (SELECT 1 FROM ${table} j WHERE j.${ownerColumn} = $1 AND j.${idColumn} = wanted)`,
        values: [id, ids],
      });
    }
  }
}

/**
 * Every linked object has to exist for the caller: one that the caller may not see is refused like one
 * that there is not.
 */
export async function checkReferences(resource: Resource, draft: PendingWrite): Promise<void> {
  for (const [name, value] of Object.entries(draft.values)) {
    const attribute = resource.attributes.get(name);
    const isFaulty = draft.bad.some((field) => field.name === name);
    if (value === null || isFaulty) continue;
    if (attribute instanceof LinkAttribute) {
      const id = attribute.toStored(value) as string;
      const seen = (alias: string, bind: Bind) => attribute.seenBy(draft.caller, alias, bind);
      const known = await existing(attribute.target, [id], seen, draft.transaction);
      if (!known.has(id))
        draft.bad.push({ name, message: `there is no ${attribute.target.ref.uri}/${id}` });
    }
    if (attribute instanceof LinksAttribute) await checkLinks(name, attribute, value, draft);
  }
}

/** A plain id among several kinds is the kind that has it; the draft is told the kind. */
async function checkLinks(
  name: string,
  attribute: LinksAttribute,
  value: unknown,
  draft: PendingWrite,
): Promise<void> {
  const links = attribute.idsIn(value);
  const unresolved = new Set(links);
  for (const target of attribute.targets) {
    const candidates = links.filter(
      (link) => link.target === undefined || link.target === target.name,
    );
    const known = await existing(
      target,
      candidates.map(({ id }) => id),
      (alias, bind) => target.definition.visible?.(draft.caller, alias, bind),
      draft.transaction,
    );
    for (const link of candidates)
      if (known.has(link.id)) {
        link.target = target.name;
        unresolved.delete(link);
      }
  }
  for (const { id } of unresolved)
    draft.bad.push({ name, message: `there is no object with the id ${id}` });
  const uris = links.map(
    ({ id, target }) => `${attribute.targets.find((one) => one.name === target)?.ref.uri}/${id}`,
  );
  draft.values[name] = [...new Set(uris)];
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
