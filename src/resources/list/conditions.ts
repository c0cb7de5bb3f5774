import { Attribute } from '../attributes/attribute.js';
import {
  type Filterable,
  prefilteredCondition,
  type ValueSource,
} from '../attributes/filterable.js';
import { KnownValues } from '../attributes/known-values.js';
import { LOOKED_UP } from '../attributes/link-targets.js';
import { LinkedTextAttribute } from '../attributes/linked-text-attribute.js';
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
 * How the rows of filters are found: which filters read the n-gram index, and where all have to match, which filter alone
 * finds the rows, and of which others the rows within, or the rows outside, are found too. The remaining ones are checked
 * on each row. Part of the cache key of a list's SQL.
 */
export type Finding = `by ${string}`;

/** The finding by the n-grams of these filters, and by the index of the value of the others. */
export const findingBy = (
  ngrams: number[],
  first?: number,
  { within = [], outside = [] }: Partial<Record<'within' | 'outside', number[]>> = {},
): Finding => `by ${[ngrams, [first ?? []].flat(), within, outside].join(';')}`;

interface FindingParts {
  ngrams: number[];
  first: number | undefined;
  within: number[];
  outside: number[];
}

const partsOf = (finding: Finding): FindingParts => {
  const parts = finding.slice('by '.length).split(';');
  const [ngrams, first, within, outside] = parts.map((part) =>
    part.split(',').filter(Boolean).map(Number),
  ) as [number[], number[], number[], number[]];
  return { ngrams, first: first[0], within, outside };
};

/** The alias of the table that is read for one filter. */
export const matchingAlias = (index: number): string => `i${index}`;

/** The alias of the table that is read for the rows outside of a filter. */
export const outsideAlias = (index: number): string => `x${index}`;

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

/** The rows of a list, or all others, for lists of which many rows match, all of them late in the order (docs/decisions/0036). */
export interface IdSet {
  /** A query of ids. */
  rows: string;
  /** Queries of ids of which each has to have those of the set. */
  within: string[];
  /** Queries of ids that are not part of the set. */
  without: string[];
  /** The conditions of the other filters, where all have to match. */
  others: string[];
  /** Those of them that `within` and `without` do not answer. */
  unanswered: string[];
}

/** The ids of all rows that match; no row is read for them where an index has the value of each filter. */
export function matchingIds(filtered: FilteredTable, finding: Finding): IdSet {
  const { filters, filterMode } = filtered;
  if (filterMode === 'or') return unionOf(matchesOf(filtered, finding, filters));
  const { first = 0, within, outside } = partsOf(finding);
  const alike = filters.flatMap((filter, index) =>
    index !== first && isAlike(filter, filters[first]!) ? [index] : [],
  );
  const answered = [...within, ...outside, ...alike];
  const conditionsWhere = (isWanted: (index: number) => boolean): string[] =>
    filters.flatMap((filter, index) =>
      index !== first && isWanted(index) ? [`(${conditionOf(filtered, filter, index)})`] : [],
    );
  return {
    rows: rowsOf(filtered, finding, filters[first]!, first, { alike }),
    within: within.map((index) => rowsOf(filtered, finding, filters[index]!, index)),
    without: outside.map((index) => outsideOf(filtered, finding, index)!),
    others: conditionsWhere(() => true),
    unanswered: conditionsWhere((index) => !answered.includes(index)),
  };
}

/**
 * The ids of all rows that do not match. By De Morgan's laws, those outside of all filters are outside of the first one
 * and match no other, and those outside of any filter are the union.
 */
export function otherIds(filtered: FilteredTable, finding: Finding): IdSet {
  const { filters, filterMode } = filtered;
  const { first = 0 } = partsOf(finding);
  if (filterMode === 'or') {
    const matches = matchesOf(filtered, finding, filters);
    const without = matches.filter((_, index) => index !== first);
    return { ...unionOf([outsideOf(filtered, finding, first)!]), without };
  }
  return unionOf(filters.map((_, index) => outsideOf(filtered, finding, index)!));
}

/** Whether two filters name the same attribute: its index decides about both at once. */
export const isAlike = (one: Filter, other: Filter): boolean => one.attribute === other.attribute;

const unionOf = (queries: string[]): IdSet => ({
  rows: queries.join(' UNION ALL '),
  within: [],
  without: [],
  others: [],
  unanswered: [],
});

const matchesOf = (filtered: FilteredTable, finding: Finding, filters: Filter[]): string[] =>
  filters.map((filter, index) => rowsOf(filtered, finding, filter, index));

/** Whether indexes find the rows outside of a filter: those that match the positive filter, or those outside of a range. */
export const hasOutside = (filtered: FilteredTable, index: number): boolean =>
  outsideOf(filtered, findingBy([]), index) !== undefined;

/** A query of the ids of the rows that do not match a filter; undefined where no index finds them. */
function outsideOf(filtered: FilteredTable, finding: Finding, index: number): string | undefined {
  const filter = filtered.filters[index]!;
  const alias = outsideAlias(index);
  if (isNegated(filter)) return rowsOf(filtered, finding, positiveOf(filter), index, { alias });
  const asked = askedIn(filtered, filter, index, alias);
  const conditions = filter.attribute.outsideOfRange?.(...asked);
  return conditions && idsWhere(filtered, alias, conditions);
}

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

/** The filters that neither all rows fulfil nor none; where there are none, or one decides alone, whether all rows match. */
export function variableFilters(filtered: FilteredTable): Filter[] | boolean {
  const { filters, filterMode } = filtered;
  const conditions = filters.map((filter, index) => conditionOf(filtered, filter, index));
  const isAny = filterMode === 'or';
  if (conditions.includes(String(isAny))) return isAny;
  const variable = filters.filter((_, index) => !CONSTANTS.has(conditions[index]!));
  return variable.length > 0 ? variable : !isAny;
}

/** A query of the ids that each of these filters finds by n-grams, and of those outside, for `EXPLAIN` of all at once. */
export const setsOfEach = (filtered: FilteredTable, indexes: number[]): string => {
  const finding = findingBy(indexes);
  return indexes
    .flatMap((index) => [
      rowsOf(filtered, finding, filtered.filters[index]!, index),
      outsideOf(filtered, finding, index) ?? [],
    ])
    .flat()
    .join(' UNION ALL ');
};

/**
 * The query of the ids that one filter finds.
 * @param alike the places of other filters of the same attribute, which the rows have to match, too
 */
function rowsOf(
  filtered: FilteredTable,
  finding: Finding,
  filter: Filter,
  index: number,
  { alias = matchingAlias(index), alike = [] }: { alias?: string; alike?: number[] } = {},
): string {
  const asked = askedIn(filtered, filter, index, alias);
  const owners = alike.length === 0 ? filter.attribute.ownersOf?.(...asked) : undefined;
  if (owners !== undefined) return `(${owners} OFFSET 0)`;
  const found =
    ownConditionOf(filtered, finding, filter, index, alias) ??
    (partsOf(finding).ngrams.includes(index)
      ? prefilteredCondition(filter.attribute, asked)
      : filter.attribute.condition(...asked));
  const more = alike.map((at) => `(${conditionOf(filtered, filtered.filters[at]!, at, alias)})`);
  const conditions = [found].flat().map((one) => [`(${one})`, ...more].join(' AND '));
  return idsWhere(filtered, alias, conditions);
}

/** The query of the ids of rows that fulfil one of these conditions. */
function idsWhere({ table }: FilteredTable, alias: string, conditions: string[]): string {
  // OFFSET keeps PostgreSQL from joining the table with itself, for which it would read each row.
  const queries = conditions.map(
    (condition) => `(SELECT ${alias}.id FROM ${table} ${alias} WHERE ${condition} OFFSET 0)`,
  );
  return queries.length === 1 ? queries[0]! : `(${queries.join(' UNION ALL ')})`;
}

/** The condition that reads the index of a filter's value alone, where the filter is found by it. */
function ownConditionOf(
  filtered: FilteredTable,
  finding: Finding,
  filter: Filter,
  index: number,
  alias = matchingAlias(index),
): string | string[] | undefined {
  if (hasPrefilter(filter) && partsOf(finding).ngrams.includes(index)) return undefined;
  return filter.attribute.ownIndexCondition?.(...askedIn(filtered, filter, index, alias));
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

/** Whether PostgreSQL can estimate how many rows a filter matches: not where it does not know the linked objects. */
export const isEstimated = ({ attribute, variant }: Filter): boolean =>
  attribute instanceof KnownValues ||
  (variant !== LOOKED_UP &&
    attribute instanceof Attribute &&
    !(attribute instanceof LinkedTextAttribute));

/** The types of attributes whose values are compared as they are, which takes a fraction of a microsecond. */
const PLAIN: ReadonlySet<string> = new Set(['boolean', 'coded', 'link', 'number', 'timestamp']);

/** Whether a filter compares plain values, without folding texts. */
export const isPlain = ({ attribute }: Filter): boolean =>
  attribute instanceof Attribute && PLAIN.has(attribute.type);

/** Where the values that match the filter at this place are looked for first. */
export function valueSourceOf(filtered: FilteredTable, index: number): ValueSource | undefined {
  const filter = filtered.filters[index]!;
  const [, comparison, viewer] = askedIn(filtered, filter, index);
  return filter.attribute.valueSource?.(comparison, viewer);
}

/** The distinct values of the filter at this place, where an index has them. */
export function distinctValuesOf(filtered: FilteredTable, index: number): ValueSource | undefined {
  const filter = filtered.filters[index]!;
  const [, comparison] = askedIn(filtered, filter, index);
  return filter.attribute.distinctValues?.(comparison, filtered.table);
}

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
): Parameters<Filterable['condition']> => [
  alias,
  { operator, variant, value, others: othersOf(value) },
  viewer,
];

/** The name of the other values of a filter, after that of its value. */
export const othersOf = (value: string): string => `${value}Others`;
