import { invalidField } from '../../errors/api-errors.js';
import { executeList, type Read } from './execute-list.js';
import type { ListSql } from './list-sql.js';
import type { ListPlan } from './plan-list.js';

/** Maximum size of the values in one page: a process that answers several larger pages could run out of memory. */
const MAX_LIST_MIB = 4;
const MAX_LIST_BYTES = MAX_LIST_MIB * 2 ** 20;

/**
 * Measures a page in the database before its rows are fetched. It skips a page that cannot be too large
 * by the maximum lengths of its attributes.
 * @throws ApiError 400 when the page holds more than `MAX_LIST_MIB`
 */
export async function requireBoundedPage(read: Read, sql: ListSql, plan: ListPlan): Promise<void> {
  const { resource, range } = plan;
  if (range.count * resource.maxRowBytes <= MAX_LIST_BYTES) return;
  const { shown } = await executeList(read, sql, { ...plan, exactCount: false }, 'sizes');
  const fitting = countFitting(shown.slice(0, range.count).map(([size]) => Number(size)));
  if (fitting < Math.min(range.count, shown.length))
    throw invalidField(
      'range',
      `the items exceed ${MAX_LIST_MIB} MiB; request fewer: the first ${fitting} fit`,
    );
}

/** How many of the first items fit into an answer. */
function countFitting(sizes: number[]): number {
  let bytes = 0;
  const end = sizes.findIndex((size) => (bytes += size) > MAX_LIST_BYTES);
  return end < 0 ? sizes.length : end;
}
