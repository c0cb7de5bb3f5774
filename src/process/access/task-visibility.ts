import { reachOfUser } from '../../directory/user.resource.js';
import { withinScopes } from '../../resources/reach.js';
import type { ResourceDefinition } from '../../resources/resource.js';
import type { SqlViewer } from '../../resources/visibility.js';
import { isReadInSubstitution, substitutedTasksOf } from './substitution.js';

/** The groups of a person; `userId` is SQL of their id. */
export const groupsOf = (userId: string): string =>
  `ARRAY(SELECT m.group_id FROM group_members m WHERE m.user_id = ${userId}::bigint)`;

/**
 * SQL of the ids of the open tasks that a person sees as a candidate (alone or by a group) or as a substitute; `userId`
 * is SQL of the person's id. It leaves out closed tasks, whose number is unbounded (docs/decisions/0041, 0044).
 */
export const furtherTasksOf = (userId: string): string =>
  `SELECT c.task_id FROM task_candidates c WHERE c.open AND c.principal_id = ANY (${candidateIdsOf(userId)})
    UNION ${substitutedTasksOf(userId)}`;

/** Whether a person or one of the person's groups is a candidate of a task, open or closed. */
export const isCandidate = (alias: string, userId: string): string =>
  `EXISTS (SELECT 1 FROM task_candidates c WHERE c.task_id = ${alias}.id AND c.principal_id = ANY (${candidateIdsOf(userId)}))`;

/** The principals by which a person is a candidate: the person, and the person's groups. */
export const candidateIdsOf = (userId: string): string =>
  `ARRAY(SELECT m.group_id FROM group_members m WHERE m.user_id = ${userId}::bigint UNION ALL SELECT ${userId}::bigint)`;

/**
 * Tasks of a person or of the person's groups, and open ones that the person sees as a candidate or a substitute;
 * `userId` is SQL of the person's id. The array lets PostgreSQL combine three index scans: by id, by assignee and by
 * group.
 */
export const ownTasks = (alias: string, userId: string): string =>
  `(${assignedTasks(alias, userId)} OR ${alias}.id = ANY (ARRAY(${furtherTasksOf(userId)})))`;

/** SQL of the ids of these tasks. An index finds each kind; the statement reads at most `limit` of each. */
const ownTaskIds = (userId: string, limit: number): string =>
  [
    `SELECT o.id FROM tasks o WHERE o.assignee_id = ${userId}::bigint`,
    `SELECT o.id FROM tasks o WHERE o.group_id = ANY (${groupsOf(userId)})`,
    furtherTasksOf(userId),
  ]
    .map((ids) => `(${ids} LIMIT ${limit})`)
    .join(' UNION ALL ');

/** The same for one task by its id: candidates and substitutes may still read it after a colleague has closed it. */
const ownTask = (alias: string, userId: string): string =>
  `(${assignedTasks(alias, userId)} OR ${isCandidate(alias, userId)} OR ${isReadInSubstitution(alias, userId)})`;

const assignedTasks = (alias: string, userId: string): string =>
  `${alias}.assignee_id = ${userId}::bigint OR ${alias}.group_id = ANY (${groupsOf(userId)})`;

/** Which tasks a viewer sees without the permission to read all. */
export const taskVisibility = {
  reach: {
    organization: reachOfUser('assignee_id').organization,
    group: (alias, ids) => `${alias}.group_id = ANY (${ids})`,
    application: (alias, ids) => `${alias}.application_id = ANY (${ids})`,
  },
  visible: ({ idSql }, alias) => ownTasks(alias, idSql()),
  seenIds: ({ idSql }, limit) => ownTaskIds(idSql(), limit),
  visibleAlone: ({ idSql }, alias) => ownTask(alias, idSql()),
} satisfies Pick<ResourceDefinition, 'reach' | 'visible' | 'seenIds' | 'visibleAlone'>;

/** The condition of the tasks that a viewer sees, for resources that count them. */
export function seenTasks(viewer: SqlViewer, alias: string): string {
  const permission = 'tasks:read';
  if (viewer.rights.permits(permission)) return 'true';
  const { visible, reach } = taskVisibility;
  const seen = [visible(viewer, alias), ...withinScopes(reach, permission, viewer, alias)];
  return `(${seen.join(' OR ')})`;
}
