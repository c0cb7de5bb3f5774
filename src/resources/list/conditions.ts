import { Attribute } from '../attributes/attribute.js';
import { type Filterable, prefilteredCondition } from '../attributes/filterable.js';
import type { Operator } from '../attributes/operators.js';
import { LISTED } from '../resource.js';
import type { Role, SqlViewer } from '../visibility.js';
import type { Filter, FilterMode } from './filters.js';

/** The viewer of a list; all viewers of a role share one statement. */
export const viewerOf = ({ administrator, processEngine }: Role): SqlViewer => ({
  administrator,
  processEngine,
  idSql: () => ':viewer',
});

/**
 * Which indexed conditions accompany the filters: none, none for conditions that check each row by itself, those that
 * speed up finding rows, or those that speed up counting them.
 */
export type Prefilters = 'none' | 'each' | 'finding' | 'counting';

interface Filters {
  filters: Filter[];
  filterMode: FilterMode;
}

/** The filters of a list on a table: where its rows are, and the SQL of each bound value. */
export interface FilteredTable extends Filters {
  table: string;
  viewer: SqlViewer;
  valueSql: (filter: Filter, index: number) => string;
}

/** The SQL condition of a list's filters; without filters every row fits. */
export function filterCondition(
  { filters, filterMode }: Filters,
  viewer: SqlViewer,
  valueSql: FilteredTable['valueSql'],
  prefilters: Prefilters = 'finding',
): string {
  if (filters.length === 0) return 'true';
  const conditions = filters.map((filter, index) => {
    const [alias, comparison] = askedOf(filter, LISTED, valueSql(filter, index), viewer);
    const each = prefilters === 'each';
    if (each || prefilters === 'none')
      return `(${filter.attribute.condition(alias, { ...comparison, each }, viewer)})`;
    const isCounting = prefilters === 'counting';
    return `(${prefilteredCondition(filter.attribute, [alias, comparison, viewer], isCounting)})`;
  });
  return `(${conditions.join(filterMode === 'or' ? ' OR ' : ' AND ')})`;
}

/**
 * How the rows of filters are found: which filters read the n-gram index, and which filter alone finds the rows where all
 * filters have to match, so that the others are checked on its rows. Part of the cache key of a list's SQL.
 */
export type Finding = `by ${string}`;

/** The finding by the n-grams of these filters, and by the index of the value of the others. */
export const findingBy = (ngrams: number[], first?: number): Finding =>
  `by ${ngrams.join(',')};${first ?? ''}`;

const partsOf = (finding: Finding): { ngrams: number[]; first: number | undefined } => {
  const [ngrams, first] = finding
    .slice('by '.length)
    .split(';')
    .map((part) => part.split(',').filter(Boolean).map(Number));
  return { ngrams: ngrams!, first: first?.[0] };
};

/** The alias of the table that is read for one filter. */
export const matchingAlias = (index: number): string => `i${index}`;

/**
 * The condition of filters that few rows match. Any of several filters is a union of the rows that each finds by its
 * own index (docs/decisions/0036).
 */
export function findingCondition(filtered: FilteredTable, finding: Finding): string {
  const { filters, filterMode } = filtered;
  if (filterMode === 'or')
    return `${LISTED}.id IN (${filters.map((filter, index) => rowsOf(filtered, finding, filter, index)).join(' UNION ALL ')})`;
  const { ngrams, first } = partsOf(finding);
  const conditions = filters.map((filter, index) => {
    const asked = askedIn(filtered, filter, index);
    if (index !== first) return `(${filter.attribute.condition(...asked)})`;
    if (ownConditionOf(filtered, finding, filter, index) !== undefined)
      return `${LISTED}.id IN ${rowsOf(filtered, finding, filter, index)}`;
    return `(${ngrams.includes(index) ? prefilteredCondition(filter.attribute, asked) : filter.attribute.condition(...asked)})`;
  });
  return conditions.join(' AND ');
}

/** The rows that match, for lists of which many rows match, all of them late in the order (docs/decisions/0036). */
export interface MatchingIds {
  /** A query of ids. */
  rows: string;
  /** The conditions of the other filters, where all have to match. */
  others: string[];
}

/** The ids of all rows that match; no row is read for them where an index has the value of each filter. */
export function matchingIds(filtered: FilteredTable, finding: Finding): MatchingIds {
  const { filters, filterMode } = filtered;
  const rows = filters.map((filter, index) => rowsOf(filtered, finding, filter, index));
  if (filterMode === 'or') return { rows: rows.join(' UNION ALL '), others: [] };
  const { first = 0 } = partsOf(finding);
  const conditions = filters.map((filter, index) => `(${conditionOf(filtered, filter, index)})`);
  return { rows: rows[first]!, others: conditions.filter((_, index) => index !== first) };
}

/** Whether the ids of the rows that match none of several filters are found by indexes: one filter is negated. */
export const hasOtherIds = ({ filters, filterMode }: Filters): boolean =>
  filterMode === 'or' && filters.some(isNegated);

/** The ids of the rows that do not match: a single filter, or any of several of which one is negated. */
export function otherIds(filtered: FilteredTable, finding: Finding): string {
  const { filters, table } = filtered;
  const [only, ...more] = filters as [Filter, ...Filter[]];
  if (more.length === 0 && !isNegated(only)) {
    const asked = askedIn(filtered, only, 0, matchingAlias(0));
    const conditions = only.attribute.outsideOfRange?.(...asked) ?? [
      `(${only.attribute.condition(...asked)}) IS NOT TRUE`,
    ];
    return conditions
      .map((condition) => `SELECT i0.id FROM ${table} i0 WHERE ${condition}`)
      .join(' UNION ALL ');
  }
  const unmatched: string[] = [];
  const matched: string[] = [];
  filters.forEach((filter, index) => {
    if (isNegated(filter)) unmatched.push(rowsOf(filtered, finding, positiveOf(filter), index));
    else matched.push(rowsOf(filtered, finding, filter, index));
  });
  return [unmatched.join(' INTERSECT '), ...matched].join(' EXCEPT ');
}

/** The condition that a row is one of these; `IS TRUE` makes PostgreSQL keep their ids in a hash table. */
export const isIn = (rows: string, isWanted = true): string =>
  `(${LISTED}.id IN (${rows})) IS ${isWanted ? '' : 'NOT '}TRUE`;

/** The conditions of filters that all rows fulfil, or none. */
const CONSTANTS: ReadonlySet<string> = new Set(['true', 'false']);

/** The operators that nearly all rows fulfil, with those that match the others. */
const POSITIVE_OF: Partial<Record<Operator, Operator>> = { neq: 'eq', notcontains: 'contains' };

/** Whether nearly all rows fulfil a filter. */
export const isNegated = ({ operator }: Filter): boolean => POSITIVE_OF[operator] !== undefined;

const positiveOf = (filter: Filter): Filter => ({
  ...filter,
  operator: POSITIVE_OF[filter.operator]!,
});

const conditionOf = (
  filtered: FilteredTable,
  filter: Filter,
  index: number,
  alias = LISTED,
): string => filter.attribute.condition(...askedIn(filtered, filter, index, alias));

const askedIn = (
  { viewer, valueSql }: FilteredTable,
  filter: Filter,
  index: number,
  alias = LISTED,
): Parameters<Filterable['condition']> => askedOf(filter, alias, valueSql(filter, index), viewer);

/** The places of the filters that neither all rows fulfil nor none. */
export const variableFilters = (filtered: FilteredTable): number[] =>
  filtered.filters.flatMap((filter, index) =>
    CONSTANTS.has(conditionOf(filtered, filter, index)) ? [] : [index],
  );

/** A query of the ids that each of these filters finds by n-grams, for `EXPLAIN` of all at once. */
export const matchesOfEach = (filtered: FilteredTable, indexes: number[]): string =>
  indexes
    .map((index) => rowsOf(filtered, findingBy(indexes), filtered.filters[index]!, index))
    .join(' UNION ALL ');

/** The query of the ids that one filter finds. */
function rowsOf(filtered: FilteredTable, finding: Finding, filter: Filter, index: number): string {
  const alias = matchingAlias(index);
  const found =
    ownConditionOf(filtered, finding, filter, index) ??
    prefilteredCondition(filter.attribute, askedIn(filtered, filter, index, alias));
  // OFFSET keeps PostgreSQL from joining the table with itself, for which it would read each row.
  const queries = [found]
    .flat()
    .map(
      (condition) =>
        `(SELECT ${alias}.id FROM ${filtered.table} ${alias} WHERE ${condition} OFFSET 0)`,
    );
  return queries.length === 1 ? queries[0]! : `(${queries.join(' UNION ALL ')})`;
}

/** The condition that reads the index of a filter's value alone, where the filter is found by it. */
function ownConditionOf(
  filtered: FilteredTable,
  finding: Finding,
  filter: Filter,
  index: number,
): string | string[] | undefined {
  if (hasPrefilter(filter) && partsOf(finding).ngrams.includes(index)) return undefined;
  const asked = askedIn(filtered, filter, index, matchingAlias(index));
  return filter.attribute.ownIndexCondition?.(...asked);
}

/** Whether a filter is found by reading the index of its value alone. */
export const isFoundByOwnIndex = (
  filtered: FilteredTable,
  finding: Finding,
  index: number,
): boolean => ownConditionOf(filtered, finding, filtered.filters[index]!, index) !== undefined;

/** Whether the index of a filter's value alone tells which rows match. */
export const scansOwnIndex = (
  { attribute, operator, variant }: Filter,
  viewer: SqlViewer,
): boolean =>
  attribute.ownIndexCondition?.(LISTED, { operator, value: '', variant }, viewer) !== undefined;

/** Whether each comparison takes long, because it folds a text. */
export const comparesTexts = ({ attribute }: Filter): boolean =>
  !(attribute instanceof Attribute) || attribute.type === 'text';

/** Whether an n-gram index narrows a filter down. */
export function hasPrefilter({ attribute, operator, variant }: Filter): boolean {
  const comparison = { operator, value: '', variant };
  return (
    attribute.indexPrefilter(comparison, false) !== undefined ||
    (attribute.findsByNgrams?.(comparison) ?? false)
  );
}

const askedOf = (
  { operator, variant }: Filter,
  alias: string,
  value: string,
  viewer: SqlViewer,
): Parameters<Filterable['condition']> => [alias, { operator, variant, value }, viewer];
