import { Attribute } from '../attributes/attribute.js';
import { type Filterable, withNgrams } from '../attributes/filterable.js';
import { LOOKED_UP } from '../attributes/link-targets.js';
import { OPPOSITE_OF } from '../attributes/operators.js';
import { LISTED } from '../resource.js';
import type { RightsHolder, SqlViewer } from '../visibility.js';
import type { Filter, FilterMode } from './filters.js';

/** The viewer of a list; all viewers with equal rights share one statement. */
export const viewerOf = ({ rights }: RightsHolder): SqlViewer => ({
  rights,
  idSql: () => ':viewer',
});

interface Filters {
  filters: Filter[];
  filterMode: FilterMode;
}

/** The filters of a list, and the SQL of each bound value. */
interface AskedFilters extends Filters {
  viewer: SqlViewer;
  valueSql: (filter: Filter, place: number) => string;
}

/** The filters of a list on a table. */
export interface FilteredTable extends AskedFilters {
  table: string;
}

/**
 * The form of a condition: to check `each` row by itself, or together with a condition that the n-gram indexes answer.
 */
type Form = 'each' | 'ngrams';

/** The SQL condition of a list's filters; without filters every row fits. */
export function filterCondition(
  { filters, filterMode }: Filters,
  viewer: SqlViewer,
  valueSql: FilteredTable['valueSql'],
  form?: Form,
): string {
  if (filters.length === 0) return 'true';
  const filtered = { filters, filterMode, viewer, valueSql };
  const conditions = conditionsAt(filtered, [...filters.keys()], form);
  return `(${conditions.join(filterMode === 'or' ? ' OR ' : ' AND ')})`;
}

/** The conditions of the filters at these indexes. */
export const conditionsAt = (filtered: AskedFilters, places: number[], form?: Form): string[] =>
  places.map((place) => {
    const { attribute } = filtered.filters[place]!;
    const [alias, comparison, viewer] = askedIn(filtered, place, LISTED);
    return form === 'ngrams'
      ? `(${withNgrams(attribute, [alias, comparison, viewer])})`
      : `(${attribute.condition(alias, { ...comparison, each: form === 'each' }, viewer)})`;
  });

/** The remaining conditions on rows that the filters at these indexes find. */
export function otherConditions(filtered: AskedFilters, places: number[], form?: Form): string[] {
  const { filters, filterMode } = filtered;
  if (filterMode === 'or') {
    const { viewer, valueSql } = filtered;
    return places.length > 0 ? [] : [filterCondition(filtered, viewer, valueSql, form)];
  }
  const others = [...filters.keys()].filter((place) => !places.includes(place));
  return conditionsAt(filtered, others, form);
}

/**
 * A finder of the rows of a list: a part of its conditions that yields ids. The other conditions then check these rows.
 */
export interface Finder {
  /**
   * The indexes of the filters of one attribute, or of several alternative filters; none for the narrowing of the list.
   */
  places: number[];
  /** The filters among them that use the n-gram index; the others use the index of the value. */
  ngrams: number[];
}

/** The narrowing of a list finds the rows. */
export const NARROWING: Finder = { places: [], ngrams: [] };

/**
 * The possible finders of a list. For an AND: the filters on plain values together, whose indexes PostgreSQL combines,
 * and the filters of each other attribute, which one scan of its index decides. For an OR: each filter.
 */
export function findersOf({ filters, filterMode }: Filters): Finder[] {
  const finders = new Map<unknown, Finder>();
  filters.forEach((filter, place) => {
    const key = filterMode === 'or' ? place : isPlain(filter) ? 'plain' : filter.attribute;
    const finder = finders.get(key) ?? { places: [], ngrams: [] };
    finder.places.push(place);
    if (hasNgrams(filter)) finder.ngrams.push(place);
    finders.set(key, finder);
  });
  return [...finders.values()];
}

/** The types of attributes whose values are compared without folding, in a fraction of a microsecond. */
const PLAIN: ReadonlySet<string> = new Set(['boolean', 'coded', 'link', 'number', 'timestamp']);

/** Whether a filter compares plain values, without folding texts. */
export const isPlain = ({ attribute }: Filter): boolean =>
  attribute instanceof Attribute && PLAIN.has(attribute.type);

/** The alias of the table in the estimate of all rows. */
export const EVERY_ROW = 'every_row';

/** The aliases of the table for the filter at an index: for its rows, and for those with its n-grams. */
export const finderAlias = (place: number): string => `i${place}`;
export const ngramAlias = (place: number): string => `n${place}`;

/** The query of the ids that filters find. It is an index-only scan where an index has the values. */
export function idsBy(filtered: FilteredTable, { places, ngrams }: Finder): string {
  const { filters, filterMode, table } = filtered;
  const alias = finderAlias(places[0]!);
  const conditions = places.map((place) => {
    const { attribute } = filters[place]!;
    const asked = askedIn(filtered, place, filterMode === 'or' ? finderAlias(place) : alias);
    return ngrams.includes(place)
      ? withNgrams(attribute, asked)
      : (attribute.ownIndexCondition?.(...asked) ?? attribute.condition(...asked));
  });
  return filterMode === 'or'
    ? places.map((place, n) => idsWhere(table, finderAlias(place), conditions[n]!)).join(UNION)
    : idsWhere(table, alias, conditions.map((condition) => `(${condition})`).join(' AND '));
}

/** The query of the ids of rows that have the n-grams of filters. */
export function idsByNgrams(filtered: FilteredTable, { ngrams }: Finder): string {
  const alias = ngramAlias(ngrams[0]!);
  const conditions = ngrams.map((place) => {
    const [, comparison] = askedIn(filtered, place, alias);
    return filtered.filters[place]!.attribute.ngramCondition!(alias, comparison)!;
  });
  return idsWhere(filtered.table, alias, conditions.join(' AND '));
}

/** Joins queries of ids. */
export const UNION = ' UNION ALL ';

/** A query of ids. OFFSET keeps PostgreSQL from joining the table with itself, for which it would read each row. */
export const idsWhere = (table: string, alias: string, condition: string): string =>
  `(SELECT ${alias}.id FROM ${table} ${alias} WHERE ${condition} OFFSET 0)`;

/**
 * Whether PostgreSQL can estimate a filter. It cannot where linked objects decide, or where a negated filter names
 * objects.
 */
export const isEstimated = (filter: Filter): boolean =>
  !filter.attribute.isOfLinked && !(filter.variant === LOOKED_UP && isNegated(filter));

/** Whether a filter is negated, so that it also matches rows without a value. */
export const isNegated = ({ operator }: Filter): boolean => OPPOSITE_OF[operator] !== undefined;

/** Whether the index of a filter's value alone decides which rows match. */
export const hasOwnIndex = (filtered: FilteredTable, place: number): boolean =>
  filtered.filters[place]!.attribute.ownIndexCondition?.(...askedIn(filtered, place, LISTED)) !==
  undefined;

const hasNgrams = ({ attribute, operator, variant }: Filter): boolean =>
  attribute.ngramCondition?.(LISTED, { operator, value: '', variant }) !== undefined;

const askedIn = (
  { filters, viewer, valueSql }: AskedFilters,
  place: number,
  alias: string,
): Parameters<Filterable['condition']> => {
  const { operator, variant } = filters[place]!;
  return [alias, { operator, variant, value: valueSql(filters[place]!, place) }, viewer];
};
