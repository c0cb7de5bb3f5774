import { countStatement, filterCondition, LISTED } from '../listing/list-query.js';
import { ownTasks, tasks } from './task.resource.js';
import { parseView } from './view-filters.js';
/**
 * The number of rows that a view has for a person, administrators included: their own tasks alone.
 * @throws UnreadableView
 */
export async function countView(reader, view, viewer) {
    const parsed = parseView(view, viewer.id, tasks.listableBy(viewer));
    const statement = countStatement({
        table: `${tasks.ref.table} ${LISTED}`,
        conditions: [rowsOf([view.applicationId], parsed, viewer)],
    }, { filters: [], filterMode: 'and' });
    const [row] = await reader.rows(statement);
    return Number(row[0]);
}
/**
 * A page of a view's rows for the caller; further filters and a sorter of the request come on top.
 * @throws UnreadableView
 */
export function listView(reader, view, caller, request) {
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
export const rowsOf = (applicationIds, parsed, viewer) => (bind) => [
    `${LISTED}.application_id = ANY (${bind(applicationIds)}::bigint[])`,
    ownTasks(viewer, LISTED, bind),
    filterCondition(parsed, bind),
].join(' AND ');
//# sourceMappingURL=view-rows.js.map