import { LISTED } from '../resource.js';
import { viewerOf } from './conditions.js';
import { type Builder, KEY } from './list-builder.js';
import type { ListPlan } from './plan-list.js';

type Direction = 'ASC' | 'DESC';

/** Sorts a list. */
export function addOrder(builder: Builder, plan: ListPlan): void {
  for (const [expression, direction] of orderOf(plan)) builder.addOrderBy(expression, direction);
}

/**
 * The expressions that sort a list, with their directions. The key takes the direction of the last attribute, so that
 * a backward scan of the same index serves descending order.
 */
export function orderOf({ sorter, caller }: ListPlan): Map<string, Direction> {
  const viewer = viewerOf(caller);
  const directions = new Map<string, Direction>();
  for (const { attribute, descending } of sorter) {
    const expression = attribute.order(LISTED, viewer);
    // When two attributes have the same expression, the first decides.
    if (!directions.has(expression)) directions.set(expression, descending ? 'DESC' : 'ASC');
  }
  if (!directions.has(KEY)) directions.set(KEY, sorter.at(-1)?.descending ? 'DESC' : 'ASC');
  return directions;
}
