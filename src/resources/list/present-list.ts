import type { PresentContext } from '../attributes/attribute.js';
import type { ListedRows } from './execute-list.js';
import type { ListPlan } from './plan-list.js';

/** One page of a list. */
export interface Page {
  items: Record<string, unknown>[];
  hasNext: boolean;
  /** Exact count of all items, if the request asks for it. */
  total: number | undefined;
}

/** Step 5 of a list: presents its rows. */
export function presentList(
  { resource, range, responseMode }: ListPlan,
  { shown, total, hasNext = shown.length > range.count }: ListedRows,
  context: PresentContext,
): Page {
  return {
    items: shown
      .slice(0, range.count)
      .map((row) => resource.present(row, 'list', responseMode, context)),
    hasNext,
    total,
  };
}
