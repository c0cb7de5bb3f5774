import { users } from '../../directory/user.resource.js';
import { groups } from '../../directory/group.resource.js';
import { uriOf } from '../../resources/uri.js';
import type { PendingWrite } from '../../resources/write/pending-write.js';
import { applications, visibleInWorkplace } from '../applications/application.resource.js';

/** Most members of a group that the warning checks, so that a task for a large group is created fast. */
const MAX_MEMBERS = 100;

/**
 * Warns administrators and process engines that a person for whom an open task waits does not see its application
 * (docs/api-contract.md#warnings). Other writers get no warning, because it would name the hidden application.
 */
export async function warnOfHiddenApplication(
  { change, transaction }: PendingWrite,
  id: string,
): Promise<string[]> {
  if (!change.caller.rights.permits('tasks:create')) return [];
  const isHiddenFrom = (userId: string) => `NOT (${visibleInWorkplace('a', userId)})`;
  const [task] = await transaction.query<{
    application: string;
    assignee: string | null;
    group: string | null;
    candidates: string[];
  }>({
    text: `SELECT t.application_id AS application,
        CASE WHEN t.assignee_id IS NOT NULL AND ${isHiddenFrom('t.assignee_id')} THEN t.assignee_id END AS assignee,
        CASE WHEN NOT (a.active AND t.group_id = ANY (a.audience)) AND EXISTS (
          SELECT 1 FROM (SELECT m.user_id FROM group_members m WHERE m.group_id = t.group_id LIMIT ${MAX_MEMBERS}) m
          WHERE ${isHiddenFrom('m.user_id')}
        ) THEN t.group_id END AS "group",
        ARRAY(SELECT c.user_id::text FROM task_candidates c WHERE c.task_id = t.id AND c.user_id IS DISTINCT FROM t.assignee_id
          AND c.user_id IS NOT NULL AND ${isHiddenFrom('c.user_id')} ORDER BY c.user_id) AS candidates
      FROM tasks t JOIN applications a ON a.id = t.application_id WHERE t.id = $1 AND t.status = 'open'`,
    values: [id],
  });
  if (!task) return [];
  const { application, assignee, group, candidates } = task;
  const hidden = `${uriOf(applications.ref.uri, application)} is hidden from`;
  return [
    ...(assignee === null ? [] : [`${hidden} ${uriOf(users.ref.uri, assignee)}`]),
    ...candidates.map((id) => `${hidden} ${uriOf(users.ref.uri, id)}`),
    ...(group === null ? [] : [`${hidden} a member of ${uriOf(groups.ref.uri, group)}`]),
  ];
}
