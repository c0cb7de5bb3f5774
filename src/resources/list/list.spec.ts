import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Rights } from '../../base/rights/rights.js';
import type { Caller } from '../../security/caller.js';
import { text } from '../attributes/attributes.js';
import { Resource } from '../resource.js';
import { ListSql } from './list-sql.js';
import { setPagingHeaders } from '../http/paging-headers.js';
import { FIRST_PAGE, type ListRequest } from './parse-list-request.js';
import { type ListPlan, planList, within } from './plan-list.js';
import { parseRange } from './range.js';

const things = new Resource({
  name: 'things',
  uri: '/things',
  withoutUri: true,
  labelColumn: 'name',
  attributes: { name: text() },
  visible: ({ rights, idSql }, alias) =>
    rights.permits('users:read') ? undefined : `${alias}.owner = ${idSql()}`,
});
const caller = { id: '7', rights: Rights.none } as Caller;
const planFor = (request: Partial<ListRequest>, who: Partial<Caller> = {}): ListPlan =>
  planList(
    things,
    { ...caller, ...who },
    { ...FIRST_PAGE, range: { start: 0, count: 2 }, ...request },
  );
const byName = { name: 'name', operator: 'eq' };

describe('parseRange', () => {
  it.each([
    ['0-25', { start: 0, count: 25 }],
    ['9999999999-500', { start: 9_999_999_999, count: 500 }],
    ['10000000000-1', undefined],
    ['0-501', undefined],
    ['0-0', undefined],
  ])('%s', (text, expected) => {
    expect(parseRange(text)).toEqual(expected);
  });
});

describe('ListSql', () => {
  const sql = new ListSql(new DataSource({ type: 'postgres' }));

  it('asks for one row more than the page, and binds every value', () => {
    expect(sql.page(planFor({}))).toEqual({
      text: 'SELECT (t.id) AS "c0", (t.name) AS "c1" FROM "things" "t" WHERE t.owner = $1 ORDER BY t.id ASC LIMIT $2 OFFSET $3',
      values: ['7', 3, 0],
      prepared: true,
      searching: false,
    });
  });

  it('puts an upper bound of the rows into the text when only the range is bound', () => {
    const { text, values } = sql.page(planFor({}, { rights: Rights.ofAdministrator }));
    expect(text).toBe(
      'SELECT * FROM (SELECT (t.id) AS "c0", (t.name) AS "c1" FROM "things" "t" ORDER BY t.id ASC LIMIT 64) AS page LIMIT $1 OFFSET $2',
    );
    expect(values).toEqual([3, 0]);
  });

  it('searches, without keeping a plan, when a further condition was made from a substring filter', () => {
    const { filters } = planFor({ filters: [{ ...byName, operator: 'contains', value: 'a' }] });
    const plan = within(planFor({}), 't.name LIKE :part', { part: '%a%' }, filters);
    expect(sql.page(plan)).toMatchObject({ prepared: false, searching: true });
  });

  it('collects the ids of a deep page before it joins', () => {
    const { text } = sql.page(planFor({ range: { start: 5000, count: 2 } }));
    expect(text).toMatch(
      /^WITH "ids"\("key"\) AS MATERIALIZED \(SELECT \(t\.id\) AS "key" FROM "things" "t" WHERE .* LIMIT \$2 OFFSET \$3\)/,
    );
  });

  it('has one text for all values of a shape, and each its own values', () => {
    const [one, other] = ['a', 'b'].map((value, index) =>
      sql.page(
        planFor(
          { filters: [{ ...byName, value }], range: { start: index, count: 2 } },
          { id: value },
        ),
      ),
    );
    expect(other!.text).toBe(one!.text);
    expect(one!.values).toEqual(['a', 'a', 3, 0]);
    expect(other!.values).toEqual(['b', 'b', 3, 1]);
  });

  it.each<[string, ListPlan]>([
    ['the rights', planFor({}, { rights: Rights.ofAdministrator })],
    ['an operator', planFor({ filters: [{ ...byName, operator: 'neq', value: 'a' }] })],
    [
      'the mode of filters',
      planFor({
        filters: ['a', 'b'].map((value) => ({ ...byName, value })),
        filterMode: 'or',
      }),
    ],
    ['the sorter', planFor({ sorter: [{ name: 'name', descending: false }] })],
    ['the direction of the sorter', planFor({ sorter: [{ name: 'name', descending: true }] })],
    ['the exact count', planFor({ exactCount: true })],
    ['a further condition', within(planFor({}), 't.id = :one', { one: 1 })],
  ])('has another text for another shape: %s', (_, plan) => {
    const others = [planFor({}), planFor({ filters: [{ ...byName, value: 'a' }] })];
    expect(others.map((other) => sql.page(other).text)).not.toContain(sql.page(plan).text);
  });
});

describe('setPagingHeaders', () => {
  const linksOf = (
    originalUrl: string,
    start: number,
    count: number,
    facts: { hasNext: boolean; total?: number },
  ) => {
    const headers: Record<string, string> = {};
    const response = { setHeader: (name: string, value: string) => (headers[name] = value) };
    setPagingHeaders(
      { originalUrl } as never,
      response as never,
      { range: { start, count }, exactCount: facts.total !== undefined },
      facts,
    );
    return headers;
  };

  it.each([
    [0, 10, { hasNext: false, total: 0 }, 'first=0-10 last=0-10'],
    [0, 10, { hasNext: true, total: 25 }, 'first=0-10 next=10-10 last=20-10'],
    [5, 10, { hasNext: true, total: 25 }, 'first=0-10 prev=0-5 next=15-10 last=15-10'],
    [20, 10, { hasNext: false, total: 25 }, 'first=0-10 prev=10-10 last=20-10'],
    [0, 10, { hasNext: true }, 'first=0-10 next=10-10'],
  ])('%d-%d of %j: %s', (start, count, facts, expected) => {
    const { Link = '' } = linksOf('/x?a=1', start, count, facts);
    const shown = [...Link.matchAll(/<\/x\?a=1&range=([^<>]*)>; rel="(\w+)"/g)].map(
      ([, range, relation]) => `${relation}=${range}`,
    );
    expect(shown.join(' ')).toBe(expected);
  });

  it('omits the token from the links', () => {
    expect(linksOf('/x?_AuthenticationKey=secret&b=2', 0, 1, { hasNext: true }).Link).not.toContain(
      'secret',
    );
  });
});
