import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { Rights } from '../../src/base/rights/rights.js';
import { type Finder, findersOf } from '../../src/resources/list/conditions.js';
import { MAX_BLOCKS, MAX_COLLECTED_ROWS } from '../../src/resources/list/id-bitmap.js';
import type { ListSql } from '../../src/resources/list/list-sql.js';
import { FIRST_PAGE } from '../../src/resources/list/parse-list-request.js';
import { type ListPlan, planList } from '../../src/resources/list/plan-list.js';
import type { Caller } from '../../src/security/caller.js';
import { query } from '../support/call.js';
import { compareText, fold, loginKey } from '../support/fold.js';
import { connectListSql } from '../support/list-sql.js';
import { PROPERTY_TIMEOUT, propertyRuns } from '../support/property-runs.js';
import { listedResources } from '../support/server-resources.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Compares lists with an in-memory oracle: count = sum of the pages = oracle, in the oracle's order. */

const PATH = '/api/v2/directory/users';

type User = Record<string, unknown> & { id: string };
interface Condition {
  attribute: string;
  operator: string;
  value: string | undefined;
  /** Those of `in`, of which `value` is the text. */
  values?: string[];
}

let server: TestServer;
let token: string;
let people: User[];

beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('alice.martin');
  const words = [
    'Ämter',
    'amter',
    'AMTER',
    'Straße',
    'strasse',
    '',
    null,
    '50%_',
    'a\\b',
    'Øre',
    'ore',
    'É',
    '😀',
    'z:y:x',
    'İş',
    'ﬁn',
  ];
  for (let n = 0; n < 160; n++)
    await server.database.query(
      `INSERT INTO users (login, last_name, title, description, nick_name, user_function, status, administrator, organization_id, creation_date)
       VALUES ($1, $2, $3, $10, $4, $5, $6, $7, $8, $9)`,
      [
        `prop.${n}`,
        words[n % 6] || 'x',
        `T ${n % 4}`,
        words[n % words.length],
        words[(n * 7) % words.length],
        n % 4,
        n % 5 === 0,
        n % 3 === 0 ? null : String(2 + (n % 9)),
        new Date(Date.UTC(2026, 0, 1 + (n % 12))).toISOString(),
        // An index has the first 40 characters.
        n % 2 === 0
          ? words[(n * 3) % words.length]
          : `${'z:y:x é '.repeat(5)}Ende ${n % 7} Straße Ämter ﬁn 50%_`,
      ],
    );
  people = (await server.call(`${PATH}?range=0-500`, { token })).body as User[];
  expect(people.length).toBeGreaterThan(300);
});
afterAll(() => server.close());

type Value = string | number | boolean | null;
const valueOf = (user: User, attribute: string): Value => {
  const [name = '', inner] = attribute.split('.');
  const value = user[name];
  if (name !== 'organization') return value as Value;
  const ref = value as Record<string, string> | null;
  return ref === null ? null : ref[inner ?? 'id']!;
};

const TYPES: Record<string, 'text' | 'number' | 'timestamp' | 'boolean' | 'coded' | 'link'> = {
  lastName: 'text',
  nickName: 'text',
  userFunction: 'text',
  title: 'text',
  description: 'text',
  login: 'text',
  'organization.label': 'text',
  id: 'number',
  creationDate: 'timestamp',
  administrator: 'boolean',
  status: 'coded',
  organization: 'link',
};
const EQUALITY = ['eq', 'neq', 'in', 'isempty', 'isnotempty'];
const ORDERED = [...EQUALITY, 'gt', 'gte', 'lt', 'lte'];
const OPERATORS = {
  text: [...ORDERED, 'starts', 'ends', 'contains', 'notcontains'],
  number: ORDERED,
  timestamp: ORDERED,
  boolean: EQUALITY,
  coded: EQUALITY,
  link: EQUALITY,
};

function holds(user: User, { attribute, operator, value, values }: Condition): boolean {
  if (values) return values.some((one) => holds(user, { attribute, operator: 'eq', value: one }));
  const type = TYPES[attribute]!;
  const found = valueOf(user, attribute);
  const isEmpty = found === null || (type === 'text' && found === '');
  if (operator === 'isempty') return isEmpty;
  if (operator === 'isnotempty') return !isEmpty;
  if (found === null) return operator === 'neq' || operator === 'notcontains';
  const [mine, theirs] = [String(found), value!];
  if (type === 'text') {
    const [a, b] = [fold(mine), fold(theirs)];
    if (operator === 'starts') return a.startsWith(b);
    if (operator === 'ends') return a.endsWith(b);
    if (operator === 'contains') return a.includes(b);
    if (operator === 'notcontains') return !a.includes(b);
    if (attribute === 'login' && operator.endsWith('eq'))
      return (loginKey(mine) === loginKey(theirs)) === (operator === 'eq');
  }
  const order =
    type === 'text'
      ? compareText(mine, theirs)
      : type === 'number'
        ? Number(BigInt(mine) - BigInt(theirs))
        : type === 'timestamp'
          ? Date.parse(mine) - Date.parse(theirs)
          : mine === theirs
            ? 0
            : 1;
  const results: Record<string, boolean> = {
    eq: order === 0,
    neq: order !== 0,
    gt: order > 0,
    gte: order >= 0,
    lt: order < 0,
    lte: order <= 0,
  };
  return results[operator]!;
}

function sorted(users: User[], sorter: string[]): User[] {
  const keys = sorter.map((key) => ({
    name: key.replace(/^-/, ''),
    sign: key.startsWith('-') ? -1 : 1,
  }));
  const last = keys.at(-1)?.sign ?? 1;
  return [...users].sort((a, b) => {
    for (const { name, sign } of keys) {
      const [x, y] = [valueOf(a, name), valueOf(b, name)];
      if (x === null && y === null) continue;
      // Nulls sort last ascending, first descending.
      if (x === null) return sign;
      if (y === null) return -sign;
      const type = TYPES[name]!;
      const order =
        type === 'text'
          ? compareText(String(x), String(y))
          : type === 'timestamp'
            ? Date.parse(String(x)) - Date.parse(String(y))
            : Number(x) - Number(y);
      if (order !== 0) return order * sign;
    }
    return (
      Number(BigInt(a.id) - BigInt(b.id)) * (keys.some(({ name }) => name === 'id') ? 0 : last)
    );
  });
}

/** Existing values and substrings of them, so that filters match. */
const condition: fc.Arbitrary<Condition> = fc
  .record({
    attribute: fc.constantFrom(...Object.keys(TYPES)),
    pick: fc.nat(),
    operator: fc.nat(),
    from: fc.oneof(fc.nat(5), fc.nat(50)),
    length: fc.integer({ min: 1, max: 5 }),
    odd: fc.constantFrom('%', '_', '\\', 'ß', 'SS', 'é', 'a:b', '😀', 'o'),
  })
  .map(({ attribute, pick, operator, from, length, odd }) => {
    const type = TYPES[attribute]!;
    const chosen = OPERATORS[type][operator % OPERATORS[type].length]!;
    if (chosen.startsWith('is')) return { attribute, operator: chosen, value: undefined };
    const found = valueOf(people[pick % people.length]!, attribute);
    if (found === null || found === '') return { attribute, operator: 'isempty', value: undefined };
    const whole = String(found);
    if (chosen === 'in') {
      const another = valueOf(people[(pick * 7 + from) % people.length]!, attribute);
      const values = [whole, ...(another === null || another === '' ? [] : [String(another)])];
      const value = values.map((one) => one.replace(/[\\,]/g, '\\$&')).join(',');
      return { attribute, operator: chosen, value, values };
    }
    const piece = [...whole].slice(from, from + length).join('') || whole;
    const isSearching = ['starts', 'ends', 'contains', 'notcontains'].includes(chosen);
    const value = type !== 'text' || !isSearching ? whole : pick % 7 === 0 ? odd : piece;
    return { attribute, operator: chosen, value };
  });

const request = fc.record({
  conditions: fc.array(condition, { maxLength: 4 }),
  filterMode: fc.constantFrom('and', 'or'),
  sorter: fc
    .uniqueArray(
      fc.constantFrom(
        'lastName',
        'nickName',
        'title',
        'status',
        'creationDate',
        'id',
        'organization',
      ),
      { maxLength: 3 },
    )
    .chain((names) =>
      fc
        .array(fc.boolean(), { minLength: names.length, maxLength: names.length })
        .map((signs) => names.map((name, i) => (signs[i] ? `-${name}` : name))),
    ),
  size: fc.integer({ min: 40, max: 200 }),
});

describe('lists', () => {
  const expectedIds = (
    conditions: Condition[],
    filterMode: 'and' | 'or',
    sorter: string[],
  ): string[] => {
    const matching = people.filter((user) =>
      filterMode === 'and' || conditions.length === 0
        ? conditions.every((one) => holds(user, one))
        : conditions.some((one) => holds(user, one)),
    );
    return sorted(matching, sorter).map(({ id }) => id);
  };

  it(
    'equal the results of an oracle in memory, page by page, for random filters and sorters',
    async () => {
      await fc.assert(
        fc.asyncProperty(request, async ({ conditions, filterMode, sorter, size }) => {
          const filters = conditions.map(({ attribute, operator, value }) =>
            [attribute, operator, ...(value === undefined ? [] : [value])].join(':'),
          );
          const expected = expectedIds(conditions, filterMode, sorter);
          const seen: string[] = [];
          for (let start = 0; ; start += size) {
            const parameters = {
              filters,
              filterMode,
              range: `${start}-${size}`,
              ...(sorter.length > 0 && { sorter: sorter.join(',') }),
            };
            const answer = await server.call(PATH + query(parameters), {
              token,
              headers: { Prefer: 'count=exact' },
            });
            expect([answer.status, answer.headers['x-total-count']]).toEqual([
              200,
              String(expected.length),
            ]);
            seen.push(...(answer.body as User[]).map(({ id }) => id));
            if (!String(answer.headers.link).includes('rel="next"')) break;
          }
          expect(seen).toEqual(expected);
        }),
        propertyRuns(150),
      );
    },
    PROPERTY_TIMEOUT,
  );

  describe('whose rows are found in any way', () => {
    const resources = listedResources();
    let sql: ListSql;
    let dataSource: DataSource;
    beforeAll(async () => {
      ({ sql, dataSource } = await connectListSql(server.database.connection, resources));
    });
    afterAll(() => dataSource.destroy());

    /** How many of the ids PostgreSQL takes for many, and for scattered ones: here, a list has 340 rows. */
    const SIZES: Record<string, [string, string][]> = {
      few: [],
      many: [[`<= ${MAX_COLLECTED_ROWS} THEN 'few'`, `<= 3 THEN 'few'`]],
      scattered: [
        [`<= ${MAX_COLLECTED_ROWS} THEN 'few'`, `<= 3 THEN 'few'`],
        [`<= ${MAX_BLOCKS} THEN 'many'`, `< 0 THEN 'many'`],
      ],
    };

    it(
      'equal the results of an oracle in memory',
      async () => {
        const users = resources.find(({ name }) => name === 'users')!;
        const caller = {
          id: '2',
          rights: Rights.ofSysadmin,
          sysadmin: true,
        } as Caller;
        const tried = request.filter(({ conditions }) => conditions.length > 0);
        await fc.assert(
          fc.asyncProperty(
            tried,
            fc.constantFrom(...Object.keys(SIZES)),
            fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
            async ({ conditions, filterMode, sorter }, size, picks) => {
              const plan = planList(users, caller, {
                ...FIRST_PAGE,
                filterMode,
                filters: conditions.map(({ attribute: name, operator, value }) => ({
                  name,
                  operator,
                  value,
                })),
                sorter: sorter.map((key) => ({
                  name: key.replace(/^-/, ''),
                  descending: key.startsWith('-'),
                })),
                range: { start: 0, count: 500 },
              });
              const expected = expectedIds(conditions, filterMode, sorter);
              for (const finder of findersAmong(plan, picks)) {
                const statement = sql.lookup(plan, finder);
                const text = SIZES[size]!.reduce(
                  (changed, [from, to]) => changed.replace(from, to),
                  statement.text,
                );
                const rows = await server.database.rows({ ...statement, text });
                expect([finder, rows.map(([id]) => id)]).toEqual([finder, expected]);
              }
            },
          ),
          propertyRuns(150),
        );
      },
      PROPERTY_TIMEOUT,
    );

    /** What can find these filters, some of them by n-grams. */
    function findersAmong(plan: ListPlan, picks: number[]): Finder[] {
      const finders = findersOf(plan).map(({ places, ngrams }) => ({
        places,
        ngrams: ngrams.filter((place) => picks[place]! % 2 === 0),
      }));
      if (plan.filterMode === 'and') return finders;
      return [
        {
          places: finders.flatMap(({ places }) => places),
          ngrams: finders.flatMap(({ ngrams }) => ngrams),
        },
      ];
    }
  });
});
