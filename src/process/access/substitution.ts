import { USER_STATUS } from '../../security/user-status.js';

/**
 * SQL of who stands in for whom now (docs/decisions/0044). The rule of an application counts for the tasks of that
 * application, and the general one for all others.
 */

/** Whether no rule for one application overrides an active rule; `away` is the alias of the active rule. */
const isInScope = (away: string, application: string): string =>
  `(${away}.application_id = ${application} OR (${away}.application_id IS NULL AND NOT EXISTS (
    SELECT 1 FROM absences nearer WHERE nearer.active AND nearer.user_id = ${away}.user_id AND nearer.application_id = ${application})))`;

/** The people for whom a person stands in by any rule; `userId` is SQL of that person's id. */
export const absenteesOf = (userId: string): string =>
  `ARRAY(SELECT DISTINCT away.user_id FROM absences away WHERE away.active AND away.substitute_id = ${userId}::bigint)`;

/**
 * The ids of the open tasks of people for whom a person stands in. The array makes PostgreSQL use the index of the
 * assignees: the planner would expect hundreds of rules where most people have none.
 */
export const substitutedTasksOf = (userId: string): string =>
  `SELECT lent.id FROM tasks lent WHERE lent.assignee_id = ANY (${absenteesOf(userId)}) AND lent.status = 'open'
    AND ${isSubstitute('lent', userId)}`;

/** Whether a person stands in for the assignee of a task, whatever its status. @param more a condition of the rule `away` */
const isSubstitute = (alias: string, userId: string, more = 'true'): string =>
  `EXISTS (SELECT 1 FROM absences away WHERE away.active AND away.substitute_id = ${userId}::bigint
    AND away.user_id = ${alias}.assignee_id AND ${isInScope('away', `${alias}.application_id`)} AND ${more})`;

/**
 * Whether a person may read a task in substitution: an open one, or one closed since the absence began. Tasks that the
 * absent person closed earlier stay private.
 */
export const isReadInSubstitution = (alias: string, userId: string): string =>
  isSubstitute(
    alias,
    userId,
    `(${alias}.status = 'open' OR ${alias}.closed_date >= away.start_date)`,
  );

/** Whether an active person stands in for the assignee of an open task. */
export const hasSubstitute = (alias: string): string =>
  `EXISTS (SELECT 1 FROM absences away JOIN users stand_in ON stand_in.id = away.substitute_id
    WHERE away.active AND away.user_id = ${alias}.assignee_id AND stand_in.status = ${USER_STATUS.active}
      AND ${isInScope('away', `${alias}.application_id`)})`;

/** Id, login and name of the substitute of an open task's assignee; null without one. */
export const substituteOf = (alias: string): string =>
  `CASE WHEN ${alias}.status = 'open' THEN (
    SELECT jsonb_build_array(stand_in.id::text, stand_in.login, stand_in.title)
    FROM absences away JOIN users stand_in ON stand_in.id = away.substitute_id
    WHERE away.active AND away.user_id = ${alias}.assignee_id
      AND (away.application_id = ${alias}.application_id OR away.application_id IS NULL)
    ORDER BY away.application_id NULLS LAST LIMIT 1) END`;

/** Ids and revisions of the active rules by which a person sees tasks in substitution. */
export const rulesFor = (userId: string): string =>
  `ARRAY(SELECT concat(nearer.id, '.', nearer.revision) FROM absences nearer
    WHERE nearer.active AND nearer.user_id = ANY (${absenteesOf(userId)}) ORDER BY 1)`;

/**
 * Whether a task that people had in an application was lent to a person; SQL of the ids of these people and of the application.
 */
export const wasLent = (principals: string, application: string, userId: string): string =>
  `EXISTS (SELECT 1 FROM absences away WHERE away.active AND away.substitute_id = ${userId}::bigint
    AND away.user_id = ANY (${principals}) AND ${isInScope('away', application)})`;
