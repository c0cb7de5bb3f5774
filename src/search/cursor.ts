import { strictUtf8 } from '../http/strict-utf8.js';
import { isId } from '../resources/uri.js';

/** A position in the order of a search: the title, folded and cut by the database, then the id. */
export interface Cursor {
  title: string;
  id: string;
}

/** Between the index name and the position (docs/api-contract.md#search-envelope). */
const SEPARATOR = '¤';

/**
 * Where the database cuts a folded title (cut_title() in migrations/functions/base/cut_title.sql):
 * with the longest id and index name, and the `¤` in percent-encoding, a marker then has at most 1 KiB.
 */
const MAX_TITLE_BYTES = 736;
const CUT_CHARACTERS = 184;

const utf8 = strictUtf8({ keepsMark: true });

/** `Users¤<position>`: opaque to the caller. It holds no row number, so changes shift nothing. */
export function formatCursor(index: string, { title, id }: Cursor): string {
  return `${index}${SEPARATOR}${Buffer.from(`${id}\n${title}`).toString('base64url')}`;
}

/** The markers of a page: of its first record and of its last (docs/api-contract.md#markers); an empty page has none. */
export function markersOf(
  index: string,
  places: Cursor[],
): { searchIndexBottom?: string; searchIndexTop?: string } {
  const [first] = places;
  const last = places.at(-1);
  if (!first || !last) return {};
  return {
    searchIndexBottom: formatCursor(index, first),
    searchIndexTop: formatCursor(index, last),
  };
}

/** Reads a marker of one index; undefined when it belongs to another index or is malformed. */
export function parseCursor(index: string, marker: string): Cursor | undefined {
  const prefix = `${index}${SEPARATOR}`;
  const position = marker.startsWith(prefix) ? marker.slice(prefix.length) : '';
  if (!/^[A-Za-z0-9_-]+$/.test(position)) return undefined;
  const bytes = Buffer.from(position, 'base64url');
  // A cursor has one spelling: another that decodes to the same bytes was tampered with.
  if (bytes.toString('base64url') !== position) return undefined;
  try {
    const [id = '', ...title] = utf8.decode(bytes).split('\n');
    const text = title.join('\n');
    return title.length > 0 && isId(id) && !text.includes('\0')
      ? { id, title: cutTitle(text) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Markers issued before titles were cut hold the whole title. */
const cutTitle = (title: string): string =>
  Buffer.byteLength(title) <= MAX_TITLE_BYTES
    ? title
    : [...title].slice(0, CUT_CHARACTERS).join('');
