import type { InvalidField } from '../base/errors/api-errors.js';
import { validateText } from '../http/json-body.js';
import type { Attribute } from '../resources/attributes/attribute.js';
import { LinkAttribute } from '../resources/attributes/link-attribute.js';
import { LinksAttribute } from '../resources/attributes/links-attribute.js';
import { parseRecord } from '../resources/write/parse-body.js';
import { columnOf, nameRule, readName, transferred } from './fields.js';
import type { ImportableResource } from './importable-resources.js';
import type { FileRecord } from './records.js';
import { type Reason, reason } from '../base/errors/reason.js';

type Values = Record<string, unknown>;

/** A line in the staging table, where it waits for the rest of the file. */
export interface StagedLine {
  line: number;
  /** Login or reference; null when it is unreadable. */
  name: string | null;
  /** Columns and their values. */
  value: Values;
  /** The names of the lists of links that the line contains. */
  lists: string[];
  /** Links by name; `field` is a column, or the name of a list. */
  links: { field: string; attribute: string; kind: string; name: string }[];
  faults: InvalidField[];
}

/** Maximum number of links in a list. */
const MAX_LINKS = 1000;

/** A placeholder for a name that only the database can resolve. */
const SOME_ID = '1';

/**
 * Checks a line like a body of the API, with names in place of links.
 * @param created whether its row is new: omitted attributes then get their default, otherwise they stay as
 * they are
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
  const key = created ? {} : { [kind.key]: staged.name };
  const { values, faults } = parseRecord(resource, body, created, key);
  staged.faults.push(...faults);
  if (staged.name === null && !faults.some(({ name }) => name === kind.key))
    staged.faults.push({ name: kind.key, reason: reason('no-key') });
  staged.faults.push(...(kind.complete?.(values, created) ?? []));
  // For an invalid line only the links are still checked.
  if (staged.faults.length > 0) return staged;
  for (const attribute of attributes) storeValue(attribute, values, staged);
  return staged;
}

function nameIn({ key }: ImportableResource, given: Values): string | null {
  const value = Object.hasOwn(given, key) ? given[key] : undefined;
  return isName(value) && value !== '' ? value : null;
}

/** Whether a value is a text that the database can search for. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' && validateText(value) === undefined;

/** Moves the names of links from the body to `staged`, and leaves a placeholder for validation. */
function takeLinks(attribute: Attribute, body: Values, staged: StagedLine): void {
  const { name } = attribute;
  const value = body[name];
  const fault = (why: Reason): void => void staged.faults.push({ name, reason: why });
  if (attribute instanceof LinkAttribute) {
    if (value === null) return;
    if (typeof value !== 'string' || value === '')
      fault(reason(attribute.target.name === 'users' ? 'not-a-login' : 'not-a-reference'));
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
