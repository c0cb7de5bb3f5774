import { LISTED } from '../resource.js';
import { type Builder, KEY, viewerOf } from './list-builder.js';
import type { ListPlan } from './plan-list.js';

/**
 * Sorts a list. The key takes the direction of the last attribute, so that a backward scan of the same index
 * serves descending order.
 */
export function addOrder(builder: Builder, { sorter, caller }: ListPlan): void {
  const viewer = viewerOf(caller);
  const directions = new Map<string, 'ASC' | 'DESC'>();
  for (const { attribute, descending } of sorter) {
    const expression = attribute.order(LISTED, viewer);
    // When two attributes have the same expression, the first decides.
    if (!directions.has(expression)) directions.set(expression, descending ? 'DESC' : 'ASC');
  }
  if (!directions.has(KEY)) directions.set(KEY, sorter.at(-1)?.descending ? 'DESC' : 'ASC');
  for (const [expression, direction] of directions) builder.addOrderBy(expression, direction);
}
