import { Bindings, type Bind } from '../../database/bindings.js';
import type { BoundStatement, Database, Row } from '../../database/database.js';
import { LISTED } from '../../resources/resource.js';
import {
  type CountedCondition,
  GROUPS,
  OF_BOTH,
  OF_CANDIDATE,
  OF_GROUP,
  OF_PERSON,
  PERSON,
  type Relation,
} from './counted-condition.js';
import { tasks } from '../tasks/task.resource.js';
import { furtherTasksOf, groupsOf, ownTasks } from '../access/task-visibility.js';

/** Numbers of tasks by slot; a missing slot counts zero. */
export type Tally = ReadonlyMap<number, number>;

export const NOTHING: Tally = new Map();

/** A condition, and its slots by the application whose tasks it counts; null stands for all applications. */
export interface ConditionSlots {
  condition: CountedCondition;
  slots: Map<string | null, number>;
}

/** Allocates a slot for each number. Equal conditions on the tasks of the same application share one. */
export class Slots {
  readonly conditions: ConditionSlots[] = [];
  private readonly byKey = new Map<string, ConditionSlots>();
  private count = 0;

  /**
   * @param key equal where the conditions are
   * @param applicationId null for the tasks of all applications
   * @throws what `make` throws
   */
  of(key: string, applicationId: string | null, make: () => CountedCondition): number {
    let counted = this.byKey.get(key);
    if (!counted) {
      counted = { condition: make(), slots: new Map() };
      this.byKey.set(key, counted);
      this.conditions.push(counted);
    }
    const slot = counted.slots.get(applicationId) ?? this.count++;
    counted.slots.set(applicationId, slot);
    return slot;
  }
}

/** A set of tasks, and the SQL that counts them. */
interface Source {
  from: string;
  where?: string;
  /** SQL of the person or the group. */
  id: string;
  /** Whether it counts a condition. */
  has: (condition: CountedCondition) => boolean;
  /** SQL of a number. */
  count: (counted: ConditionSlots, bind: Bind) => string;
}

const countOf = (...conditions: string[]): string =>
  `count(*) FILTER (WHERE ${conditions.join(' AND ')})`;

/** SQL of the ids of the tasks that the person sees as a candidate or as a substitute. */
const FURTHER = 'p.further';

const IS_OURS = `${LISTED}.group_id = ANY (${GROUPS})`;

const isShared = (condition: CountedCondition): boolean => condition.isShared;

/** Tasks assigned to people, without those that the tallies of their groups include. */
const OF_PEOPLE: Source = {
  from: `p JOIN ${tasks.ref.table} ${LISTED} ON ${LISTED}.assignee_id = ${PERSON}`,
  id: PERSON,
  has: isShared,
  count: ({ condition }, bind) => {
    const apart = countOf(`(${IS_OURS}) IS NOT TRUE`, condition.sql(bind, OF_PERSON));
    const texts = [OF_BOTH, OF_GROUP].map((relation) =>
      condition.sql(new Bindings().bind, relation),
    );
    if (texts[0] === texts[1]) return apart;
    // The tally of the group counts these as if another person were the assignee.
    return `${apart} + ${countOf(IS_OURS, condition.sql(bind, OF_BOTH))} - ${countOf(IS_OURS, condition.sql(bind, OF_GROUP))}`;
  },
};
const OF_GROUPS: Source = {
  from: `g JOIN ${tasks.ref.table} ${LISTED} ON ${LISTED}.group_id = g.id`,
  id: 'g.id',
  has: (condition) => isShared(condition) && isPossible(condition, OF_GROUP),
  count: ({ condition }, bind) => countOf(condition.sql(bind, OF_GROUP)),
};
/**
 * Open tasks that people see only as candidates or substitutes. Each task counts once, even for a person who is a
 * candidate by several groups.
 */
const OF_CANDIDATES: Source = {
  from: `p CROSS JOIN LATERAL unnest(${FURTHER}) AS k (task_id) JOIN ${tasks.ref.table} ${LISTED}
    ON ${LISTED}.id = k.task_id AND (${LISTED}.assignee_id = ${PERSON} OR ${IS_OURS}) IS NOT TRUE`,
  id: PERSON,
  has: (condition) => isShared(condition) && isPossible(condition, OF_CANDIDATE),
  count: ({ condition }, bind) => countOf(condition.sql(bind, OF_CANDIDATE)),
};
/** All tasks of people and their groups, for conditions that differ between the members of a group. */
const OF_EACH: Source = {
  from: `p JOIN ${tasks.ref.table} ${LISTED} ON (${LISTED}.assignee_id = ${PERSON} OR ${IS_OURS} OR ${LISTED}.id = ANY (${FURTHER}))`,
  id: PERSON,
  has: (condition) => !isShared(condition),
  count: ({ condition }, bind) => countOf(condition.sql(bind, PERSON)),
};
/** All tasks of one person. */
const ofOne = (person: string): Source => ({
  from: `${tasks.ref.table} ${LISTED}`,
  where: ownTasks(LISTED, person),
  id: person,
  has: () => true,
  count: ({ condition, slots }, bind) => {
    const own = condition.sql(bind, person);
    if (!condition.isDemanding || slots.has(null)) return countOf(own);
    // The demanding condition is evaluated only for tasks of these applications.
    return countOf(`${LISTED}.application_id = ANY (${bind([...slots.keys()])}::bigint[])`, own);
  },
});

const isPossible = (condition: CountedCondition, relation: Relation): boolean =>
  condition.sql(new Bindings().bind, relation) !== 'false';

/** One part of the statement, which reads the tasks of a source once and counts them by several conditions. */
interface Branch {
  conditions: ConditionSlots[];
  text: string;
}

/**
 * Counts all tasks of one person, those of groups included.
 * @param limit time in milliseconds
 */
export async function tallyOfOne(
  database: Database,
  conditions: ConditionSlots[],
  person: string,
  limit: number,
  options: Pick<BoundStatement, 'prepared' | 'searcher'>,
): Promise<Tally> {
  const { bind, values } = new Bindings();
  const branches = branchesOf(ofOne(`${bind(person)}::bigint`), conditions, bind);
  const rows = await database.rowsWithin(limit, { text: together(branches), values, ...options });
  return readTallies(rows, branches).get(person) ?? NOTHING;
}

/**
 * Counts for many people: each group once for all its members, and for each person the tasks beyond those of the
 * groups.
 * @param limit time in milliseconds
 * @returns tallies by the id of the person or group; those without tasks are missing
 */
export async function talliesOfMany(
  database: Database,
  conditions: ConditionSlots[],
  people: string[],
  groups: string[],
  limit: number,
): Promise<Map<string, Tally>> {
  const { bind, values } = new Bindings();
  const isIn = (ids: string[]) => `unnest(${bind(ids)}::bigint[]) AS u(id)`;
  // Materialized, so that the groups of a person are read once.
  const principals = `WITH p AS MATERIALIZED (SELECT u.id, ${groupsOf('u.id')} AS groups, ARRAY(${furtherTasksOf('u.id')}) AS further
    FROM ${isIn(people)}),
    g AS (SELECT u.id FROM ${isIn(groups)})`;
  const sources = [
    ...(people.length > 0 ? [OF_PEOPLE, OF_CANDIDATES, OF_EACH] : []),
    ...(groups.length > 0 ? [OF_GROUPS] : []),
  ];
  const branches = sources.flatMap((source) => branchesOf(source, conditions, bind));
  if (branches.length === 0) return new Map();
  const text = `${principals} ${together(branches)}`;
  return readTallies(await database.rowsWithin(limit, { text, values }), branches);
}

const together = (branches: Branch[]): string =>
  branches.map(({ text }, at) => `SELECT ${at}, ${text}`).join(' UNION ALL ');

/** One branch per status, because the index contains the status: finished tasks are many and rarely counted. */
function branchesOf(source: Source, all: ConditionSlots[], bind: Bind): Branch[] {
  const fitting = all.filter(({ condition }) => source.has(condition));
  const statuses = new Set(fitting.map(({ condition }) => condition.status));
  return [...statuses].map((status) => {
    const conditions = fitting.filter(({ condition }) => condition.status === status);
    const counts = conditions.map((one) => source.count(one, bind));
    const has = status === undefined ? 'true' : `${LISTED}.status = ${bind(status)}`;
    const text = `${source.id}, ${LISTED}.application_id, array_to_string(ARRAY[${counts.join(', ')}], ',')
      FROM ${source.from} WHERE ${source.where ?? 'true'} AND ${has} GROUP BY ${source.id}, ${LISTED}.application_id`;
    return { conditions, text };
  });
}

function readTallies(rows: Row[], branches: Branch[]): Map<string, Tally> {
  const tallies = new Map<string, Map<number, number>>();
  for (const [branch, id, applicationId, counts] of rows) {
    const texts = String(counts).split(',');
    branches[Number(branch)]!.conditions.forEach(({ slots }, at) => {
      const count = Number(texts[at]);
      if (count === 0) return;
      for (const slot of [slots.get(String(applicationId)), slots.get(null)]) {
        if (slot === undefined) continue;
        const tally = tallies.get(String(id)) ?? new Map<number, number>();
        tallies.set(String(id), tally.set(slot, (tally.get(slot) ?? 0) + count));
      }
    });
  }
  return tallies;
}

/** Time limits in milliseconds for the first statement, and for all of them. Conditions beyond them stay uncounted. */
export interface CountLimits {
  first: number;
  total: number;
}

/** Least time for a statement, in milliseconds. */
const LEAST_LIMIT = 100;

/** SQLSTATEs (or their classes) of errors in the statement itself: timeout, lock, value, complexity. */
const STATEMENT_FAULT = /^(57014|55P03|22|54)/;

/** Whether an error is the fault of the statement, so that another one can succeed. */
export function blamesStatement(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && STATEMENT_FAULT.test(code);
}

/**
 * Counts batch by batch. It splits a batch whose statement fails into halves, each with half the time, until the faulty
 * condition is alone. So one bad condition does not cost the others their counts. The time limits bound the number of
 * statements.
 * @param count counts these within a time limit (milliseconds)
 * @returns those that could not be counted
 */
export async function countInHalves<T>(
  batches: T[][],
  { first, total }: CountLimits,
  count: (some: T[], limit: number) => Promise<void>,
): Promise<T[]> {
  const deadline = performance.now() + total;
  const uncounted = async (some: T[], limit: number): Promise<T[]> => {
    if (some.length === 0) return [];
    if (performance.now() + limit > deadline) return some;
    try {
      await count(some, limit);
      return [];
    } catch (error) {
      if (!blamesStatement(error)) throw error;
      if (some.length === 1) return some;
      const middle = Math.ceil(some.length / 2);
      const half = Math.max(LEAST_LIMIT, limit / 2);
      return [
        ...(await uncounted(some.slice(0, middle), half)),
        ...(await uncounted(some.slice(middle), half)),
      ];
    }
  };
  const left: T[] = [];
  for (const batch of batches) left.push(...(await uncounted(batch, first)));
  return left;
}
