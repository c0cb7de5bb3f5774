import { Bindings, type Bind } from './attribute.js';
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
  /** Whether a plan may be kept for it: texts that are searched inside want a plan that sees them. */
  prepared: boolean;
}

/**
 * Of a bound LIMIT PostgreSQL expects a tenth of the table, so that it would plan every page anew, which
 * takes as long as reading it. Where nothing but the range is bound, a power of two in the text says
 * how many rows are meant at most; from here on.
 */
const LEAST_MEANT = 64;

/** From here on, ids are collected first and only the page's rows are joined. */
const DEEP_PAGE = 500;

/** The alias of the table that is listed. */
export const LISTED = 't';

const SEARCHING = new Set(['starts', 'ends', 'contains', 'notcontains']);

/**
 * One page of a list, one row more than asked for, so that it is known whether there is a next
 * one; with the exact count the first column is the count, from the same snapshot, and a page past
 * the end is one row of nulls behind it.
 */
export function listStatement(
  sourceFor: (bind: Bind) => ListSource,
  request: ListRequest,
): Statement {
  const bindings = new Bindings();
  const source = sourceFor(bindings.bind);
  const where = whereClause(source, request, bindings.bind);
  const order = `ORDER BY ${orderClause(request.sorter, source.key)}`;
  const isOnePlanBest = bindings.values.length === 0;
  const { start, count } = request.range;
  const limit = `LIMIT ${bindings.bind(count + 1)} OFFSET ${bindings.bind(start)}`;
  const shown = `SELECT ${source.columns.join(', ')} FROM ${source.table} ${source.joins}`;
  const rows = (): string => {
    if (start >= DEEP_PAGE)
      return (
        `WITH ids AS MATERIALIZED (SELECT ${source.key} AS key FROM ${source.table} ${where} ${order} ${limit}) ` +
        `${shown} WHERE ${source.key} IN (SELECT key FROM ids) ${order}`
      );
    if (!isOnePlanBest) return `${shown} ${where} ${order} ${limit}`;
    return `SELECT * FROM (${shown} ${where} ${order} LIMIT ${meant(start + count + 1)}) AS page ${limit}`;
  };
  return {
    text: request.exactCount ? withCount(rows(), source, request, bindings.bind) : rows(),
    values: bindings.values,
    prepared: !request.filters.some(({ operator }) => SEARCHING.has(operator)),
  };
}

/** So many rows at least, and few different numbers, each of which is a plan to keep. */
const meant = (rows: number): number => Math.max(LEAST_MEANT, 2 ** Math.ceil(Math.log2(rows)));

/** The number of rows that a list would have, from the same conditions. */
export function countStatement(
  source: Pick<ListSource, 'table' | 'conditions'>,
  request: Pick<ListRequest, 'filters' | 'filterMode'>,
): Statement {
  const bindings = new Bindings();
  const where = whereClause(source, request, bindings.bind, conditionCounting);
  return {
    text: `SELECT count(*) FROM ${source.table} ${where}`,
    values: bindings.values,
    prepared: true,
  };
}

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
  toCondition = conditionOf,
): string {
  const conditions = source.conditions.map((condition) => condition(bind));
  if (request.filters.length > 0) conditions.push(filterCondition(request, bind, toCondition));
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

/** What filters say of a row of the listed table; without filters every row is meant. */
export function filterCondition(
  { filters, filterMode }: Pick<ListRequest, 'filters' | 'filterMode'>,
  bind: Bind,
  toCondition = conditionOf,
): string {
  if (filters.length === 0) return 'true';
  const joined = filters.map((filter) => toCondition(filter, bind));
  return `(${joined.join(filterMode === 'or' ? ' OR ' : ' AND ')})`;
}

const conditionOf = ({ attribute, operator, value }: Filter, bind: Bind): string =>
  `(${attribute.condition(LISTED, operator, value, bind)})`;

const conditionCounting = (filter: Filter, bind: Bind): string => {
  const { attribute, operator, value } = filter;
  const condition = attribute.countedBy?.(LISTED, operator, value, bind);
  return condition === undefined ? conditionOf(filter, bind) : `(${condition})`;
};

/** The key takes the direction of the last attribute: descending is then the same index backwards. */
function orderClause(sorter: SortKey[], key: string): string {
  const keys = sorter.map(
    ({ attribute, descending }) => attribute.order(LISTED) + (descending ? ' DESC' : ''),
  );
  if (sorter.some(({ attribute }) => attribute.order(LISTED) === key)) return keys.join(', ');
  return [...keys, key + (sorter.at(-1)?.descending ? ' DESC' : '')].join(', ');
}
