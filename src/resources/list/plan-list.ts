import { Reason } from '../../errors/reason.js';
import type { InvalidField } from '../../errors/api-errors.js';
import type { Caller } from '../../security/caller.js';
import type { Operator } from '../attributes/operators.js';
import { type Resource, type ResponseMode } from '../resource.js';
import { isNegated, scansOwnIndex, viewerOf } from './conditions.js';
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

/**
 * How the rows are found:
 * - `page`: one statement joins and sorts them;
 * - `deferred-join`: finds the keys first, so that only the rows of the page are joined;
 * - `estimate`: PostgreSQL's estimate decides between an ordered scan and finding all matching rows;
 * - `find`: the n-gram index alone has an estimate.
 */
export type Strategy = 'page' | 'deferred-join' | 'estimate' | 'find';

/** A list that is ready to execute: its attributes are resolved, and the caller may use them. */
export interface ListPlan {
  resource: Resource;
  caller: Caller;
  range: Range;
  sorter: SortKey[];
  filters: Filter[];
  filterMode: FilterMode;
  within: Narrowing | undefined;
  strategy: Strategy;
  responseMode: ResponseMode;
  exactCount: boolean;
}

/** From this start on, a page uses a deferred join. */
const DEEP_PAGE = 500;

/**
 * Step 2 of a list: resolves the attributes that a request names and chooses a strategy.
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
    strategy: strategyFor(resource, request, filters, {
      caller,
      sorter: sorter instanceof Reason ? [] : sorter,
    }),
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

/** Operators of which the matching rows may all come late in the order of the list. */
const UNCERTAIN: ReadonlySet<Operator> = new Set<Operator>([
  ...(['gt', 'gte', 'lt', 'lte'] as const),
  ...(['starts', 'ends', 'contains', 'notcontains'] as const),
]);

/** Whether a filter finds few rows, wherever they are in the order of the list. */
const findsFew = ({ attribute, operator }: Filter): boolean =>
  (operator === 'eq' || operator === 'in') && attribute.isIdentifying === true;

function strategyFor(
  { definition }: Resource,
  { range, filterMode }: ListRequest,
  filters: Filter[],
  { caller, sorter }: Pick<ListPlan, 'caller' | 'sorter'>,
): Strategy {
  const prefilters = filters.flatMap(
    ({ attribute, operator, variant }) =>
      attribute.indexPrefilter({ operator, value: '', variant }, false) ?? [],
  );
  const isAny = filterMode === 'or' && filters.length > 1;
  if (!isAny && prefilters.some(({ hasStatistics }) => !hasStatistics)) return 'find';
  if (prefilters.length > 0) return 'estimate';
  if (definition.withoutId || filters.length === 0)
    return range.start >= DEEP_PAGE ? 'deferred-join' : 'page';
  const others = filters.filter(
    (filter) =>
      filter.attribute !== sorter[0]?.attribute || isNegated(filter) || filter.operator === 'in',
  );
  const isLate = others.some(
    ({ attribute, operator }) => UNCERTAIN.has(operator) || attribute.isLong,
  );
  // Nor do statistics tell that rows with one value come late: those with a first name by address, closed ones by date.
  const mayBeLate = others.length === filters.length && !filters.some(findsFew);
  const scans = (filter: Filter): boolean => scansOwnIndex(filter, viewerOf(caller));
  if (isAny || isLate || mayBeLate || filters.some(scans)) return 'estimate';
  return range.start >= DEEP_PAGE ? 'deferred-join' : 'page';
}
