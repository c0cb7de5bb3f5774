import { Reason } from '../../base/errors/reason.js';
import type { InvalidField } from '../../base/errors/api-errors.js';
import type { Caller } from '../../security/caller.js';
import { type Resource, type ResponseMode } from '../resource.js';
import { type Filter, type FilterMode, resolveFilter } from './filters.js';
import { FIRST_PAGE, type ListRequest } from './parse-list-request.js';
import type { Range } from './range.js';
import { resolveSorter, type SortKey } from './sorter.js';

/** An additional condition on the rows of a list. */
interface Narrowing {
  sql: string;
  parameters: Record<string, unknown>;
  /** The filters from which the condition was made. */
  filters: Filter[];
}

/** A list that is ready to execute: its attributes are resolved, and the caller may use them. */
export interface ListPlan {
  resource: Resource;
  caller: Caller;
  range: Range;
  sorter: SortKey[];
  filters: Filter[];
  filterMode: FilterMode;
  within: Narrowing | undefined;
  responseMode: ResponseMode;
  exactCount: boolean;
}

/**
 * Step 2 of a list: resolves the attributes that a request names.
 * @param bad gets an entry for each filter, and for the sorter, that the caller cannot use
 */
export function planList(
  resource: Resource,
  caller: Caller,
  request: ListRequest,
  bad: InvalidField[] = [],
): ListPlan {
  const sorter = resolveSorter(request.sorter, resource, caller);
  if (sorter instanceof Reason) bad.push({ name: 'sorter', reason: sorter });
  const filters = request.filters.flatMap((term) => {
    const filter = resolveFilter(term, resource, caller);
    if (!(filter instanceof Reason)) return [filter];
    bad.push({ name: 'filters', reason: filter });
    return [];
  });
  return {
    ...request,
    resource,
    caller,
    sorter: sorter instanceof Reason ? [] : sorter,
    filters,
    within: undefined,
  };
}

/** The plan of the first page, for lists that no request describes. */
export const planFirstPage = (resource: Resource, caller: Caller): ListPlan =>
  planList(resource, caller, FIRST_PAGE);

/**
 * Narrows a plan to the rows that fulfil an additional condition, e.g. the members of a group.
 * @param sql on the table `t`, with named values: `t.user_id = :user`
 * @param filters those from which `sql` was made
 */
export const within = (
  plan: ListPlan,
  sql: string,
  parameters: Record<string, unknown>,
  filters: Filter[] = [],
): ListPlan => ({ ...plan, within: { sql, parameters, filters } });
