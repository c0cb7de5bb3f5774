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

/** What a task has to do with the person who is counted for. */
export interface Relation {
  /** Whether it is assigned to the person. */
  isMine: boolean;
  /** Whether it waits for a group of the person. */
  isOurs: boolean;
}

/** Tasks of a group, but for those that are assigned to the member who is counted for. */
export const OF_GROUP: Relation = { isMine: false, isOurs: true };
/** Tasks of a person that wait for none of the person's groups, and those that do. */
export const OF_PERSON: Relation = { isMine: true, isOurs: false };
export const OF_BOTH: Relation = { isMine: true, isOurs: true };
/** Tasks that the person may take, alone or with a group, or has in substitution, and that are neither. */
export const OF_CANDIDATE: Relation = { isMine: false, isOurs: false };

/** A condition that tasks are counted by; views that read alike share it. */
export interface CountedCondition {
  /**
   * Whether it is the same for everybody, but for `@me` and `@mygroups`, which are known of the tasks of a relation: a
   * group is then counted once for all its members.
   */
  isShared: boolean;
  /** The status that its tasks have, where all have the same: it is in the index. */
  status: string | undefined;
  /** SQL of the condition on a task of a relation, which counts where the condition is shared. */
  sql: (bind: Bind, relation: Relation) => string;
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
  const viewer = { ...role, id: NOBODY };
  const parsed = parseView(view, viewer);
  const isOfCaller = view.filters.map(
    (text) => typeof callerFilter(parseFilter(text), tasks, viewer) === 'object',
  );
  const others = { ...parsed, filters: parsed.filters.filter((_, at) => !isOfCaller[at]) };
  const status = view.filterMode === 'and' ? statusOf(parsed) : undefined;
  const isShared = !conditionOf(others, role, [], new Bindings().bind).isPersonal;
  const known = parsed.filters.filter((_, at) => isOfCaller[at]);
  const sql = (bind: Bind, relation: Relation): string => {
    if (!isShared) return conditionOf(parsed, role, isOfCaller, bind).sql;
    const holds = known.map((filter) => isTrue(filter, relation));
    // One that holds decides an "or", one that does not an "and"; the others change nothing.
    const decides = view.filterMode === 'or';
    if (holds.includes(decides)) return String(decides);
    if (others.filters.length === 0 && holds.length > 0) return String(!decides);
    return conditionOf(others, role, [], bind).sql;
  };
  const texts = [OF_PERSON, OF_BOTH, OF_GROUP, OF_CANDIDATE].map((relation) => {
    const { bind, values } = new Bindings();
    return [sql(bind, relation), values];
  });
  return { isShared, status, sql, key: JSON.stringify([isShared, status, texts]) };
}

/** Whether `@me` or `@mygroups` fits the tasks of a relation. */
function isTrue({ attribute, operator }: Filter, { isMine, isOurs }: Relation): boolean {
  const fits = attribute.name === 'assignee' ? isMine : isOurs;
  return operator === 'eq' ? fits : !fits;
}

function statusOf({ filters }: ParsedView): string | undefined {
  const demanded = filters.find(
    ({ attribute, operator }) => attribute.name === 'status' && operator === 'eq',
  );
  return typeof demanded?.value === 'string' ? demanded.value : undefined;
}

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
  return { sql: filterCondition(parsed, viewer, value), isPersonal };
}
