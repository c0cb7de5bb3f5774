import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Attribute } from '../../src/resources/attributes/attribute.js';
import { executeList } from '../../src/resources/list/execute-list.js';
import type { ListSql } from '../../src/resources/list/list-sql.js';
import type { ListRequest } from '../../src/resources/list/parse-list-request.js';
import type { Resource } from '../../src/resources/resource.js';
import {
  caller,
  LARGE,
  lateFirst,
  type ListPlans,
  LOADING,
  planFor,
  resourceNamed,
  ROWS,
  rowsRead,
  startListPlans,
} from '../support/list-plans.js';
import { Random } from '../support/random.js';
import type { TestDatabase } from '../support/test-database.js';

/** How PostgreSQL executes lists with any filter, and with any two (docs/decisions/0036). */

/** The most rows that a list sorts: those of a page, and the matches that an ordered scan of this length would miss. */
const MOST_SORTED = 10_000;

/** The filters of which some lists read the whole table or sort more than a page, and the reason for each. */
const NO_WHOLE = 'no index has the whole of a long text';
const SLOW: Record<string, string> = {
  'users.description:notcontains': NO_WHOLE,
};

/** The pairs of filters drawn for each resource. */
const PAIRS = 100;

let plans: ListPlans;
let database: TestDatabase;
let sql: ListSql;
beforeAll(async () => {
  plans = await startListPlans();
  ({ database, sql } = plans);
  await plans.fill();
}, LOADING);
afterAll(() => plans.close());

describe('a list of 100,000 with any filter', () => {
  /** What is wrong with how PostgreSQL executes a list. */
  async function faultOf(resource: Resource, request: Partial<ListRequest>) {
    const faults = new Set<string>();
    await executeList(
      async (statement) => {
        if (!statement.text.startsWith('EXPLAIN'))
          for (const step of await plans.planOf(statement, 'ANALYZE, TIMING OFF, ')) {
            const isListed = step['Relation Name'] === resource.ref.table;
            if (step['Node Type'] === 'Seq Scan' && isListed && rowsRead(step) >= ROWS)
              faults.add('reads the whole table');
            const sorted = step['Node Type'] === 'Sort' ? rowsRead(step.Plans![0]!) : 0;
            if (sorted > MOST_SORTED) faults.add('sorts more than a page');
          }
        return database.rows(statement);
      },
      sql,
      planFor(resource, request),
    );
    return [...faults];
  }

  const valuesOf = (attribute: Attribute, operator: string): (string | undefined)[] => {
    const { type, name } = attribute;
    if (operator === 'in') {
      const values = valuesOf(attribute, 'eq');
      const named = type === 'link' && name !== 'uri' ? ['p77,p99'] : [];
      return values.length === 0 ? [] : [values.join(','), ...named];
    }
    if (operator.startsWith('is')) return [undefined];
    if (type === 'boolean') return ['true', 'false'];
    if (type === 'coded') return [attribute.schema().enum].flat().slice(0, 2).map(String);
    if (type === 'timestamp') return ['2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'];
    if (type === 'number') return ['1', '999999999'];
    if (type === 'link') return name === 'uri' ? [] : ['77', '999999999'];
    return ['77', '!', 'qqzzxxjj'];
  };

  it.each(LARGE)(
    '%s with two filters drawn at random are neither read completely nor sorted beyond a page',
    async (resourceName) => {
      const resource = resourceNamed(resourceName);
      const random = new Random(24);
      const filters = resource.listNames('filters', caller).flatMap((name) => {
        const attribute = resource.listAttribute(name, caller)!;
        return attribute.operators
          .filter((operator) => !(`${resourceName}.${name}:${operator}` in SLOW))
          .flatMap((operator) =>
            valuesOf(attribute, operator).map((value) => ({ name, operator, value })),
          );
      });
      const found: string[] = [];
      for (let n = 0; n < PAIRS; n++) {
        const pair = random.sample(filters, 2);
        const filterMode = random.pick(['and', 'or'] as const);
        const sorter = random.pick([[], lateFirst]);
        const written = pair.map(({ name, operator, value = '' }) =>
          [name, operator, value].join(':'),
        );
        const list = `${resourceName}: ${written.join(` ${filterMode} `)}`;
        for (const fault of await faultOf(resource, { filters: pair, filterMode, sorter }))
          found.push(`${list} ${fault}`);
      }
      expect(found).toEqual([]);
    },
    LOADING,
  );

  it.each(LARGE)(
    '%s are neither read completely nor sorted beyond a page, with the exceptions in the table',
    async (resourceName) => {
      const resource = resourceNamed(resourceName);
      const found: Record<string, Set<string>> = {};
      for (const name of resource.listNames('filters', caller)) {
        const attribute = resource.listAttribute(name, caller)!;
        for (const operator of attribute.operators)
          for (const value of valuesOf(attribute, operator))
            for (const sorter of [[], lateFirst]) {
              const filters = [{ name, operator, value }];
              for (const fault of await faultOf(resource, { filters, sorter }))
                (found[`${resourceName}.${name}:${operator}`] ??= new Set()).add(fault);
            }
      }
      expect(Object.keys(found).filter((list) => !(list in SLOW))).toEqual([]);
    },
    LOADING,
  );
});
