import { Bindings, type Bind } from '../../database/bindings.js';
import type { Reader } from '../../database/database.js';
import { searchesTexts } from '../../resources/list/filters.js';
import { LISTED } from '../../resources/resource.js';
import { sqlViewer } from '../../resources/visibility.js';
import type { Viewer } from '../../security/caller.js';
import { parseView, type StoredView } from './parse-view.js';
import { tasks } from '../tasks/task.resource.js';
import { rowsOf } from './view-rows.js';

/**
 * SQL of the number of rows of a view for a person. It counts only the person's own tasks, for administrators too.
 * @throws UnreadableView
 */
export function countOf(view: StoredView, viewer: Viewer, bind: Bind): string {
  const rows = rowsOf(parseView(view, viewer), {
    application: bind(view.applicationId),
    viewer: sqlViewer(viewer, bind),
    filter: ({ value }) => (value === undefined ? '' : bind(value)),
  });
  return `SELECT count(*) FROM ${tasks.ref.table} ${LISTED} WHERE ${rows}`;
}

/**
 * Counts the rows of a view for a person. Filters that search inside texts count towards the caller's limit of
 * searches.
 * @param caller id of the caller, where an administrator counts for another person
 * @throws UnreadableView; ApiError 429 when too many searches of the caller are waiting
 */
export async function countView(
  reader: Reader,
  view: StoredView,
  viewer: Viewer,
  caller = viewer.id,
): Promise<number> {
  const { bind, values } = new Bindings();
  const text = countOf(view, viewer, bind);
  const searching = searchesTexts(parseView(view, viewer).filters);
  const [row] = await reader.rows({
    text,
    values,
    prepared: !searching,
    searcher: searching ? caller : undefined,
  });
  return Number(row![0]);
}
