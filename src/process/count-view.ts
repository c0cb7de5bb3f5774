import { Bindings, type Bind } from '../database/bindings.js';
import type { Reader } from '../database/database.js';
import { LISTED } from '../resources/resource.js';
import type { Viewer } from '../security/caller.js';
import { parseView, type StoredView } from './parse-view.js';
import { tasks } from './task.resource.js';
import { boundValues, rowsOf } from './view-rows.js';

/**
 * SQL of the number of rows that a view has for a person, administrators included: their own tasks alone.
 * @throws UnreadableView
 */
export function countOf(view: StoredView, viewer: Viewer, bind: Bind): string {
  const rows = rowsOf(parseView(view, viewer), boundValues([view.applicationId], viewer, bind));
  return `SELECT count(*) FROM ${tasks.ref.table} ${LISTED} WHERE ${rows}`;
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
