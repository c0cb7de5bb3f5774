import type { Reader } from '../database/database.js';
import { Bindings, type Bind } from '../database/bindings.js';
import { filterCondition, LISTED } from '../resources/list/list-query.js';
import type { ListRequest } from '../resources/list/list-request.js';
import type { Page, ResourceReader } from '../resources/resource-reader.js';
import type { Caller, Viewer } from '../security/caller.js';
import { ownTasks, tasks } from './task.resource.js';
import { type ParsedView, parseView, type StoredView } from './parse-view.js';

/**
 * SQL of the number of rows that a view has for a person, administrators included: their own tasks alone.
 * @throws UnreadableView
 */
export function countOf(view: StoredView, viewer: Viewer, bind: Bind): string {
  const parsed = parseView(view, viewer.id, tasks.listableBy(viewer));
  const rows = rowsOf([view.applicationId], parsed, viewer);
  return `SELECT count(*) FROM ${tasks.ref.table} ${LISTED} WHERE ${rows(bind)}`;
}

/**
 * The number itself.
 * @throws UnreadableView
 */
export async function countView(reader: Reader, view: StoredView, viewer: Viewer): Promise<number> {
  const { bind, values } = new Bindings();
  const [row] = await reader.rows({ text: countOf(view, viewer, bind), values });
  return Number(row![0]);
}

/**
 * A page of a view's rows for the caller; further filters and a sorter of the request come on top.
 * @throws UnreadableView
 */
export function listView(
  reader: ResourceReader,
  view: StoredView,
  caller: Caller,
  request: ListRequest,
): Promise<Page> {
  const parsed = parseView(view, caller.id, tasks.listableBy(caller));
  const sorter = request.sorter.length > 0 ? request.sorter : parsed.sorter;
  const rows = rowsOf([view.applicationId], parsed, caller);
  return reader.list(tasks, caller, { ...request, sorter }, rows);
}

/**
 * The one condition that decides which tasks are rows of a view: list, count and the counters of
 * all tiles are made from it, so that they cannot disagree.
 * @param applicationIds more than one where the views of several applications read alike
 */
export const rowsOf =
  (applicationIds: string[], parsed: ParsedView, viewer: Viewer) =>
  (bind: Bind): string =>
    [
      `${LISTED}.application_id = ANY (${bind(applicationIds)}::bigint[])`,
      ownTasks(viewer, LISTED, bind),
      filterCondition(parsed, bind),
    ].join(' AND ');
