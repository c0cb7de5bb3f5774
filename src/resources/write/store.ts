import type { InsertQueryBuilder, ObjectLiteral, UpdateQueryBuilder } from 'typeorm';
import type { Transaction } from '../../database/database.js';
import { findReferrers } from '../../database/referrers.js';
import { referenced } from '../../base/errors/api-errors.js';
import { NEXT_REVISION } from '../base.entity.js';
import { LinksAttribute } from '../attributes/links-attribute.js';
import type { Resource } from '../resource.js';
import { describeReferrers, referenceOf } from './describe-referrers.js';
import type { Values } from './pending-write.js';

/**
 * Inserts a row and its links.
 * @param values checked values
 * @param more values of other columns, by property
 * @returns the id of the row
 */
export async function insertRow(
  resource: Resource,
  values: Values,
  transaction: Transaction,
  more: Values = {},
): Promise<string> {
  const insert = transaction.manager
    .createQueryBuilder()
    .insert()
    .into(resource.definition.entity!)
    .values({ ...columnsOf(resource, values), ...resource.definition.fixed, ...more })
    .returning('id');
  const [row] = await transaction.rows(prepared(insert));
  const id = row![0] as string;
  await storeLinks(resource, id, values, transaction);
  return id;
}

/**
 * Updates a row and its links, and increments its revision.
 * @param changed checked values of the attributes that change
 * @param more values of other columns, by property
 */
export async function updateRow(
  resource: Resource,
  id: string,
  changed: Values,
  transaction: Transaction,
  more: Values = {},
): Promise<void> {
  const update = transaction.manager
    .createQueryBuilder()
    .update(resource.definition.entity!)
    .set({ ...columnsOf(resource, changed), ...more, ...NEXT_REVISION })
    .where('id = :id', { id });
  await transaction.rows(prepared(update));
  await storeLinks(resource, id, changed, transaction);
}

/**
 * Deletes a row and its dependent rows.
 * @throws ApiError 409 naming the objects that still refer to it
 */
export async function deleteRow(
  { ref }: Resource,
  id: string,
  transaction: Transaction,
): Promise<void> {
  const referrers = await findReferrers(transaction, ref.table, id);
  if (referrers.length > 0)
    throw referenced(describeReferrers(referrers), referrers.map(referenceOf));
  await transaction.rows({ text: `DELETE FROM ${ref.table} WHERE id = $1`, values: [id] });
}

/** A statement of the query builder as text, whose plan the session keeps. The builder itself would have it planned each time. */
function prepared(query: InsertQueryBuilder<ObjectLiteral> | UpdateQueryBuilder<ObjectLiteral>) {
  const [text, values] = query.getQueryAndParameters();
  return { text, values };
}

/** The properties of the entity. Lists of links have tables of their own; hooks store write-only values. */
function columnsOf(resource: Resource, values: Values): Values {
  const columns: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const attribute = resource.attributes.get(name);
    if (!attribute || attribute instanceof LinksAttribute) continue;
    columns[attribute.property] = value === null ? null : attribute.toStored(value);
  }
  return columns;
}

/** Updates the joining tables to match the values. */
async function storeLinks(
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
