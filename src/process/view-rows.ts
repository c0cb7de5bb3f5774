import type { Bind } from '../database/bindings.js';
import { filterCondition, viewerOf } from '../resources/list/conditions.js';
import type { Filter } from '../resources/list/filters.js';
import { type ListPlan, within } from '../resources/list/plan-list.js';
import { LISTED } from '../resources/resource.js';
import { type SqlViewer, sqlViewer } from '../resources/visibility.js';
import type { Viewer } from '../security/caller.js';
import { type ParsedView, parseView, type StoredView } from './parse-view.js';
import { ownTasks } from './task.resource.js';

/**
 * The plan of a view's rows for the caller; filters and a sorter of the request come on top.
 * @throws UnreadableView
 */
export function planView(plan: ListPlan, view: StoredView): ListPlan {
  const parsed = parseView(view, plan.caller);
  const parameters: Record<string, unknown> = { applications: [view.applicationId] };
  const filter = ({ value }: Filter, index: number): string => {
    parameters[`view${index}`] = value;
    return `:view${index}`;
  };
  const viewer = viewerOf(plan.caller);
  const rows = rowsOf(parsed, { applications: ':applications', viewer, filter });
  const sorter = plan.sorter.length > 0 ? plan.sorter : parsed.sorter;
  return within({ ...plan, sorter }, rows, parameters, parsed.filters);
}

/** SQL of the values in the condition of a view. */
interface ViewValues {
  /** More than one where the views of several applications read alike. */
  applications: string;
  viewer: SqlViewer;
  filter: (filter: Filter, index: number) => string;
}

/** The values of a view among the numbered ones of a statement. */
export const boundValues = (applicationIds: string[], viewer: Viewer, bind: Bind): ViewValues => ({
  applications: bind(applicationIds),
  viewer: sqlViewer(viewer, bind),
  filter: ({ value }) => (value === undefined ? '' : bind(value)),
});

/**
 * The one condition that decides which tasks are rows of a view: list, count and the counters of
 * all tiles are made from it, so that they cannot disagree.
 */
export const rowsOf = (parsed: ParsedView, { applications, viewer, filter }: ViewValues): string =>
  [
    `${LISTED}.application_id = ANY (${applications}::bigint[])`,
    ownTasks(LISTED, viewer.idSql()),
    filterCondition(parsed, viewer, filter, 'ngrams'),
  ].join(' AND ');
