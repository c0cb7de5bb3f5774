import { type Filterable, prefilteredCondition } from '../attributes/filterable.js';
import { LISTED } from '../resource.js';
import type { SqlViewer } from '../visibility.js';
import type { Filter, FilterMode } from './filters.js';

/**
 * Which indexed conditions accompany the filters: none, those that speed up finding rows, or those that
 * speed up counting them.
 */
export type Prefilters = 'none' | 'finding' | 'counting';

/** The SQL condition of a list's filters; without filters every row fits. */
export function filterCondition(
  { filters, filterMode }: { filters: Filter[]; filterMode: FilterMode },
  viewer: SqlViewer,
  valueSql: (filter: Filter, index: number) => string,
  prefilters: Prefilters = 'finding',
): string {
  if (filters.length === 0) return 'true';
  const conditions = filters.map((filter, index) => {
    const { attribute, operator, variant } = filter;
    const comparison = { operator, variant, value: valueSql(filter, index) };
    const asked: Parameters<Filterable['condition']> = [LISTED, comparison, viewer];
    return prefilters === 'none'
      ? `(${attribute.condition(...asked)})`
      : `(${prefilteredCondition(attribute, asked, prefilters === 'counting')})`;
  });
  return `(${conditions.join(filterMode === 'or' ? ' OR ' : ' AND ')})`;
}
