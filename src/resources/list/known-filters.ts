import { KnownValues } from '../attributes/known-values.js';
import { valueSourceOf } from './conditions.js';
import type { Filter } from './filters.js';
import { filteredTableOf } from './list-builder.js';
import type { ListSql, Read } from './list-sql.js';
import type { ListPlan } from './plan-list.js';

/**
 * Replaces filters of linked objects, and of what a text with few values contains, by those of the values that match,
 * where there are few to look through: PostgreSQL knows how many rows have a value, and that no row has none of them.
 */
export async function withKnownValues(read: Read, sql: ListSql, plan: ListPlan): Promise<ListPlan> {
  const filters: Filter[] = [];
  for (const [index, filter] of plan.filters.entries())
    filters.push((await knownFilter(read, sql, plan, index)) ?? filter);
  return { ...plan, filters };
}

/** The filter by the values that match; undefined where they are not looked for, or there are many. */
async function knownFilter(
  read: Read,
  sql: ListSql,
  plan: ListPlan,
  index: number,
): Promise<Filter | undefined> {
  const source = valueSourceOf(filteredTableOf(plan), index);
  if (!source) return undefined;
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
