import type { InvalidField } from '../errors/api-errors.js';
import { validateText } from '../http/body-parser.js';
import type { Attribute } from '../resources/attributes/attribute.js';
import { LinkAttribute } from '../resources/attributes/link-attribute.js';
import { LinksAttribute } from '../resources/attributes/links-attribute.js';
import { parseRecord } from '../resources/write/parse-body.js';
import { columnOf, nameRule, readName, transferred } from './fields.js';
import type { ImportableResource } from './importable-resources.js';
import type { FileRecord } from './records.js';

type Values = Record<string, unknown>;

/** A line as it waits in the database for all others. */
export interface StagedLine {
  line: number;
  /** Login or reference; null when it cannot be read. */
  name: string | null;
  /** Columns and their values. */
  value: Values;
  /** The lists of links that the line gives. */
  lists: string[];
  /** Links by name; `field` is a column, or the name of a list. */
  links: { field: string; attribute: string; kind: string; name: string }[];
  faults: InvalidField[];
}

/** Most links of one list. */
const MAX_LINKS = 1000;

/** Stands for a name of which only the database can say whether it exists. */
const SOME_ID = '1';

/**
 * Checks a line like a body of the API; names stand where a body has links.
 * @param created whether its row is new: what is left out then gets its default, else it stays
 */
export function parseRow(
  kind: ImportableResource,
  record: FileRecord,
  created: boolean,
): StagedLine {
  const staged: StagedLine = {
    line: record.line,
    name: nameIn(kind, record.given),
    value: {},
    lists: [],
    links: [],
    faults: [...record.faults],
  };
  if (record.faults.length > 0) return staged;
  const attributes = transferred(kind);
  const body: Values = { ...record.given };
  for (const attribute of attributes)
    if (Object.hasOwn(body, attribute.name)) takeLinks(attribute, body, staged);
  const { resource } = kind;
  const { values, faults } = parseRecord(resource, body, created);
  staged.faults.push(...faults);
  if (staged.name === null && !faults.some(({ name }) => name === kind.key))
    staged.faults.push({ name: kind.key, message: 'is needed: it says which row is meant' });
  staged.faults.push(...(kind.complete?.(values, created) ?? []));
  // Of a bad line only its links are looked at any further.
  if (staged.faults.length > 0) return staged;
  for (const attribute of attributes) storeValue(attribute, values, staged);
  return staged;
}

function nameIn({ key }: ImportableResource, given: Values): string | null {
  const value = Object.hasOwn(given, key) ? given[key] : undefined;
  return isName(value) && value !== '' ? value : null;
}

/** What the database can look for. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' && validateText(value) === undefined;

/** Moves the names of links out of the body; a stand-in is left for the common validation. */
function takeLinks(attribute: Attribute, body: Values, staged: StagedLine): void {
  const { name } = attribute;
  const value = body[name];
  const fault = (message: string): void => void staged.faults.push({ name, message });
  if (attribute instanceof LinkAttribute) {
    if (value === null) return;
    if (typeof value !== 'string' || value === '')
      fault(`must be a ${attribute.target.name === 'users' ? 'login' : 'reference'}`);
    else
      staged.links.push({
        field: columnOf(attribute)!,
        attribute: name,
        kind: attribute.target.name,
        name: value,
      });
    body[name] = SOME_ID;
  } else if (attribute instanceof LinksAttribute) {
    delete body[name];
    staged.lists.push(name);
    const names = value ?? [];
    if (!Array.isArray(names) || names.length > MAX_LINKS) return fault(nameRule(attribute));
    const read = names.map((text) =>
      typeof text === 'string' ? readName(attribute, text) : undefined,
    );
    if (read.includes(undefined)) return fault(nameRule(attribute));
    for (const link of read) staged.links.push({ field: name, attribute: name, ...link! });
  }
}

function storeValue(attribute: Attribute, values: Values, { value }: StagedLine): void {
  const column = columnOf(attribute);
  if (column === undefined || !(attribute.name in values)) return;
  const isLink = attribute instanceof LinkAttribute;
  const given = values[attribute.name];
  value[column] = given === null || isLink ? null : attribute.toStored(given);
}
