import type { Reader } from '../../database/database.js';
import { Bindings } from '../../database/bindings.js';
import type { LinkAttribute } from '../../resources/attributes/link-attribute.js';
import { folded } from '../../resources/attributes/folded-text.js';
import { viewerOf } from '../../resources/list/conditions.js';
import { type ListPlan, within } from '../../resources/list/plan-list.js';
import type { SortKey } from '../../resources/list/sorter.js';
import { presentRef, type Ref } from '../../resources/ref.js';
import { LISTED } from '../../resources/resource.js';
import { sqlViewer } from '../../resources/visibility.js';
import { translated } from '../../resources/attributes/translations-attribute.js';
import type { Locale, Viewer } from '../../security/caller.js';
import { applications } from '../applications/application.resource.js';
import { tasks, waitingTasks } from '../tasks/task.resource.js';

/** How many tasks wait for a person (docs/api-contract.md#inbox). */
export interface WaitingCounts {
  count: number;
  /** The number of overdue tasks. */
  overdue: number;
  /**
   * Counts by application. `application` is null for one that the person does not see; its title, in the person's
   * language, is present all the same.
   */
  applications: { application: Ref | null; title: string; count: number }[];
}

const application = tasks.attributes.get('application') as LinkAttribute;

const DUE_FIRST: SortKey[] = [{ attribute: tasks.attributes.get('dueDate')!, descending: false }];

/**
 * Narrows a list of tasks to those that wait for the caller, by due date unless the request sorts. The array makes
 * PostgreSQL find these few tasks before it sorts them. Otherwise it scans the index of the due dates until the page is
 * full, which takes 4.6 s with a million tasks and an empty inbox (docs/decisions/0028).
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
  viewer: Viewer & { locale: Locale },
): Promise<WaitingCounts> {
  const { bind, values } = new Bindings();
  const title = translated('a', 'title', bind(viewer.locale));
  // As in the list: `application` of a task is null in the same cases.
  const seen = application.seenBy(sqlViewer(viewer, bind), 'a') ?? 'true';
  const rows = await reader.query<CountRow>({
    text: `SELECT a.id, a.reference, a.label, a.title, a.seen, waiting.count, waiting.overdue
      FROM (
        SELECT ${LISTED}.application_id, count(*)::int, (count(*) FILTER (WHERE ${LISTED}.due_date < now()))::int AS overdue
        FROM ${tasks.ref.table} ${LISTED} WHERE ${waitingTasks(LISTED, bind(viewer.id))} GROUP BY ${LISTED}.application_id
      ) AS waiting JOIN (
        SELECT a.id, a.reference, a.title AS label, ${title} AS title, ${seen} AS seen FROM applications a
      ) AS a ON a.id = waiting.application_id
      ORDER BY ${folded('a.title')}, a.title, a.id`,
    values,
  });
  const total = (of: 'count' | 'overdue') => rows.reduce((sum, row) => sum + row[of], 0);
  return {
    count: total('count'),
    overdue: total('overdue'),
    applications: rows.map(({ id, reference, label, seen: isSeen, title: shown, count }) => ({
      application: isSeen ? presentRef(applications.ref, id, reference, label) : null,
      title: shown,
      count,
    })),
  };
}

/** The waiting tasks of one application. */
interface CountRow {
  id: string;
  reference: string;
  label: string;
  /** In the person's language. */
  title: string;
  /** Whether the person sees the application. */
  seen: boolean;
  count: number;
  overdue: number;
}
