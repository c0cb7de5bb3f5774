/** Conversion between values and the cells of a CSV file; see dialect.ts. */

/** Separates the items of a list. A list with an item that contains it, or a line break, is written as JSON. */
const LIST_SEPARATOR = ';';

/** The type of a cell: `text` is kept as it is; a `name` (link, code, timestamp) is trimmed; `json` is an object. */
export type CellType = 'text' | 'name' | 'number' | 'boolean' | 'list' | 'json';

/** The value of a cell; null for a blank one. An unreadable value stays text, which the validation rejects. */
export function valueOfCell(type: CellType, cell: string): unknown {
  const text = cell.trim();
  if (type === 'list') return listOfCell(text);
  if (text === '') return type === 'text' && cell !== '' ? cell : null;
  switch (type) {
    case 'number':
      return /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
    case 'boolean':
      // Spreadsheets write TRUE and FALSE.
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
    case 'json':
      return parsedOrText(text);
    case 'name':
      return text;
    case 'text':
      return cell;
  }
}

function listOfCell(text: string): unknown {
  if (text.startsWith('[')) return parsedOrText(text);
  return text
    .split(/;|\r?\n/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The cell of a value. */
export function cellOfValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!Array.isArray(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const items = value as string[];
  const isPlain = items.every(
    (item) => item !== '' && !/[;\r\n]|^\[/.test(item) && item === item.trim(),
  );
  return isPlain ? items.join(LIST_SEPARATOR) : JSON.stringify(items);
}

/** `user`, `group` or `organization` for the name of a resource. */
const singular = (resource: string): string => resource.slice(0, -1);

/** Writes a member of an audience with its resource, because members come from several: `group:EVERYBODY`. */
export const writeMember = (resource: string, reference: string): string =>
  `${singular(resource)}:${reference}`;

/** Reads the resource and reference of a member of an audience; accepts `groups:EVERYBODY` too. */
export function readMember<Resource extends string>(
  text: string,
  resources: readonly Resource[],
): { resource: Resource; reference: string } | undefined {
  const at = text.indexOf(':');
  const word = text.slice(0, Math.max(at, 0));
  const resource = resources.find((one) => one === word || singular(one) === word);
  return resource && { resource, reference: text.slice(at + 1).trim() };
}
