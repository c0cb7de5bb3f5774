import { getPage, query } from '../../api-client/api.js';
import type { Ref } from '../../api-client/types.js';
import {
  type CellType,
  cellOfValue,
  readMember,
  valueOfCell,
  writeMember,
} from '../../../src/csv/cells.js';
import { type Attribute, descriptionOf } from '../api/description.js';
import { resourceOf, targetsOf } from '../resources.js';
import type { Texts } from '../translations/i18n.js';

/** The attribute that tells the records of a resource apart in a file. */
export const keyOf = (resource: string): string => (resource === 'users' ? 'login' : 'reference');

/**
 * The text by which keys are compared, as the server compares them: logins ignore case and compatibility
 * forms, but not accents.
 */
export const comparableKey = (resource: string, key: string): string =>
  resource === 'users' ? key.normalize('NFKC').toLowerCase().normalize('NFKC') : key.toLowerCase();

/** The memberships of a user are written through the groups, and so are no writable attribute. */
export const isMemberships = (resource: string, { name }: Attribute): boolean =>
  resource === 'users' && name === 'groups';

/** The attributes that a file of a resource can have as columns. */
export const fileAttributes = (resource: string): Attribute[] =>
  descriptionOf(resource).attributes.filter((attribute) =>
    resource === 'audit'
      ? attribute.isListed
      : attribute.writable ||
        attribute.name === keyOf(resource) ||
        isMemberships(resource, attribute),
  );

/** An audience links to several resources, so the resource stands before the reference. */
const isMixed = (attribute: Attribute): boolean => targetsOf(attribute.name).length > 1;

/** A value of the API as a cell of a file. */
export function writeCellOf(attribute: Attribute, value: unknown): string {
  const write = ({ uri, reference }: Ref): string =>
    isMixed(attribute) ? writeMember(uri.split('/')[2]!, reference) : reference;
  if (attribute.type === 'link') return cellOfValue(value && write(value as Ref));
  if (attribute.type === 'links') return cellOfValue((value as Ref[] | undefined)?.map(write));
  return cellOfValue(value);
}

/** An error of a cell. */
export class CellError extends Error {}

/** A record that another line of the file creates: it has no URI yet. */
export class FutureRecord {
  constructor(readonly key: string) {}
}

/** What cells link to: records that were looked up already, and those of the file itself. */
export interface Links {
  found: Map<string, Promise<Ref | undefined>>;
  resource: string;
  /** Keys of the lines of the file, as `comparableKey` makes them. */
  keys: Set<string>;
}

function cellType({ type, isTexts, codes }: Attribute): CellType {
  if (type === 'links' || isTexts) return 'list';
  if (type === 'coded') return typeof codes[0] === 'number' ? 'number' : 'name';
  if (type === 'number' || type === 'boolean') return type;
  if (type === 'object') return 'json';
  return type === 'text' ? 'text' : 'name';
}

/**
 * The value that a cell stands for. Links are looked up by their references; one to another line of
 * the file may be a FutureRecord.
 * @throws CellError, ApiProblem
 */
export async function readCell(
  attribute: Attribute,
  cell: string,
  links: Links,
  texts: Texts,
): Promise<unknown> {
  const value = valueOfCell(cellType(attribute), cell);
  if (attribute.type === 'link')
    return typeof value === 'string' ? readLink(attribute, value, links, texts) : null;
  if (attribute.type === 'links' && Array.isArray(value))
    return Promise.all(value.map((item) => readLink(attribute, String(item), links, texts)));
  const problem = problemWith(attribute, value, texts);
  if (problem !== undefined) throw new CellError(problem);
  return value;
}

/** What can be seen without asking the server. */
function problemWith(attribute: Attribute, value: unknown, texts: Texts): string | undefined {
  if (value === null) return undefined;
  const { type, codes, isTexts, maxLength } = attribute;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (type === 'number' && typeof value !== 'number') return texts('import.number', { text });
  if (type === 'boolean' && typeof value !== 'boolean') return texts('import.boolean', { text });
  if (type === 'coded' && !codes.some((code) => code === value))
    return texts('import.code', { text, codes: codes.join(', ') });
  if (isTexts && !Array.isArray(value)) return texts('import.list', { text });
  const isLong = maxLength !== null && typeof value === 'string' && [...value].length > maxLength;
  return isLong ? texts('invalid.long', { max: maxLength }) : undefined;
}

async function readLink(
  attribute: Attribute,
  text: string,
  { found, resource, keys }: Links,
  texts: Texts,
): Promise<string | FutureRecord> {
  const targets = targetsOf(attribute.name);
  const named = isMixed(attribute)
    ? readMember(text, targets)
    : { resource: targets[0]!, reference: text };
  if (!named) {
    const kinds = targets.map((target) => writeMember(target, '…')).join(', ');
    throw new CellError(texts('import.kind', { text, kinds }));
  }
  const { resource: target, reference } = named;
  const key = `${target}:${reference}`;
  if (!found.has(key)) found.set(key, findByKey(target, reference));
  const ref = await found.get(key);
  if (ref) return ref.uri;
  if (target === resource && keys.has(comparableKey(target, reference)))
    return new FutureRecord(reference);
  throw new CellError(texts('import.unknown', { text: reference }));
}

/** The record with a reference (a user: with a login). */
export async function findByKey(resource: string, text: string): Promise<Ref | undefined> {
  const search = query({ range: '0-1', filters: `${keyOf(resource)}:eq:${text}` });
  const { items } = await getPage<Ref>(`${resourceOf(resource).path}${search}`);
  return items[0];
}
