import type { BoundStatement } from '../database/database.js';
import { Bindings, type Bind } from '../database/bindings.js';
import { escapeLike, folded } from '../resources/attributes/folded-text.js';
import type { Caller } from '../security/caller.js';
import type { Cursor } from './cursor.js';
import { PAGE_SIZE, type RecordField, type SearchDescription } from './search-description.js';

/** How many index entries an ordered scan reads before it gives up. */
export interface ScanLimits {
  /** Entries of the index. */
  quickSearch: number;
  /** Entries for a search in another field, each of which requires reading a row. */
  field: number;
  /** Entries of rows with long texts, which the index does not hold; fewer than the two above. */
  long: number;
}

/** The limits of each strategy of a search. */
export interface SearchLimits extends ScanLimits {
  /** Table pages in the sample that shows whether a term is common. */
  sampled: number;
  /** Matches in the sample from which on a term counts as common. */
  common: number;
  /** Entries of the ordered scan that begins where the first match is likely. */
  far: number;
}

/**
 * Scanning this many entries takes some milliseconds. A term that fills no page within them is mostly
 * rare enough for the GIN index (docs/decisions/0006).
 */
export const SEARCH_LIMITS: SearchLimits = {
  quickSearch: 5_000,
  field: 5_000,
  long: 500,
  sampled: 32,
  common: 8,
  far: 20_000,
};

/** One page of one search. */
export interface Search {
  description: SearchDescription;
  /** Every term must occur in the field; none means every visible record. */
  terms: string[];
  /** Name of a field of the record, or `quickSearch`. */
  field: string;
  /** The cursor after which the page begins. */
  after?: Cursor;
}

const PLACE = 't.search_title COLLATE "C"';

/** The columns of a record's fields, in their order. */
const columnsOf = ({ record }: SearchDescription): string[] =>
  Object.values(record).flatMap(({ sql }) => (sql === undefined ? [] : [sql]));

/**
 * The first statement: scans the search order index from the cursor and tests each entry. It fills the page
 * of a common term within a few entries, and stops at a full page or at the limit of entries. The limits
 * in its subqueries leave the planner no plan but the search order indexes.
 */
export function orderedScanStatement(
  search: Search,
  caller: Caller,
  limits: ScanLimits,
): BoundStatement {
  const { bind, values } = new Bindings();
  const { description, terms } = search;
  const walk = walkOf(search, limits, bind);
  const conditions = [
    ...terms.map((term) => contains('w.text', bind(term))),
    ...(description.visibility ? [description.visibility.condition('w', bind(caller.id))] : []),
    // More long rows may follow the first one beyond the limit.
    `((w.place, w.id) < (${walk.end})) IS NOT FALSE`,
  ];
  const page = `SELECT w.place, w.id FROM (${walk.entries}) w WHERE ${conditions.join(' AND ')}
    ORDER BY w.place, w.id LIMIT ${PAGE_SIZE}`;
  return {
    text: recordsText(description, page, bind(caller.locale)),
    values,
    prepared: false,
    searcher: caller.id,
  };
}

/** Rows taken from each sampled table page; a page of users or content holds about as many. */
const LINES = 16;

/**
 * Looks beyond the ordered scan: whether rows remain after it and, in a sample of the table, how many rows match, how
 * many of them the caller may see, and the first title of these.
 * @returns SQL of one row: whether rows remain, matches, visible ones, a folded title or null
 */
export function sampleStatement(
  search: Search,
  caller: Caller,
  limits: SearchLimits,
): BoundStatement {
  const { bind, values } = new Bindings();
  const { description, terms } = search;
  const { visibility: deciding, resource, baseCondition: found } = description;
  const { table } = resource.ref;
  const pages = `${bind(limits.sampled)}::integer`;
  const all = `pg_relation_size('${table}') / current_setting('block_size')::integer`;
  const rows = `SELECT format('(%s,%s)', all_pages * page / ${pages}, line)::tid
    FROM (SELECT ${all}) AS t(all_pages), generate_series(0, ${pages} - 1) AS page, generate_series(1, ${LINES}) AS line`;
  const conditions = [
    found,
    ...terms.map((term) => contains(textOf(search), bind(term))),
    ...behind(search, bind),
  ];
  const visible = deciding ? `FILTER (WHERE ${deciding.condition('t', bind(caller.id))})` : '';
  return {
    text: `SELECT EXISTS (${walkOf(search, limits, bind).rest}), count(*)::integer,
        (count(*) ${visible})::integer, min(${PLACE}) ${visible}
      FROM ${table} t WHERE t.ctid = ANY (ARRAY(${rows})) AND ${conditions.join(' AND ')}`,
    values,
    prepared: false,
    searcher: caller.id,
  };
}

/**
 * The last statement, for a search whose ordered scan did not fill the page: collects all matches by the GIN index,
 * then sorts them.
 * @param before collects only matches before this title, the first of a prefix range
 */
export function matchesStatement(search: Search, caller: Caller, before?: string): BoundStatement {
  const { bind, values } = new Bindings();
  const { description, terms } = search;
  const { visibility: deciding, resource } = description;
  const { table } = resource.ref;
  const bound = terms.map((term) => bind(term));
  const conditions = [
    description.baseCondition,
    ...narrowings(search, bound),
    ...(before === undefined ? [] : [standsBefore(bind(before))]),
    ...bound.map((term) => contains(textOf(search), term)),
    ...behind(search, bind),
  ];
  // Few matches come before the range: a condition on the audience would cost more than it saves.
  const byAudience = deciding && before === undefined;
  if (byAudience) conditions.push(deciding.condition('t', bind(caller.id)));
  const columns = (deciding?.columns ?? []).map((column) => `, t.${column}`).join('');
  const visible =
    deciding && !byAudience ? `WHERE ${deciding.condition('m', bind(caller.id))}` : '';
  const page = `SELECT place, id FROM matches m ${visible} ORDER BY place, id LIMIT ${PAGE_SIZE}`;
  return {
    text: `WITH matches AS MATERIALIZED (
        SELECT ${PLACE} AS place, t.id${columns} FROM ${table} t WHERE ${conditions.join(' AND ')})
      ${recordsText(description, page, bind(caller.locale))}`,
    values,
    prepared: false,
    searcher: caller.id,
  };
}

/**
 * The only statement of a search whose caller sees few rows: reads these by the indexes of the visibility, and sorts
 * the matches.
 */
export function visibleRowsStatement(search: Search, caller: Caller): BoundStatement {
  const { bind, values } = new Bindings();
  const { description, terms, after } = search;
  const { resource, baseCondition, visibility, visibleTexts } = description;
  const { table } = resource.ref;
  const locale = bind(caller.locale);
  const conditions = [
    baseCondition,
    ...(visibility ? [visibility.condition('t', bind(caller.id))] : []),
    ...terms.map((term) => contains(textOf(search), bind(term))),
  ];
  const place = `cut_title(${folded(visibleTexts!.title)}) COLLATE "C"`;
  const matches = `SELECT ${place} AS place, t.id FROM ${table} t, ${readerOf(locale)} WHERE ${conditions.join(' AND ')}`;
  const rest = after
    ? `WHERE (m.place, m.id) > (${bind(after.title)}::text, ${bind(after.id)}::bigint)`
    : '';
  const page = `SELECT m.place, m.id FROM (${matches}) m ${rest} ORDER BY m.place, m.id LIMIT ${PAGE_SIZE}`;
  return {
    text: recordsText(description, page, locale),
    values,
    prepared: false,
    searcher: caller.id,
  };
}

/**
 * The records of a page, each with its position in the order as the last column.
 * @param locale SQL of the caller's language
 */
const recordsText = (description: SearchDescription, page: string, locale: string): string =>
  `SELECT ${columnsOf(description).join(', ')}, page.place
    FROM (${page}) page JOIN ${description.resource.ref.table} t ON t.id = page.id, ${readerOf(locale)}
    ORDER BY page.place, page.id`;

/** The FROM item behind READER_LOCALE. PostgreSQL reads it as a constant, also where nothing refers to it. */
const readerOf = (locale: string): string => `(SELECT ${locale}::text AS locale) reader`;

/**
 * The first title of the prefix range of a title: its first three letters, fewer where another character
 * comes first (title_prefix() in migrations/functions/base/title_prefix.sql).
 */
export function bucketOf(title: string): string {
  const [letters] = /^[a-z]{0,3}/.exec(title)!;
  const next = title.charAt(letters.length);
  return letters.length < 3 && next > 'z' ? `${letters}{` : letters;
}

/** The subquery hides the ranges from the planner, which then has no reason to avoid the index. */
const standsBefore = (bucket: string): string =>
  `title_prefix_ranges(title_prefix(t.search_title)) && (SELECT title_prefix_ranges_before(title_prefix(${bucket}::text)))`;

/** The entries that the ordered scan reads, and SQL of whether more follow. */
function walkOf(
  search: Search,
  limits: ScanLimits,
  bind: Bind,
): { entries: string; end: string; rest: string } {
  const { resource, baseCondition: found, visibility: deciding } = search.description;
  const { table } = resource.ref;
  const most = search.field === 'quickSearch' ? limits.quickSearch : limits.field;
  const columns = (deciding?.columns ?? []).map((column) => `, t.${column}`).join('');
  const conditions = [found, ...behind(search, bind)].join(' AND ');
  const from = (size: string): string =>
    `FROM ${table} t WHERE ${conditions} AND ${sizeOf(search.description)} ${size} ORDER BY ${PLACE}, t.id`;
  const fitting = from(`<= ${MOST_IN_INDEX}`);
  const long = from(`> ${MOST_IN_INDEX}`);
  const entries = `SELECT ${PLACE} AS place, t.id, ${textOf(search)} AS text${columns}`;
  return {
    entries: `SELECT * FROM (
        (${entries} ${fitting} LIMIT ${most}) UNION ALL (${entries} ${long} LIMIT ${limits.long})
      ) both_kinds ORDER BY place, id LIMIT ${most}`,
    end: `SELECT ${PLACE}, t.id ${long} OFFSET ${limits.long} LIMIT 1`,
    rest: `(SELECT ${fitting} OFFSET ${most - limits.long} LIMIT 1) UNION ALL (SELECT ${long} OFFSET ${limits.long} LIMIT 1)`,
  };
}

/** Bytes of texts and audience that an entry of the search order index holds (migrations/schema-helpers.ts). */
const MOST_IN_INDEX = 2400;
const sizeOf = ({ visibility: deciding }: SearchDescription): string =>
  `octet_length(t.search_title) + octet_length(t.quick_search)${deciding?.columns.includes('audience') ? ' + 8 * cardinality(t.audience)' : ''}`;

/** The rows behind the cursor. */
const behind = ({ after }: Search, bind: Bind): string[] =>
  after ? [`(${PLACE}, t.id) > (${bind(after.title)}::text, ${bind(after.id)}::bigint)`] : [];

const fieldOf = ({ description, field }: Search): RecordField | undefined =>
  field === 'quickSearch' ? undefined : description.record[field];

/** The text to search, folded. */
function textOf(search: Search): string {
  const field = fieldOf(search);
  // The index of the other texts has no other spellings.
  if (field?.searched === 'otherTexts') return folded(field.sql!);
  if (field) return spelled(field.sql!);
  const { visibleTexts } = search.description;
  return visibleTexts
    ? spelled(`concat_ws(' ', ${visibleTexts.quickSearch.join(', ')})`)
    : 't.quick_search';
}

/** SQL of a text with the other spellings of its words, as `quick_search` has them. */
const spelled = (expression: string): string => `search_text(${expression} COLLATE "C")`;

const contains = (text: string, term: string): string =>
  `${text} COLLATE "C" LIKE '%' || ${escapeLike(`fold(${term}::text)`)} || '%'`;

/** Necessary conditions of a match that an index answers. */
function narrowings(search: Search, terms: string[]): string[] {
  const indexPrefilter = fieldOf(search)?.searched ?? 'quickSearch';
  if (terms.length === 0) return [];
  if (typeof indexPrefilter === 'function')
    return [
      indexPrefilter((text) => terms.map((term) => contains(spelled(text), term)).join(' AND ')),
    ];
  const ngrams =
    indexPrefilter === 'quickSearch'
      ? 'ngrams(t.quick_search)'
      : `ngrams(fold(${otherTexts(search.description).join(` || ' ' || `)}))`;
  // The subquery hides the n-grams from the planner, which then has no reason to avoid the index.
  return terms.map((term) => `${ngrams} @> (SELECT query_ngrams(fold(${term}::text)))`);
}

const otherTexts = ({ record }: SearchDescription): string[] =>
  Object.values(record).flatMap(({ sql, searched }) =>
    searched === 'otherTexts' ? [`coalesce(${sql}, '')`] : [],
  );
