import { getPage, query } from '../../api-client/api.js';
import type { Ref } from '../../api-client/types.js';
import { type Attribute, descriptionOf } from '../api/description.js';
import { resourceOf, type ResourceName, targetsOf } from '../api/resources.js';
import type { Texts } from '../translations/i18n.js';

/** Several values of a cell stand on lines of their own. */
const BETWEEN = '\n';

/** What tells records of a resource apart in a file. */
export const keyOf = (resource: string): string => (resource === 'users' ? 'login' : 'reference');

/** An audience names several kinds, so the kind stands before the reference. */
const namesKinds = (attribute: Attribute): boolean => targetsOf(attribute.name).length > 1;

const writeRef = (attribute: Attribute, { uri, reference }: Ref): string =>
  namesKinds(attribute) ? `${uri.split('/')[2]}:${reference}` : reference;

/** A value as a cell of a file. */
export function writeCellOf(attribute: Attribute, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (attribute.type === 'link') return writeRef(attribute, value as Ref);
  if (attribute.type === 'links')
    return (value as Ref[]).map((ref) => writeRef(attribute, ref)).join(BETWEEN);
  if (Array.isArray(value)) return value.join(BETWEEN);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A cell that is no value of its attribute. */
export class CellFault extends Error {}

/** References that were looked up already, by kind and text. */
export type Known = Map<string, Promise<Ref | undefined>>;

/**
 * The value that a cell stands for; links are looked up by their references.
 * @throws CellFault, ApiProblem
 */
export async function readCell(
  attribute: Attribute,
  cell: string,
  known: Known,
  texts: Texts,
): Promise<unknown> {
  const text = cell.trim();
  const parts = text.split(/\r?\n/).filter((part) => part.trim() !== '');
  if (attribute.type === 'links')
    return Promise.all(parts.map((part) => readRef(attribute, part.trim(), known, texts)));
  if (attribute.isTexts) return parts;
  if (text === '') return null;
  if (attribute.type === 'link') return readRef(attribute, text, known, texts);
  return readPlain(attribute, cell, texts);
}

/** What can be seen without asking the server. */
function readPlain(attribute: Attribute, cell: string, texts: Texts): unknown {
  const text = cell.trim();
  if (attribute.type === 'number') {
    if (!/^-?\d+$/.test(text)) throw new CellFault(texts('import.number', { text }));
    return Number(text);
  }
  if (attribute.type === 'boolean') {
    if (!/^(true|false)$/i.test(text)) throw new CellFault(texts('import.boolean', { text }));
    return text.toLowerCase() === 'true';
  }
  if (attribute.type === 'coded') {
    const code = attribute.codes.find((one) => String(one) === text);
    if (code === undefined)
      throw new CellFault(texts('import.code', { text, codes: attribute.codes.join(', ') }));
    return code;
  }
  const { maxLength } = attribute;
  if (maxLength !== null && [...cell].length > maxLength)
    throw new CellFault(texts('invalid.long', { max: maxLength }));
  return cell;
}

async function readRef(
  attribute: Attribute,
  text: string,
  known: Known,
  texts: Texts,
): Promise<string> {
  if (text.startsWith('/')) return text;
  const targets = targetsOf(attribute.name);
  const [kind, rest] = namesKinds(attribute) ? splitKind(text) : [targets[0], text];
  if (kind === undefined || !targets.includes(kind))
    throw new CellFault(texts('import.kind', { text, kinds: targets.join(', ') }));
  const key = `${kind}:${rest}`;
  if (!known.has(key)) known.set(key, findByKey(kind, rest));
  const found = await known.get(key);
  if (!found) throw new CellFault(texts('import.unknown', { text: rest }));
  return found.uri;
}

function splitKind(text: string): [ResourceName | undefined, string] {
  const at = text.indexOf(':');
  return [at < 0 ? undefined : (text.slice(0, at) as ResourceName), text.slice(at + 1)];
}

/** The record with a reference (a user: with a login). */
export async function findByKey(resource: string, text: string): Promise<Ref | undefined> {
  const search = query({ range: '0-1', filters: `${keyOf(resource)}:eq:${text}` });
  const { items } = await getPage<Ref>(`${resourceOf(resource).path}${search}`);
  return items[0];
}

/** The attributes that a file of a resource can have as columns. */
export const fileAttributes = (resource: string): Attribute[] =>
  descriptionOf(resource).attributes.filter(({ isListed, writable, name }) =>
    resource === 'audit' ? isListed : writable || name === keyOf(resource),
  );
