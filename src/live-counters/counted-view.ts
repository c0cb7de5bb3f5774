import { Bindings, type Bind } from '../database/bindings.js';
import { callerFilter } from '../process/caller-filter.js';
import { parseView, type ParsedView, type StoredView } from '../process/parse-view.js';
import { tasks } from '../process/task.resource.js';
import { filterCondition } from '../resources/list/conditions.js';
import { type Filter, parseFilter } from '../resources/list/filters.js';
import type { Role } from '../resources/visibility.js';

/** SQL of the person who is counted for, and of the array of their groups. */
export const PERSON = 'p.id';
export const GROUPS = 'p.groups';

/**
 * Whose tasks a view counts. `both`: of the person and of each group, in a way that is the same for everybody, so that
 * a group is counted once for all its members; `own`: of the person alone; `groups`: of the groups alone; `person`:
 * everything that differs from person to person.
 */
export type Counting = 'both' | 'own' | 'groups' | 'person';

/** A condition that tasks are counted by; views that read alike share it. */
export interface CountedCondition {
  counting: Counting;
  /** The status that its tasks have, where all have the same: it is in the index. */
  status: string | undefined;
  /** SQL of the condition on a task, beside whose it is. */
  sql: (bind: Bind) => string;
  /** Equal where the conditions are. */
  key: string;
}

/** Stands for the person in filters that are only parsed. */
const NOBODY = '0';

/**
 * What the rows of a view are for the people of a role, as `rowsOf` in process/view-rows.ts selects them.
 * @throws UnreadableView
 */
export function countedView(view: StoredView, role: Role): CountedCondition {
  const parsed = parseView(view, { ...role, id: NOBODY });
  const terms = view.filters.map(parseFilter);
  const isOfCaller = terms.map(
    (term) => typeof callerFilter(term, tasks, { ...role, id: NOBODY }) === 'object',
  );
  const isAll = view.filterMode === 'and';
  const demands = (text: string): boolean => isAll && view.filters.includes(text);
  const others = without(parsed, isOfCaller);
  const status = isAll ? statusOf(parsed) : undefined;
  const make = (counting: Counting, of: ParsedView, isPlaceholder: boolean[]): CountedCondition => {
    const sql = (bind: Bind) => conditionOf(of, role, isPlaceholder, bind).sql;
    const { bind, values } = new Bindings();
    return { counting, status, sql, key: JSON.stringify([counting, status, sql(bind), values]) };
  };
  const none = others.filters.map(() => false);
  const isShared = !conditionOf(others, role, none, new Bindings().bind).isPersonal;
  if (isShared && !isOfCaller.includes(true)) return make('both', parsed, isOfCaller);
  if (demands('assignee:eq:@me')) return make('own', parsed, isOfCaller);
  const isOfGroups = terms.every(
    ({ name, operator }, at) => !isOfCaller[at] || (name === 'group' && operator === 'eq'),
  );
  if (isShared && isAll && isOfGroups) return make('groups', others, none);
  return make('person', parsed, isOfCaller);
}

/** Whether the rows of a view depend on nothing but the tasks themselves. */
export const dependsOnTasksAlone = ({ filters }: StoredView): boolean =>
  filters
    .map(parseFilter)
    .every(({ name }) => !name.includes('.') && !name.startsWith('application'));

function statusOf({ filters }: ParsedView): string | undefined {
  const demanded = filters.find(
    ({ attribute, operator }) => attribute.name === 'status' && operator === 'eq',
  );
  return typeof demanded?.value === 'string' ? demanded.value : undefined;
}

const without = (parsed: ParsedView, isOfCaller: boolean[]): ParsedView => ({
  ...parsed,
  filters: parsed.filters.filter((_, at) => !isOfCaller[at]),
});

/** SQL of the filters, and whether it differs from person to person. */
function conditionOf(
  parsed: ParsedView,
  role: Role,
  isPlaceholder: boolean[],
  bind: Bind,
): { sql: string; isPersonal: boolean } {
  let isPersonal = false;
  const idSql = (): string => {
    isPersonal = true;
    return PERSON;
  };
  const value = ({ value }: Filter, at: number): string => {
    if (isPlaceholder[at]) return idSql();
    return value === undefined ? '' : bind(value);
  };
  const viewer = { ...role, idSql };
  return { sql: filterCondition(parsed, viewer, value, 'none'), isPersonal };
}
