import { invalidField } from '../../base/errors/api-errors.js';
import { sqlStateOf } from '../../base/errors/database-errors.js';
import { executeList, type ListedRows } from './execute-list.js';
import type { Projection } from './list-builder.js';
import type { ListSql, Read } from './list-sql.js';
import { fetchMeasured, mayBeTooLarge } from './page-bytes.js';
import type { ListPlan } from './plan-list.js';
import { reason } from '../../base/errors/reason.js';

/**
 * How long a page may take with its exact count, in milliseconds. A preference that cannot be honoured is ignored
 * (RFC 7240 section 2): past this limit, the page comes without a count.
 */
const COUNT_LIMIT = 1_000;

/** The SQLSTATE of a statement that exceeded its timeout. */
const QUERY_CANCELED = '57014';

const isTimeout = (error: unknown): boolean => sqlStateOf(error) === QUERY_CANCELED;

/**
 * Reads one page of a list within the limits of time and size (docs/api-contract.md#limits). Without `total`, the exact
 * count took too long.
 * @throws ApiError 400 when the page is too large, and when PostgreSQL cannot filter or sort the list in time
 */
export async function executeWithinLimits(
  read: Read,
  sql: ListSql,
  plan: ListPlan,
): Promise<ListedRows> {
  try {
    const uncounted = { ...plan, exactCount: false };
    const projection = mayBeTooLarge(plan) ? 'sizes' : 'items';
    const counted = plan.exactCount ? await countInTime(read, sql, plan, projection) : undefined;
    const found = counted ?? (await executeList(read, sql, uncounted, projection));
    return projection === 'sizes' ? await fetchMeasured(read, sql, uncounted, found) : found;
  } catch (error) {
    if (isTimeout(error)) refuse(plan);
    throw error;
  }
}

/** A page with its exact count; undefined when that takes too long. */
async function countInTime(
  read: Read,
  sql: ListSql,
  plan: ListPlan,
  projection: Projection,
): Promise<ListedRows | undefined> {
  const end = performance.now() + COUNT_LIMIT;
  const remaining = () => Math.max(1, end - performance.now());
  try {
    const limited: Read = (asked) => read({ ...asked, limit: remaining() });
    return await executeList(limited, sql, plan, projection);
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  }
}

/** @throws ApiError 400 that names the filters or the sorter */
function refuse({ filters, sorter }: ListPlan): void {
  const names = filters.map(({ attribute, operator }) => `${attribute.name}:${operator}`);
  if (filters.length > 0) throw invalidField('filters', reason('filters-too-slow', { names }));
  const keys = sorter.map(({ attribute }) => attribute.name);
  if (sorter.length > 0) throw invalidField('sorter', reason('sorter-too-slow', { names: keys }));
}
