import type { Reader } from '../database/database.js';
import { Bindings } from '../database/bindings.js';
import { folded } from '../resources/attributes/folded-text.js';
import { viewerOf } from '../resources/list/list-builder.js';
import { type ListPlan, within } from '../resources/list/plan-list.js';
import type { SortKey } from '../resources/list/sorter.js';
import { LISTED } from '../resources/resource.js';
import { translated } from '../resources/attributes/translations-attribute.js';
import type { Locale, Viewer } from '../security/caller.js';
import { tasks, waitingTasks } from './task.resource.js';

/** How many tasks wait for a person (docs/api-contract.md#inbox). */
export interface WaitingCounts {
  count: number;
  /** Those whose due date has passed. */
  overdue: number;
  /** By the title of their application in the person's language, also where the person does not see it. */
  applications: { title: string; count: number }[];
}

const DUE_FIRST: SortKey[] = [{ attribute: tasks.attributes.get('dueDate')!, descending: false }];

/**
 * Narrows a list of tasks to those that wait for the caller; the next due comes first unless the request sorts.
 * The array makes PostgreSQL find these few tasks before it sorts them. Otherwise it reads the index of the due
 * dates until the page is full: with a million tasks, 4.6 s for a person for whom none waits (docs/decisions/0028).
 */
export function planWaiting(plan: ListPlan): ListPlan {
  const sorter = plan.sorter.length > 0 ? plan.sorter : DUE_FIRST;
  const waiting = waitingTasks('w', viewerOf(plan.caller).idSql());
  const ids = `SELECT w.id FROM ${tasks.ref.table} w WHERE ${waiting}`;
  return within({ ...plan, sorter }, `${LISTED}.id = ANY (ARRAY(${ids}))`, {});
}

/** Counts the tasks that wait for a person; the applications come in the order of their titles. */
export async function countWaiting(
  reader: Reader,
  { id, locale }: Viewer & { locale: Locale },
): Promise<WaitingCounts> {
  const { bind, values } = new Bindings();
  const title = translated('a', 'title', bind(locale));
  const rows = await reader.query<{ title: string; count: number; overdue: number }>({
    text: `SELECT a.title, sum(waiting.count)::int AS count, sum(waiting.overdue)::int AS overdue
      FROM (
        SELECT ${LISTED}.application_id, count(*), count(*) FILTER (WHERE ${LISTED}.due_date < now()) AS overdue
        FROM ${tasks.ref.table} ${LISTED} WHERE ${waitingTasks(LISTED, bind(id))} GROUP BY ${LISTED}.application_id
      ) AS waiting JOIN (SELECT a.id, ${title} AS title FROM applications a) AS a ON a.id = waiting.application_id
      GROUP BY a.title ORDER BY ${folded('a.title')}, a.title`,
    values,
  });
  const total = (of: 'count' | 'overdue') => rows.reduce((sum, row) => sum + row[of], 0);
  return {
    count: total('count'),
    overdue: total('overdue'),
    applications: rows.map(({ title, count }) => ({ title, count })),
  };
}
