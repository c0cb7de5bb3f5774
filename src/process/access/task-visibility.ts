import type { ResourceDefinition } from '../../resources/resource.js';
import { isReadInSubstitution, substitutedTasksOf } from './substitution.js';

/** The groups of a person; `userId` is SQL of their id. */
export const groupsOf = (userId: string): string =>
  `ARRAY(SELECT m.group_id FROM group_members m WHERE m.user_id = ${userId}::bigint)`;

/**
 * SQL of the ids of the open tasks that are neither a person's nor their groups': those that the person may take, alone or
 * with a group, and those of people for whom the person stands in; `userId` is SQL of their id. Closed ones are left out:
 * there is no end of them (docs/decisions/0041, 0044).
 */
export const furtherTasksOf = (userId: string): string =>
  `SELECT c.task_id FROM task_candidates c WHERE c.open AND c.principal_id = ANY (${candidateIdsOf(userId)})
    UNION ${substitutedTasksOf(userId)}`;

/** Whether a person may take a task, alone or with a group, or might have before it was closed. */
export const isCandidate = (alias: string, userId: string): string =>
  `EXISTS (SELECT 1 FROM task_candidates c WHERE c.task_id = ${alias}.id AND c.principal_id = ANY (${candidateIdsOf(userId)}))`;

/** Whom the candidates of a task can name for a person to be one: the person, and the person's groups. */
export const candidateIdsOf = (userId: string): string =>
  `ARRAY(SELECT m.group_id FROM group_members m WHERE m.user_id = ${userId}::bigint UNION ALL SELECT ${userId}::bigint)`;

/**
 * Tasks of a person or of the person's groups, and open ones of which they are candidates or whose assignee they stand in
 * for; `userId` is SQL of their id.
 * The array lets PostgreSQL find the tasks by their ids, beside those of the person and of the groups.
 */
export const ownTasks = (alias: string, userId: string): string =>
  `(${assignedTasks(alias, userId)} OR ${alias}.id = ANY (ARRAY(${furtherTasksOf(userId)})))`;

/** SQL of their ids: an index finds each kind, of which no more than `limit` are read. */
const ownTaskIds = (userId: string, limit: number): string =>
  [
    `SELECT o.id FROM tasks o WHERE o.assignee_id = ${userId}::bigint`,
    `SELECT o.id FROM tasks o WHERE o.group_id = ANY (${groupsOf(userId)})`,
    furtherTasksOf(userId),
  ]
    .map((ids) => `(${ids} LIMIT ${limit})`)
    .join(' UNION ALL ');

/** The same for a task whose id is known: candidates and substitutes may still read it when somebody has closed it. */
const ownTask = (alias: string, userId: string): string =>
  `(${assignedTasks(alias, userId)} OR ${isCandidate(alias, userId)} OR ${isReadInSubstitution(alias, userId)})`;

const assignedTasks = (alias: string, userId: string): string =>
  `${alias}.assignee_id = ${userId}::bigint OR ${alias}.group_id = ANY (${groupsOf(userId)})`;

/** Which tasks a viewer sees: administrators and process engines all of them. */
export const taskVisibility = {
  visible: ({ administrator, processEngine, idSql }, alias) =>
    administrator || processEngine ? undefined : ownTasks(alias, idSql()),
  seenIds: ({ administrator, processEngine, idSql }, limit) =>
    administrator || processEngine ? undefined : ownTaskIds(idSql(), limit),
  visibleAlone: ({ administrator, processEngine, idSql }, alias) =>
    administrator || processEngine ? undefined : ownTask(alias, idSql()),
} satisfies Pick<ResourceDefinition, 'visible' | 'seenIds' | 'visibleAlone'>;
