import { type Filterable, prefilteredCondition } from '../attributes/filterable.js';
import { LISTED } from '../resource.js';
import type { SqlViewer } from '../visibility.js';
import type { Filter, FilterMode } from './filters.js';

/**
 * Which indexed conditions accompany the filters: none, those that speed up finding rows, or those that
 * speed up counting them.
 */
export type Prefilters = 'none' | 'finding' | 'counting';

interface Filters {
  filters: Filter[];
  filterMode: FilterMode;
}

/** The SQL condition of a list's filters; without filters every row fits. */
export function filterCondition(
  { filters, filterMode }: Filters,
  viewer: SqlViewer,
  valueSql: (filter: Filter, index: number) => string,
  prefilters: Prefilters = 'finding',
): string {
  if (filters.length === 0) return 'true';
  const conditions = filters.map((filter, index) => {
    const asked = askedOf(filter, LISTED, valueSql(filter, index), viewer);
    return prefilters === 'none'
      ? `(${filter.attribute.condition(...asked)})`
      : `(${prefilteredCondition(filter.attribute, asked, prefilters === 'counting')})`;
  });
  return `(${conditions.join(filterMode === 'or' ? ' OR ' : ' AND ')})`;
}

/** How the rows of filters that few rows match are found: substrings by n-grams, or each by the index of its text. */
export type Finding = 'by-ngrams' | 'by-indexes';

/** The alias of a table that is read for one filter. */
const MATCHING = 'i';

/**
 * The same condition, for filters that few rows match. It reads the index of a text by itself, and the rows of any of
 * several filters by the index that each prefers (docs/decisions/0036).
 */
export function findingCondition(
  { filters, filterMode }: Filters,
  table: string,
  viewer: SqlViewer,
  valueSql: (filter: Filter, index: number) => string,
  finding: Finding,
): string {
  const rowsWhere = (condition: string): string =>
    `SELECT ${MATCHING}.id FROM ${table} ${MATCHING} WHERE ${condition}`;
  const found = (alias: string) => (filter: Filter, index: number) => {
    const asked = askedOf(filter, alias, valueSql(filter, index), viewer);
    return prefilteredCondition(filter.attribute, asked);
  };
  const own = (filter: Filter, index: number): string | undefined => {
    if (finding === 'by-ngrams' && hasPrefilter(filter)) return undefined;
    const [, comparison] = askedOf(filter, MATCHING, valueSql(filter, index), viewer);
    return filter.attribute.ownIndexCondition?.(MATCHING, comparison);
  };
  const inRows = (rows: string[]): string => `${LISTED}.id IN (${rows.join(' UNION ALL ')})`;
  if (filterMode === 'or')
    return inRows(
      filters.map((filter, index) =>
        rowsWhere(own(filter, index) ?? found(MATCHING)(filter, index)),
      ),
    );
  const conditions = filters.map((filter, index) => {
    const condition = own(filter, index);
    return condition ? inRows([rowsWhere(condition)]) : `(${found(LISTED)(filter, index)})`;
  });
  return conditions.join(' AND ');
}

/** Whether the index of a filter's value alone tells which rows match. */
export const scansOwnIndex = ({ attribute, operator, variant }: Filter): boolean =>
  attribute.ownIndexCondition?.(LISTED, { operator, value: '', variant }) !== undefined;

/** Whether an n-gram index narrows a filter down. */
export const hasPrefilter = ({ attribute, operator, variant }: Filter): boolean =>
  attribute.indexPrefilter({ operator, value: '', variant }, false) !== undefined;

const askedOf = (
  { operator, variant }: Filter,
  alias: string,
  value: string,
  viewer: SqlViewer,
): Parameters<Filterable['condition']> => [alias, { operator, variant, value }, viewer];
