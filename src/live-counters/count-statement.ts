import { Bindings, type Bind } from '../database/bindings.js';
import type { BoundStatement, Row } from '../database/database.js';
import { furtherTasksOf, groupsOf } from '../process/caller-filter.js';
import { tasks } from '../process/task.resource.js';
import { LISTED } from '../resources/resource.js';
import type { Catalogue } from './catalogue.js';
import {
  type CountedCondition,
  GROUPS,
  OF_BOTH,
  OF_CANDIDATE,
  OF_GROUP,
  OF_PERSON,
  PERSON,
} from './counted-view.js';
import type { Tally } from './person.js';

type Counted = Catalogue['conditions'][number];

/** Where tasks are found, and what is counted of them. */
interface Source {
  isShared: boolean;
  from: string;
  /** SQL of the person or the group. */
  id: string;
  /** SQL of a number. */
  count: (condition: CountedCondition, bind: Bind) => string;
}

const countOf = (...conditions: string[]): string =>
  `count(*) FILTER (WHERE ${conditions.join(' AND ')})`;

/** The ids of the tasks that the person may take, and of those of people for whom the person stands in. */
const FURTHER = 'p.further';

const IS_OURS = `${LISTED}.group_id = ANY (${GROUPS})`;

/** Tasks of people, without what the tallies of their groups count. */
const OF_PEOPLE: Source = {
  isShared: true,
  from: `p JOIN ${tasks.ref.table} ${LISTED} ON ${LISTED}.assignee_id = ${PERSON}`,
  id: PERSON,
  count: ({ sql }, bind) => {
    const apart = countOf(`(${IS_OURS}) IS NOT TRUE`, sql(bind, OF_PERSON));
    const texts = [OF_BOTH, OF_GROUP].map((relation) => sql(new Bindings().bind, relation));
    if (texts[0] === texts[1]) return apart;
    // The group counts these as if they were assigned to somebody else.
    return `${apart} + ${countOf(IS_OURS, sql(bind, OF_BOTH))} - ${countOf(IS_OURS, sql(bind, OF_GROUP))}`;
  },
};
const OF_GROUPS: Source = {
  isShared: true,
  from: `g JOIN ${tasks.ref.table} ${LISTED} ON ${LISTED}.group_id = g.id`,
  id: 'g.id',
  count: ({ sql }, bind) => countOf(sql(bind, OF_GROUP)),
};
/**
 * Open tasks that people may take as candidates, each once, whatever groups have them in common, and those of people for
 * whom they stand in; without those that the other tallies count.
 */
const OF_CANDIDATES: Source = {
  isShared: true,
  from: `p CROSS JOIN LATERAL unnest(${FURTHER}) AS k (task_id) JOIN ${tasks.ref.table} ${LISTED}
    ON ${LISTED}.id = k.task_id AND (${LISTED}.assignee_id = ${PERSON} OR ${IS_OURS}) IS NOT TRUE`,
  id: PERSON,
  count: ({ sql }, bind) => countOf(sql(bind, OF_CANDIDATE)),
};
/** Tasks of people together with those of their groups. */
const OF_EACH: Source = {
  isShared: false,
  from: `p JOIN ${tasks.ref.table} ${LISTED} ON (${LISTED}.assignee_id = ${PERSON} OR ${IS_OURS} OR ${LISTED}.id = ANY (${FURTHER}))`,
  id: PERSON,
  count: ({ sql }, bind) => countOf(sql(bind, OF_PERSON)),
};

/** The relation that all tasks of a source have. */
const RELATION_OF = new Map([
  [OF_GROUPS, OF_GROUP],
  [OF_CANDIDATES, OF_CANDIDATE],
]);

/** One part of the statement: it reads the tasks of a source once, and counts them by several conditions. */
interface Branch {
  conditions: Counted[];
  text: string;
}

/** A statement that counts for many people and groups at once, and how to read its rows. */
export interface CountStatement {
  statement: BoundStatement;
  /** @returns the tallies by the id of the person or the group; those without tasks have none */
  read(rows: Row[]): Map<string, Tally>;
}

/** @returns undefined when there is nothing to count */
export function countStatement(
  conditions: Counted[],
  people: string[],
  groups: string[],
): CountStatement | undefined {
  const { bind, values } = new Bindings();
  const sources = [
    ...(people.length > 0 ? [OF_PEOPLE, OF_CANDIDATES, OF_EACH] : []),
    ...(groups.length > 0 ? [OF_GROUPS] : []),
  ];
  const isIn = (ids: string[]) => `unnest(${bind(ids)}::bigint[]) AS u(id)`;
  // Materialized, so that the groups of a person are read once.
  const text = `WITH p AS MATERIALIZED (SELECT u.id, ${groupsOf('u.id')} AS groups, ARRAY(${furtherTasksOf('u.id')}) AS further
    FROM ${isIn(people)}),
    g AS (SELECT u.id FROM ${isIn(groups)})`;
  const branches = sources.flatMap((source) => branchesOf(source, conditions, bind));
  if (branches.length === 0) return undefined;
  const parts = branches.map((branch, at) => `SELECT ${at}, ${branch.text}`);
  return {
    statement: { text: `${text} ${parts.join(' UNION ALL ')}`, values },
    read: (rows) => readTallies(rows, branches),
  };
}

/** A branch for each status, which the index holds: finished tasks are many, and rarely counted. */
function branchesOf(source: Source, all: Counted[], bind: Bind): Branch[] {
  const relation = RELATION_OF.get(source);
  const isIn = ({ condition: { isShared, sql } }: Counted): boolean =>
    isShared === source.isShared &&
    (relation === undefined || sql(new Bindings().bind, relation) !== 'false');
  const fitting = all.filter(isIn);
  const statuses = new Set(fitting.map(({ condition }) => condition.status));
  return [...statuses].map((status) => {
    const conditions = fitting.filter(({ condition }) => condition.status === status);
    const counts = conditions.map(({ condition }) => source.count(condition, bind));
    const where = status === undefined ? '' : `WHERE ${LISTED}.status = ${bind(status)}`;
    const text = `${source.id}, ${LISTED}.application_id, array_to_string(ARRAY[${counts.join(', ')}], ',')
      FROM ${source.from} ${where} GROUP BY ${source.id}, ${LISTED}.application_id`;
    return { conditions, text };
  });
}

function readTallies(rows: Row[], branches: Branch[]): Map<string, Tally> {
  const tallies = new Map<string, Map<number, number>>();
  for (const [branch, id, applicationId, counts] of rows) {
    const numbers = String(counts).split(',');
    branches[Number(branch)]!.conditions.forEach(({ slots }, at) => {
      const count = Number(numbers[at]);
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
