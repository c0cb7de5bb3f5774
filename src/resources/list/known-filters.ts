import type { ValueSource } from '../attributes/filterable.js';
import { KnownValues } from '../attributes/known-values.js';
import { distinctValuesOf, valueSourceOf } from './conditions.js';
import type { Filter } from './filters.js';
import { filteredTableOf } from './list-builder.js';
import type { ListSql, Read } from './list-sql.js';
import type { ListPlan } from './plan-list.js';

/**
 * Replaces filters of linked objects, and of what a text with few values contains, by those of the values that match,
 * where there are few to look through: PostgreSQL knows how many rows have a value, and that no row has none of them.
 */
export const withKnownValues = (read: Read, sql: ListSql, plan: ListPlan): Promise<ListPlan> =>
  replaceBy(valueSourceOf, read, sql, plan);

/**
 * Replaces filters that look inside a text by those of the texts that match, where all rows have few: looking for them
 * takes up to 10 ms, which pays where matching rows come late in the order of the list. Returns the plan itself where
 * no filter has few, which takes a millisecond.
 */
export const withDistinctValues = (read: Read, sql: ListSql, plan: ListPlan): Promise<ListPlan> =>
  replaceBy(distinctValuesOf, read, sql, plan);

async function replaceBy(
  sourceOf: typeof valueSourceOf,
  read: Read,
  sql: ListSql,
  plan: ListPlan,
): Promise<ListPlan> {
  const filtered = filteredTableOf(plan);
  const filters: Filter[] = [];
  for (const [index, filter] of plan.filters.entries()) {
    const source = sourceOf(filtered, index);
    const known = source && (await knownFilter(read, sql, plan, index, source));
    filters.push(known ?? filter);
  }
  const isSame = filters.every((filter, index) => filter === plan.filters[index]);
  return isSame ? plan : { ...plan, filters };
}

/** The filter by the values that match; undefined where there are many. */
async function knownFilter(
  read: Read,
  sql: ListSql,
  plan: ListPlan,
  index: number,
  source: ValueSource,
): Promise<Filter | undefined> {
  const [row] = await read(sql.values(plan, index, source));
  if (!row) return undefined;
  const [value, others] = row as [string[], string[]];
  return {
    attribute: new KnownValues(plan.filters[index]!.attribute.name, source),
    operator: source.isNegated ? 'neq' : 'eq',
    value,
    others,
    variant: KnownValues.variantFor(value),
  };
}
