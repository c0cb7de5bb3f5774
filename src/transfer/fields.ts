import { type CellType, readMember, writeMember } from '../base/csv/cells.js';
import type { Row } from '../database/database.js';
import type { Attribute } from '../resources/attributes/attribute.js';
import { LinkAttribute } from '../resources/attributes/link-attribute.js';
import { LinksAttribute } from '../resources/attributes/links-attribute.js';
import type { Resource } from '../resources/resource.js';
import { BooleanAttribute } from '../resources/attributes/boolean-attribute.js';
import { JsonAttribute } from '../resources/attributes/json-attribute.js';
import { EnumAttribute } from '../resources/attributes/enum-attribute.js';
import { NumberAttribute } from '../resources/attributes/number-attribute.js';
import { TimestampAttribute } from '../resources/attributes/timestamp-attribute.js';
import { TextListAttribute } from '../resources/attributes/text-list-attribute.js';
import { TranslationsAttribute } from '../resources/attributes/translations-attribute.js';
import type { ImportableResource } from './importable-resources.js';
import { type Reason, reason } from '../base/errors/reason.js';

/** The attributes of a resource that files contain, in the order of its representation. */
export function transferred({ resource, also }: ImportableResource): Attribute[] {
  return [...resource.attributes.values()].filter(
    ({ name, writable }) => writable || also.includes(name),
  );
}

/** The column that stores an attribute; undefined for lists of links, which have a table of their own. */
export const columnOf = (attribute: Attribute): string | undefined =>
  attribute instanceof LinksAttribute ? undefined : attribute.column;

/** The resources that an attribute links. */
export function targetsOf(attribute: Attribute): Resource[] {
  if (attribute instanceof LinkAttribute) return [attribute.target];
  return attribute instanceof LinksAttribute ? attribute.targets : [];
}

/** The prefix of a linked object's reference; not empty when the attribute links to several resources. */
const prefixOf = (attribute: LinksAttribute, target: Resource): string =>
  attribute.targets.length === 1 ? '' : writeMember(target.name, '');

/** Reads the resource and reference that an item of a list names. */
export function readName(
  { targets }: LinksAttribute,
  text: string,
): { kind: string; name: string } | undefined {
  if (targets.length === 1) return { kind: targets[0]!.name, name: text };
  const member = readMember(
    text,
    targets.map(({ name }) => name),
  );
  return member && { kind: member.resource, name: member.reference };
}

/** The error message that says how to write the items of a list. */
export const nameRule = ({ targets }: LinksAttribute): Reason =>
  targets.length === 1
    ? reason('not-references', { resource: targets[0]!.name })
    : reason('not-members', {
        examples: targets.map(({ name }) => writeMember(name, '…')),
      });

/** The type of an attribute's cells. */
export function cellType(attribute: Attribute): CellType {
  if (attribute instanceof LinksAttribute || attribute instanceof TextListAttribute) return 'list';
  if (attribute instanceof TranslationsAttribute || attribute instanceof JsonAttribute)
    return 'json';
  if (attribute instanceof BooleanAttribute) return 'boolean';
  if (attribute instanceof NumberAttribute) return 'number';
  if (attribute instanceof EnumAttribute) return attribute.options.numeric ? 'number' : 'name';
  return attribute instanceof LinkAttribute || attribute instanceof TimestampAttribute
    ? 'name'
    : 'text';
}

/** The SQL of an attribute's value in a file: links are names. */
export function sqlOf(attribute: Attribute, alias: string): string {
  if (attribute instanceof LinkAttribute) {
    const { table, referenceColumn } = attribute.target.ref;
    return `(SELECT l.${referenceColumn} FROM ${table} l WHERE l.id = ${alias}.${columnOf(attribute)})`;
  }
  if (!(attribute instanceof LinksAttribute)) return attribute.expression(alias);
  const { table, ownerColumn, targetColumns } = attribute.options;
  const parts = attribute.targets.map(
    (target) =>
      `SELECT '${prefixOf(attribute, target)}' || l.${target.ref.referenceColumn} AS name FROM ${table} j ` +
      `JOIN ${target.ref.table} l ON l.id = j.${targetColumns[target.name]} WHERE j.${ownerColumn} = ${alias}.id`,
  );
  return `(SELECT coalesce(json_agg(name ORDER BY name COLLATE "C"), '[]') FROM (${parts.join(' UNION ALL ')}) names)`;
}

/** The JSON value of a column of `sqlOf`. */
export function valueOfColumn(attribute: Attribute, row: Row, at: number): unknown {
  const value = row[at] ?? null;
  return value !== null && attribute instanceof NumberAttribute ? Number(value) : value;
}
