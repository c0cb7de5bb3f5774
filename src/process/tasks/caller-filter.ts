import type { Comparison, Filterable } from '../../resources/attributes/filterable.js';
import type { Filter, FilterTerm } from '../../resources/list/filters.js';
import type { Resource } from '../../resources/resource.js';
import type { Viewer } from '../../security/caller.js';
import { groupsOf } from '../access/task-visibility.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/** Placeholders for the caller in filters of tasks (docs/api-contract.md#tasks-and-views). */
const ME = '@me';
const MY_GROUPS = '@mygroups';

export const isPlaceholder = (text: string): boolean => text === ME || text === MY_GROUPS;

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
