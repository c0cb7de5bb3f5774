import type { Row } from '../database/database.js';
import type { Attribute } from '../resources/attributes/attribute.js';
import { LinkAttribute } from '../resources/attributes/link-attribute.js';
import { LinksAttribute } from '../resources/attributes/links-attribute.js';
import type { Resource } from '../resources/resource.js';
import { BooleanAttribute } from '../resources/attributes/boolean-attribute.js';
import { EnumAttribute } from '../resources/attributes/enum-attribute.js';
import { NumberAttribute } from '../resources/attributes/number-attribute.js';
import { TextListAttribute } from '../resources/attributes/text-list-attribute.js';
import type { ImportableResource } from './importable-resources.js';

/** Between the names of a list in one CSV cell; a list whose names hold it is written as JSON. */
const SEPARATOR = ';';

/** The attributes of a kind that files hold, in the order of its representation. */
export function transferred({ resource, also }: ImportableResource): Attribute[] {
  return [...resource.attributes.values()].filter(
    ({ name, writable }) => writable || also.includes(name),
  );
}

/** The column that stores an attribute; undefined for several links, which have a table of their own. */
export const columnOf = (attribute: Attribute): string | undefined =>
  attribute instanceof LinksAttribute ? undefined : attribute.column;

/** `user`, `group` or `organization` in front of a name of an audience. */
const singular = ({ name }: Resource): string => name.slice(0, -1);

/** How a linked object is written in a file: its reference or login, with its kind where several can be meant. */
export function nameOf(attribute: LinksAttribute, target: Resource): string {
  return attribute.targets.length === 1 ? '' : `${singular(target)}:`;
}

/** What a name in a file means. */
export function readName(
  { targets }: LinksAttribute,
  text: string,
): { kind: string; name: string } | undefined {
  if (targets.length === 1) return { kind: targets[0]!.name, name: text };
  const target = targets.find((one) => text.startsWith(`${singular(one)}:`));
  return target && { kind: target.name, name: text.slice(singular(target).length + 1) };
}

/** How names of a list have to be written. */
export const nameRule = ({ targets }: LinksAttribute): string =>
  targets.length === 1
    ? `must be a list of references of ${targets[0]!.name}`
    : `must be a list such as ${targets.map((one) => `${singular(one)}:…`).join(', ')}`;

/** The value that a CSV cell stands for; what cannot be read stays text, for the validation to refuse. */
export function valueOfCell(attribute: Attribute | undefined, cell: string): unknown {
  if (cell === '') return isList(attribute) ? [] : null;
  if (isList(attribute)) return listOfCell(cell);
  if (attribute instanceof BooleanAttribute)
    return cell === 'true' || cell === 'false' ? cell === 'true' : cell;
  const isNumber =
    attribute instanceof NumberAttribute ||
    (attribute instanceof EnumAttribute && attribute.options.numeric);
  return isNumber && /^-?\d{1,15}$/.test(cell) ? Number(cell) : cell;
}

function listOfCell(cell: string): unknown {
  if (!cell.startsWith('[')) return cell.split(SEPARATOR).map((name) => name.trim());
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

/** The CSV cell of a value. */
export function cellOfValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!Array.isArray(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const names = value as string[];
  const isPlain = names.every(
    (name) => !name.includes(SEPARATOR) && !name.startsWith('[') && name === name.trim(),
  );
  return isPlain ? names.join(SEPARATOR) : JSON.stringify(names);
}

const isList = (attribute: Attribute | undefined): boolean =>
  attribute instanceof LinksAttribute || attribute instanceof TextListAttribute;

/** The SQL of an attribute's value as files hold it: links by name. */
export function sqlOf(attribute: Attribute, alias: string): string {
  if (attribute instanceof LinkAttribute) {
    const { table, referenceColumn } = attribute.target.ref;
    return `(SELECT l.${referenceColumn} FROM ${table} l WHERE l.id = ${alias}.${columnOf(attribute)})`;
  }
  if (!(attribute instanceof LinksAttribute)) return attribute.expression(alias);
  const { table, ownerColumn, targetColumns } = attribute.options;
  const parts = attribute.targets.map(
    (target) =>
      `SELECT '${nameOf(attribute, target)}' || l.${target.ref.referenceColumn} AS name FROM ${table} j ` +
      `JOIN ${target.ref.table} l ON l.id = j.${targetColumns[target.name]} WHERE j.${ownerColumn} = ${alias}.id`,
  );
  return `(SELECT coalesce(json_agg(name ORDER BY name COLLATE "C"), '[]') FROM (${parts.join(' UNION ALL ')}) names)`;
}

/** The value of a column of `sqlOf`, as JSON has it. */
export function valueOfColumn(attribute: Attribute, row: Row, at: number): unknown {
  const value = row[at] ?? null;
  return value !== null && attribute instanceof NumberAttribute ? Number(value) : value;
}
