import { invalidField } from '../../base/errors/api-errors.js';
import type { ListedRows } from './execute-list.js';
import type { ListSql, Read } from './list-sql.js';
import type { ListPlan } from './plan-list.js';
import { reason } from '../../base/errors/reason.js';

/** Maximum size of the values in one page: a process that answers several larger pages could run out of memory. */
const MAX_LIST_MIB = 4;
const MAX_LIST_BYTES = MAX_LIST_MIB * 2 ** 20;

/**
 * Whether the database has to measure a page before the server fetches its rows, because the lengths of its attributes
 * do not bound it. A list without ids is constant and small.
 */
export const mayBeTooLarge = ({ resource, range }: ListPlan): boolean =>
  !resource.definition.withoutId && range.count * resource.maxRowBytes > MAX_LIST_BYTES;

/**
 * Fetches the rows of a measured page by their keys, because finding them again would take as long as before. Rows that
 * left the list meanwhile are missing.
 * @param measured the size and the key of each row and of the next one
 * @throws ApiError 400 when the page holds more than `MAX_LIST_MIB`
 */
export async function fetchMeasured(
  read: Read,
  sql: ListSql,
  plan: ListPlan,
  { shown: measured, total }: ListedRows,
): Promise<ListedRows> {
  const { count } = plan.range;
  const page = measured.slice(0, count);
  const fitting = countFitting(page.map(([size]) => Number(size)));
  if (fitting < page.length)
    throw invalidField('range', reason('page-too-large', { size: MAX_LIST_MIB, fitting }));
  const keys = page.map(([, key]) => String(key));
  const shown = keys.length > 0 ? await read(sql.rowsOf(plan, keys)) : [];
  return { shown, total, hasNext: measured.length > count };
}

/** How many of the first items fit into an answer. */
function countFitting(sizes: number[]): number {
  let bytes = 0;
  const end = sizes.findIndex((size) => (bytes += size) > MAX_LIST_BYTES);
  return end < 0 ? sizes.length : end;
}
