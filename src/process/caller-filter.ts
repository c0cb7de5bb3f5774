import type { Comparison, Filterable } from '../resources/attributes/filterable.js';
import type { Filter, FilterTerm } from '../resources/list/filters.js';
import type { Resource } from '../resources/resource.js';
import type { Viewer } from '../security/caller.js';
import { substitutedTasksOf } from './substitution.js';
import { type Reason, reason } from '../errors/reason.js';

/** What stands for the caller in filters of tasks (docs/api-contract.md#tasks-and-views). */
const ME = '@me';
const MY_GROUPS = '@mygroups';

export const isPlaceholder = (text: string): boolean => text === ME || text === MY_GROUPS;

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
 * Reads `assignee:eq:@me` and `group:eq:@mygroups`.
 * @returns a message for a placeholder that does not fit the attribute; undefined for every other filter
 */
export function callerFilter(
  { name, operator, value }: FilterTerm,
  tasks: Resource,
  caller: Viewer,
): Filter | Reason | undefined {
  if (name !== 'assignee' && name !== 'group') return undefined;
  if (operator === 'in' && value?.split(',').some(isPlaceholder))
    return reason('misplaced-caller').at({ filter: name });
  if (operator !== 'eq' && operator !== 'neq') return undefined;
  if (value === undefined || !isPlaceholder(value)) return undefined;
  if ((name === 'assignee') !== (value === ME))
    return reason('misplaced-caller').at({ filter: name });
  const attribute = value === ME ? tasks.listAttribute('assignee', caller)! : ANY_OF_GROUPS;
  return { attribute, operator, value: caller.id };
}

/** `group:eq:@mygroups`: the task waits for a group of the user whose id is compared. */
const ANY_OF_GROUPS: Filterable = {
  name: MY_GROUPS,
  operators: ['eq', 'neq'],
  parseFilter: (text) => text,
  condition(alias: string, { operator, value }: Comparison) {
    const mine = `${alias}.group_id = ANY (${groupsOf(value)})`;
    return operator === 'eq' ? mine : `(${mine}) IS NOT TRUE`;
  },
};
