import { filterCondition, viewerOf } from '../../resources/list/conditions.js';
import type { Filter } from '../../resources/list/filters.js';
import { type ListPlan, within } from '../../resources/list/plan-list.js';
import { LISTED } from '../../resources/resource.js';
import type { SqlViewer } from '../../resources/visibility.js';
import { type ParsedView, parseView, type StoredView } from './parse-view.js';
import { ownTasks } from '../access/task-visibility.js';

/**
 * The plan of a view's rows for the caller; filters and a sorter of the request come on top.
 * @throws UnreadableView
 */
export function planView(plan: ListPlan, view: StoredView): ListPlan {
  const parsed = parseView(view, plan.caller);
  const parameters: Record<string, unknown> = { application: view.applicationId };
  const filter = ({ value }: Filter, index: number): string => {
    parameters[`view${index}`] = value;
    return `:view${index}`;
  };
  const viewer = viewerOf(plan.caller);
  const rows = rowsOf(parsed, { application: ':application', viewer, filter });
  const sorter = plan.sorter.length > 0 ? plan.sorter : parsed.sorter;
  return within({ ...plan, sorter }, rows, parameters, parsed.filters);
}

/** SQL of the values in the condition of a view. */
interface ViewValues {
  application: string;
  viewer: SqlViewer;
  filter: (filter: Filter, index: number) => string;
}

/** The condition of the rows of a view, for its list and its count. */
export const rowsOf = (parsed: ParsedView, { application, viewer, filter }: ViewValues): string =>
  [
    `${LISTED}.application_id = ${application}::bigint`,
    ownTasks(LISTED, viewer.idSql()),
    filterCondition(parsed, viewer, filter, 'ngrams'),
  ].join(' AND ');
