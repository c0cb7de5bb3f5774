import type { BoundStatement } from '../database/database.js';
import { Bindings, type Bind } from '../database/bindings.js';
import { escapeLike, folded } from '../resources/attributes/text-attribute.js';
import type { Caller } from '../security/caller.js';
import type { Cursor } from './cursor.js';
import type { RecordField, SearchDescription } from './search-description.js';

/** docs/api-contract.md#limits */
export const PAGE_SIZE = 20;

/** How far a search walks the order in the hope of a full page. */
export interface ScanLimits {
  /** Entries of the index. */
  quickSearch: number;
  /** Entries when another field is searched: each costs reading its row. */
  field: number;
  /** Entries of those whose long texts have to be read themselves; fewer than either. */
  long: number;
}

/** How much a search reads on each of its ways. */
export interface SearchLimits extends ScanLimits {
  /** Pages of the table that are sampled, to see whether a word is common. */
  sampled: number;
  /** Matches in the sample that make it so. */
  common: number;
  /** Entries that are walked from where the first match is likely. */
  far: number;
}

/**
 * So few entries that walking them takes some milliseconds, and so many that what fills no page
 * meanwhile is mostly rare enough for the GIN index (docs/search-plans.md).
 */
export const SEARCH_LIMITS: SearchLimits = {
  quickSearch: 5_000,
  field: 5_000,
  long: 500,
  sampled: 32,
  common: 8,
  far: 20_000,
};

/** What is searched for. */
export interface Search {
  description: SearchDescription;
  /** Every term must occur in the field; none means every visible record. */
  terms: string[];
  /** Name of a field of the record, or `quickSearch`. */
  field: string;
  /** The place behind which the page begins. */
  after?: Cursor;
}

const PLACE = 't.search_title COLLATE "C"';

/** The columns of a record's fields, in their order. */
const columnsOf = ({ record }: SearchDescription): string[] =>
  Object.values(record).flatMap(({ sql }) => (sql === undefined ? [] : [sql]));

/**
 * The first statement: walks the order from the marker and tests each entry. It finds a
 * page of anything common at once, and ends when it is full or after so many entries. The limits
 * within it leave the planner no other way than the walk indexes.
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
    ...(description.visibility ? [description.visibility.condition(caller, 'w', bind)] : []),
    // Behind the first long row that is not walked there may be more of them.
    `((w.place, w.id) < (${walk.end})) IS NOT FALSE`,
  ];
  const page = `SELECT w.place, w.id FROM (${walk.entries}) w WHERE ${conditions.join(' AND ')}
    ORDER BY w.place, w.id LIMIT ${PAGE_SIZE}`;
  return { text: recordsText(description, page), values, prepared: false, searcher: caller.id };
}

/** Of a page, as many rows as are looked at; those of users and content have about as many. */
const LINES = 16;

/**
 * What there is behind the walk: whether it ended before the order did, and, of some rows from all
 * over the table that match, how many the caller may see and the first title of these.
 * @returns SQL of one row: whether there are more, matches, visible ones, a folded title or null
 */
export function sampleStatement(
  search: Search,
  caller: Caller,
  limits: SearchLimits,
): BoundStatement {
  const { bind, values } = new Bindings();
  const { description, terms } = search;
  const { visibility: deciding, table, baseCondition: found } = description;
  const pages = `${bind(limits.sampled)}::integer`;
  const all = `pg_relation_size('${table}') / current_setting('block_size')::integer`;
  const rows = `SELECT format('(%s,%s)', all_pages * page / ${pages}, line)::tid
    FROM (SELECT ${all}) AS t(all_pages), generate_series(0, ${pages} - 1) AS page, generate_series(1, ${LINES}) AS line`;
  const conditions = [
    found,
    ...terms.map((term) => contains(textOf(search), bind(term))),
    ...behind(search, bind),
  ];
  const visible = deciding ? `FILTER (WHERE ${deciding.condition(caller, 't', bind)})` : '';
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
 * The last statement, for what the walk found less than a page of: collects all matches by the GIN
 * index, then sorts them.
 * @param before collects only those before this title, which begins a bucket
 */
export function matchesStatement(search: Search, caller: Caller, before?: string): BoundStatement {
  const { bind, values } = new Bindings();
  const { description, terms } = search;
  const { visibility: deciding, table } = description;
  const bound = terms.map((term) => bind(term));
  const conditions = [
    description.baseCondition,
    ...narrowings(search, bound),
    ...(before === undefined ? [] : [standsBefore(bind(before))]),
    ...bound.map((term) => contains(textOf(search), term)),
    ...behind(search, bind),
  ];
  // Before a bucket there are few: the audience would cost more to look for than it saves.
  const byAudience = deciding && before === undefined;
  if (byAudience) conditions.push(deciding.condition(caller, 't', bind));
  const columns = (deciding?.columns ?? []).map((column) => `, t.${column}`).join('');
  const visible = deciding && !byAudience ? `WHERE ${deciding.condition(caller, 'm', bind)}` : '';
  const page = `SELECT place, id FROM matches m ${visible} ORDER BY place, id LIMIT ${PAGE_SIZE}`;
  return {
    text: `WITH matches AS MATERIALIZED (
        SELECT ${PLACE} AS place, t.id${columns} FROM ${table} t WHERE ${conditions.join(' AND ')})
      ${recordsText(description, page)}`,
    values,
    prepared: false,
    searcher: caller.id,
  };
}

/** The records of a page of places, each with its place in the last column. */
const recordsText = (description: SearchDescription, page: string): string =>
  `SELECT ${columnsOf(description).join(', ')}, page.place
    FROM (${page}) page JOIN ${description.table} t ON t.id = page.id ORDER BY page.place, page.id`;

/**
 * The first title of the bucket that a title is in: three letters, fewer where another character
 * comes first (title_prefix() in migrations/1795400000000-create-text-functions.ts).
 */
export function bucketOf(title: string): string {
  const [letters] = /^[a-z]{0,3}/.exec(title)!;
  const next = title.charAt(letters.length);
  return letters.length < 3 && next > 'z' ? `${letters}{` : letters;
}

/** Within a subquery the planner does not see the buckets and has no reason to leave the index. */
const standsBefore = (bucket: string): string =>
  `title_prefix_ranges(title_prefix(t.search_title)) && (SELECT title_prefix_ranges_before(title_prefix(${bucket}::text)))`;

/** The entries of the order that are walked, and what says whether that were all. */
function walkOf(
  search: Search,
  limits: ScanLimits,
  bind: Bind,
): { entries: string; end: string; rest: string } {
  const { table, baseCondition: found, visibility: deciding } = search.description;
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

/** The rows behind the marker. */
const behind = ({ after }: Search, bind: Bind): string[] =>
  after ? [`(${PLACE}, t.id) > (${bind(after.title)}::text, ${bind(after.id)}::bigint)`] : [];

const fieldOf = ({ description, field }: Search): RecordField | undefined =>
  field === 'quickSearch' ? undefined : description.record[field];

/** The folded text that is looked in. */
function textOf(search: Search): string {
  const field = fieldOf(search);
  return field ? folded(field.sql!) : 't.quick_search';
}

const contains = (text: string, term: string): string =>
  `${text} COLLATE "C" LIKE '%' || ${escapeLike(`fold(${term}::text)`)} || '%'`;

/** Conditions by an index that every match fulfils. */
function narrowings(search: Search, terms: string[]): string[] {
  const indexPrefilter = fieldOf(search)?.searched ?? 'quickSearch';
  if (terms.length === 0) return [];
  if (typeof indexPrefilter === 'function')
    return [
      indexPrefilter((text) => terms.map((term) => contains(folded(text), term)).join(' AND ')),
    ];
  const ngrams =
    indexPrefilter === 'quickSearch'
      ? 'ngrams(t.quick_search)'
      : `ngrams(fold(${otherTexts(search.description).join(` || ' ' || `)}))`;
  // Within a subquery the planner does not see the n-grams and has no reason to leave the index.
  return terms.map((term) => `${ngrams} @> (SELECT query_ngrams(fold(${term}::text)))`);
}

const otherTexts = ({ record }: SearchDescription): string[] =>
  Object.values(record).flatMap(({ sql, searched }) =>
    searched === 'otherTexts' ? [`coalesce(${sql}, '')`] : [],
  );
