import type { Reader } from '../database/database.js';
import { countStatement, LISTED, type ListSource } from '../listing/list-query.js';
import type { Caller } from '../security/caller.js';
import { ownTasks, tasks } from './task.resource.js';
import { parseView, type StoredView } from './view-filters.js';

/**
 * The rows that a view has for the caller, administrators included: their own tasks alone.
 * @throws UnreadableView
 */
export async function countView(reader: Reader, view: StoredView, caller: Caller): Promise<number> {
  const parsed = parseView(view, caller.id, tasks.listableBy(caller));
  const [row] = await reader.rows(countStatement(sourceOf(view, caller), parsed));
  return Number(row![0]);
}

/** The tasks of a view's application that are the caller's. */
function sourceOf(view: StoredView, caller: Caller): Pick<ListSource, 'table' | 'conditions'> {
  return {
    table: `${tasks.ref.table} ${LISTED}`,
    conditions: [
      (bind) => `${LISTED}.application_id = ${bind(view.applicationId)}::bigint`,
      (bind) => ownTasks(caller, LISTED, bind) ?? 'true',
    ],
  };
}
