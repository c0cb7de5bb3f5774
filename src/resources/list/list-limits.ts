import { invalidField } from '../../errors/api-errors.js';
import { sqlStateOf } from '../../errors/database-errors.js';
import { executeList, type ListedRows, type Read } from './execute-list.js';
import type { ListSql } from './list-sql.js';
import { requireBoundedPage } from './page-bytes.js';
import type { ListPlan } from './plan-list.js';
import { quoted } from './sorter.js';

/**
 * How long a page may take with its exact count, in milliseconds. A preference that cannot be honoured is ignored
 * (RFC 7240 section 2): past this limit, the page comes without a count.
 */
const COUNT_LIMIT = 1_000;

/** The SQLSTATE of a statement that PostgreSQL ended because its time was over. */
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
    await requireBoundedPage(read, sql, plan);
    const counted = plan.exactCount ? await countInTime(read, sql, plan) : undefined;
    return counted ?? (await executeList(read, sql, { ...plan, exactCount: false }));
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
): Promise<ListedRows | undefined> {
  const end = performance.now() + COUNT_LIMIT;
  const remaining = () => Math.max(1, end - performance.now());
  try {
    return await executeList((asked) => read({ ...asked, limit: remaining() }), sql, plan);
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  }
}

/** @throws ApiError 400 that names what the list is filtered or sorted by */
function refuse({ filters, sorter }: ListPlan): void {
  const advice = 'add a filter that few items match, such as eq or starts';
  const names = filters.map(({ attribute, operator }) => `${attribute.name}:${operator}`);
  if (filters.length > 0)
    throw invalidField('filters', `the list takes too long with ${quoted(names)}; ${advice}`);
  const keys = sorter.map(({ attribute }) => attribute.name);
  if (sorter.length > 0)
    throw invalidField('sorter', `the list takes too long sorted by ${quoted(keys)}; ${advice}`);
}
