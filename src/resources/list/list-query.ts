import { Bindings, type Bind } from '../../database/bindings.js';
import { prefilteredCondition, type IndexPrefilter } from './list-attribute.js';
import type { Filter } from './filters.js';
import type { ListRequest } from './list-request.js';
import type { SortKey } from './sorter.js';

/** Where a list comes from. All fragments are code, values are bound. */
export interface ListSource {
  /** FROM clause with the alias `t` for the table that is listed, without joins for display. */
  table: string;
  /** Joins that only the shown columns need. */
  joins: string;
  /** SQL expressions of a row, in the order in which the presenter reads them. */
  columns: string[];
  /** The unique last key of every order, e.g. `t.id`. */
  key: string;
  /** Conditions that hold for this caller whatever is asked for (visibility, parent). */
  conditions: ((bind: Bind) => string)[];
}

/** A statement with its bound values. */
export interface Statement {
  text: string;
  values: unknown[];
  /** Whether a plan may be kept for it: not for the many texts that callers can shape. */
  prepared: boolean;
  /** Whether texts are searched inside, which takes as long as the values have it. */
  searching: boolean;
}

/** PostgreSQL keeps plans for orders of at most this many keys, so that trying every order fills no memory. */
const MAX_PREPARED_KEYS = 2;

/**
 * Of a bound LIMIT PostgreSQL expects a tenth of the table, so that it would plan every page anew, which
 * takes as long as reading it. Where nothing but the range is bound, a power of two in the text says
 * how many rows are meant at most; from here on.
 */
const MIN_PLAN_LIMIT = 64;

/** From here on, ids are collected first and only the page's rows are joined. */
const DEEP_PAGE = 500;

/** The alias of the table that is listed. */
export const LISTED = 't';

const SEARCHING = new Set(['starts', 'ends', 'contains', 'notcontains']);

/** What the statements of one list are made of. */
interface Query {
  source: ListSource;
  request: ListRequest;
  bindings: Bindings;
  order: string;
}

/**
 * One page of a list, one row more than asked for, so that it is known whether there is a next
 * one; with the exact count the first column is the count, from the same snapshot, and a page past
 * the end is one row of nulls behind it.
 * @param narrowed with what narrows the filters down
 */
export function listStatement(
  sourceFor: (bind: Bind) => ListSource,
  request: ListRequest,
  narrowed = true,
): Statement {
  return statementOf(sourceFor, request, (query) => {
    const { source, bindings, order } = query;
    const toCondition = narrowed ? prefilteredConditionOf : conditionOf;
    const where = whereClause(source, request, bindings.bind, toCondition);
    const isOnePlanBest = bindings.values.length === 0;
    const limit = limitClause(query);
    const { start, count } = request.range;
    if (start >= DEEP_PAGE || indexPrefiltersOf(request).length > 0)
      return deferredJoin(
        query,
        `SELECT ${source.key} AS key FROM ${source.table} ${where} ${order} ${limit}`,
      );
    const shown = shownRows(source);
    if (!isOnePlanBest) return `${shown} ${where} ${order} ${limit}`;
    return `SELECT * FROM (${shown} ${where} ${order} LIMIT ${planLimit(start + count + 1)}) AS page ${limit}`;
  });
}

/** Asks how PostgreSQL would find the keys of the page without what narrows the filters down. */
export function planStatement(
  sourceFor: (bind: Bind) => ListSource,
  request: ListRequest,
): Statement {
  return statementOf(sourceFor, { ...request, exactCount: false }, (query) => {
    const { source, bindings, order } = query;
    const where = whereClause(source, request, bindings.bind, conditionOf);
    return `EXPLAIN (FORMAT JSON) SELECT ${source.key} FROM ${source.table} ${where} ${order} ${limitClause(query)}`;
  });
}

/**
 * The page as the first rows in the order of the list have it; it is too short if they do not fill it.
 * @param entries how many of them are looked at
 */
export function orderedScanStatement(
  sourceFor: (bind: Bind) => ListSource,
  request: ListRequest,
  entries: number,
): Statement {
  return statementOf(sourceFor, request, (query) => {
    const { source, bindings, order } = query;
    const fits = conditionsOf(source, request, bindings.bind, conditionOf).join(' AND ');
    // With its limit the subquery stays one, and hands its rows on in their order.
    const walked = `SELECT ${source.key} AS key, ${fits} AS fits FROM ${source.table} ${order} LIMIT ${entries}`;
    return deferredJoin(
      query,
      `SELECT key FROM (${walked}) AS walked WHERE fits ${limitClause(query)}`,
    );
  });
}

function statementOf(
  sourceFor: (bind: Bind) => ListSource,
  request: ListRequest,
  textOf: (query: Query) => string,
): Statement {
  const { filters, sorter } = request;
  const bindings = new Bindings();
  const source = sourceFor(bindings.bind);
  const order = `ORDER BY ${orderClause(sorter, source.key, bindings.bind)}`;
  const rows = textOf({ source, request, bindings, order });
  return {
    text: request.exactCount ? withCount(rows, source, request, bindings.bind) : rows,
    values: bindings.values,
    prepared: filters.length === 0 && sorter.length <= MAX_PREPARED_KEYS,
    searching: filters.some(({ operator }) => SEARCHING.has(operator)),
  };
}

/** What narrows the filters of a list down. */
export const indexPrefiltersOf = ({ filters }: Pick<ListRequest, 'filters'>): IndexPrefilter[] =>
  filters.flatMap(
    ({ attribute, operator, value }) => attribute.indexPrefilter?.(operator, value, false) ?? [],
  );

const limitClause = ({ request: { range }, bindings: { bind } }: Query): string =>
  `LIMIT ${bind(range.count + 1)} OFFSET ${bind(range.start)}`;

const shownRows = ({ columns, table, joins }: ListSource): string =>
  `SELECT ${columns.join(', ')} FROM ${table} ${joins}`;

/** The rows of these keys, so that only those are joined. */
const deferredJoin = ({ source, order }: Query, keys: string): string =>
  `WITH ids AS MATERIALIZED (${keys}) ` +
  `${shownRows(source)} WHERE ${source.key} IN (SELECT key FROM ids) ${order}`;

/** So many rows at least, and few different numbers, each of which is a plan to keep. */
const planLimit = (rows: number): number =>
  Math.max(MIN_PLAN_LIMIT, 2 ** Math.ceil(Math.log2(rows)));

function withCount(rows: string, source: ListSource, request: ListRequest, bind: Bind): string {
  const where = whereClause(source, request, bind, conditionCounting);
  const aliases = source.columns.map((_, index) => `c${index}`);
  return (
    `SELECT total.count, page.* FROM (SELECT count(*) AS count FROM ${source.table} ${where}) AS total ` +
    `LEFT JOIN (SELECT true AS present, numbered.*, row_number() OVER () AS place FROM (${rows}) AS numbered(${aliases.join(', ')})) AS page ON true ` +
    'ORDER BY page.place'
  );
}

function whereClause(
  source: Pick<ListSource, 'conditions'>,
  request: Pick<ListRequest, 'filters' | 'filterMode'>,
  bind: Bind,
  toCondition: ToCondition,
): string {
  const conditions = conditionsOf(source, request, bind, toCondition);
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

function conditionsOf(
  source: Pick<ListSource, 'conditions'>,
  request: Pick<ListRequest, 'filters' | 'filterMode'>,
  bind: Bind,
  toCondition: ToCondition,
): string[] {
  const conditions = source.conditions.map((condition) => condition(bind));
  if (request.filters.length > 0) conditions.push(filterCondition(request, bind, toCondition));
  return conditions;
}

/** What filters say of a row of the listed table; without filters every row is meant. */
export function filterCondition(
  { filters, filterMode }: Pick<ListRequest, 'filters' | 'filterMode'>,
  bind: Bind,
  toCondition: ToCondition = prefilteredConditionOf,
): string {
  if (filters.length === 0) return 'true';
  const joined = filters.map((filter) => `(${toCondition(filter, bind)})`);
  return `(${joined.join(filterMode === 'or' ? ' OR ' : ' AND ')})`;
}

type ToCondition = (filter: Filter, bind: Bind) => string;

const conditionOf: ToCondition = ({ attribute, operator, value }, bind) =>
  attribute.condition(LISTED, operator, value, bind);

const prefilteredConditionOf: ToCondition = ({ attribute, operator, value }, bind) =>
  prefilteredCondition(attribute, [LISTED, operator, value, bind]);

const conditionCounting: ToCondition = ({ attribute, operator, value }, bind) =>
  prefilteredCondition(attribute, [LISTED, operator, value, bind], true);

/** The key takes the direction of the last attribute: descending is then the same index backwards. */
function orderClause(sorter: SortKey[], key: string, bind: Bind): string {
  const expressions = sorter.map(({ attribute }) => attribute.order(LISTED, bind));
  const keys = sorter.map(({ descending }, at) => expressions[at] + (descending ? ' DESC' : ''));
  if (expressions.includes(key)) return keys.join(', ');
  return [...keys, key + (sorter.at(-1)?.descending ? ' DESC' : '')].join(', ');
}
