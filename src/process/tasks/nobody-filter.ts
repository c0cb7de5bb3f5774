import type { Filterable } from '../../resources/attributes/filterable.js';
import type { Filter, FilterTerm } from '../../resources/list/filters.js';
import { USER_STATUS } from '../../security/user-status.js';
import { type Reason, reason } from '../../base/errors/reason.js';
import { hasSubstitute } from '../access/substitution.js';

/** The placeholder for nobody in filters of tasks (docs/api-contract.md#tasks-and-views). */
const NOBODY = '@nobody';

/** Whether a filter names nobody: its matches change without a change of any task, as those of `@now` do. */
export const namesNobody = ({ name, value }: FilterTerm): boolean =>
  name === 'assignee' && value === NOBODY;

/**
 * Reads `assignee:eq:@nobody`: open tasks that nobody can decide.
 * @returns a message for another operator; undefined for every other filter
 */
export function nobodyFilter(term: FilterTerm): Filter | Reason | undefined {
  if (!namesNobody(term)) return undefined;
  if (term.operator !== 'eq') return reason('misplaced-nobody').at({ filter: term.name });
  return { attribute: UNDECIDABLE, operator: 'eq', value: undefined };
}

const GONE = `u.status IN (${USER_STATUS.inactive}, ${USER_STATUS.archived})`;

/** Whether a group has an active member; `group` is SQL of its id. */
const hasActiveMember = (group: string): string =>
  `EXISTS (SELECT 1 FROM group_members m JOIN users w ON w.id = m.user_id
    WHERE m.group_id = ${group} AND w.status = ${USER_STATUS.active})`;

/**
 * SQL of the ids of open tasks whose assignee is gone or missing, and which nobody else has: neither an active member of the
 * group, nor a candidate, nor a substitute. One statement finds them all, instead of a check of each task by itself: it
 * reads the groups without an active member once, their tasks by an index, and joins the people who are gone.
 */
const UNDECIDABLE_IDS = `WITH empty_groups AS MATERIALIZED (SELECT g.id FROM groups g WHERE NOT ${hasActiveMember('g.id')}),
  unassigned AS (
    SELECT t.id, t.group_id FROM tasks t WHERE t.status = 'open' AND t.assignee_id IS NULL AND t.group_id IS NULL
    UNION ALL SELECT t.id, t.group_id FROM empty_groups g JOIN tasks t ON t.group_id = g.id
    WHERE t.status = 'open' AND t.assignee_id IS NULL),
  abandoned AS (
    SELECT t.id, t.group_id FROM users u JOIN tasks t ON t.assignee_id = u.id
    WHERE ${GONE} AND t.status = 'open' AND NOT ${hasSubstitute('t')}
      AND (t.group_id IS NULL OR t.group_id IN (SELECT g.id FROM empty_groups g)))
  SELECT s.id FROM (SELECT id FROM unassigned UNION ALL SELECT id FROM abandoned) s
  WHERE NOT EXISTS (SELECT 1 FROM task_candidates c LEFT JOIN users u ON u.id = c.user_id
    WHERE c.task_id = s.id AND CASE WHEN c.user_id IS NULL THEN ${hasActiveMember('c.group_id')} ELSE NOT ${GONE} END)`;

const UNDECIDABLE: Filterable = {
  name: NOBODY,
  operators: ['eq'],
  parseFilter: (text) => text,
  condition: (alias) => `${alias}.id = ANY (ARRAY(${UNDECIDABLE_IDS}))`,
};
