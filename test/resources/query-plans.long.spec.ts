import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findingBy } from '../../src/resources/list/conditions.js';
import { executeList } from '../../src/resources/list/execute-list.js';
import type { FilterTerm } from '../../src/resources/list/filters.js';
import type { Manner } from '../../src/resources/list/list-builder.js';
import type { ListSql, Statement } from '../../src/resources/list/list-sql.js';
import { FIRST_PAGE, type ListRequest } from '../../src/resources/list/parse-list-request.js';
import { type ListPlan, planList, within } from '../../src/resources/list/plan-list.js';
import type { Resource } from '../../src/resources/resource.js';
import { applicationsSearch } from '../../src/search/applications.search.js';
import { visibleRowsStatement } from '../../src/search/search-statements.js';
import { tasksSearch } from '../../src/search/tasks.search.js';
import { NOBODY } from '../../src/resources/visibility.js';
import type { Caller } from '../../src/security/caller.js';
import {
  caller,
  LARGE,
  fillTable,
  lateFirst,
  type ListPlans,
  LOADING,
  planFor,
  resourceNamed,
  resources,
  ROWS,
  rowsRead,
  scans,
  sorterOf,
  startListPlans,
  type Step,
} from '../support/list-plans.js';
import type { TestDatabase } from '../support/test-database.js';

/** The sort orders of lists without an index, and the reason for each. */
const FEW = 'there are at most a few thousand';
const OWN = 'a user has few, found by the index of the user';
const WITHOUT_INDEX: Record<string, string> = {
  'applications.tileColor': FEW,
  'applications.type': FEW,
  'applications.icon': FEW,
  'applications.targetBlank': FEW,
  'applications.active': FEW,
  'categories.active': FEW,
  'views.sorter': FEW,
  'sources.snapshotBrake': FEW,
  'sources.creationDate': FEW,
  'sources.modificationDate': FEW,
  'identities.creationDate': OWN,
  'identities.issuer': OWN,
  'identities.subject': OWN,
  'api-keys.name': OWN,
  'api-keys.prefix': OWN,
  'api-keys.expiration': OWN,
  'api-keys.addresses': OWN,
  'api-keys.creationDate': OWN,
  'api-keys.lastUseDate': OWN,
  'api-keys.lastUseAddress': OWN,
  'tokens.creationDate': OWN,
  'tokens.id': OWN,
  'tokens.address': OWN,
  'tokens.expiration': OWN,
  'tokens.lastUseDate': OWN,
  'tokens.userAgent': OWN,
};

let plans: ListPlans;
let database: TestDatabase;
let sql: ListSql;
beforeAll(async () => {
  plans = await startListPlans();
  ({ database, sql } = plans);
});
afterAll(() => plans.close());

const stepsOf: ListPlans['stepsOf'] = (...list) => plans.stepsOf(...list);

const sorts = (steps: Step[]): boolean => steps.some((step) => step['Node Type'] === 'Sort');

const sortersOf = (resource: Resource): string[] => resource.listNames('sorter', caller);

describe('an attribute of lists', () => {
  it('is never empty exactly where its column is NOT NULL', async () => {
    const columns = await database.query<{ place: string; required: boolean }>(
      `SELECT table_name || '.' || column_name AS place, is_nullable = 'NO' AS required
       FROM information_schema.columns WHERE table_schema = 'public'`,
    );
    const requiredBy = new Map(columns.map(({ place, required }) => [place, required]));
    const found: string[] = [];
    for (const { name, ref, attributes, definition } of resources) {
      // Neither the list of parameters nor the view of sessions has columns that are NOT NULL.
      if (definition.withoutId || name === 'tokens') continue;
      for (const attribute of attributes.values()) {
        if (attribute.type === 'links' || attribute.operators.length === 0) continue;
        const [, column] = /^t\.(\w+)$/.exec(attribute.expression('t', NOBODY)) ?? [];
        if (column === undefined) continue;
        const isRequired = requiredBy.get(`${ref.table}.${column}`) ?? attribute.isNeverEmpty;
        if (attribute.isNeverEmpty !== isRequired) found.push(`${name}.${attribute.name}`);
      }
    }
    expect(found).toEqual([]);
  });
});

describe('every attribute that a list can be sorted by', () => {
  it('has an index, or a reason to have none', async () => {
    // A discouraged step that is still in the plan proves that the planner has no alternative.
    for (const way of ['seqscan', 'sort', 'bitmapscan'])
      await database.query(`SET enable_${way} = off`);
    const without: string[] = [];
    for (const resource of resources)
      for (const name of sortersOf(resource)) {
        // Server parameters are a constant list in the code.
        if (resource.definition.withoutId) continue;
        const steps = await stepsOf(resource, { sorter: sorterOf(name) });
        if (scans(resource, steps) || sorts(steps)) without.push(`${resource.name}.${name}`);
      }
    for (const way of ['seqscan', 'sort', 'bitmapscan'])
      await database.query(`RESET enable_${way}`);
    expect(without.sort()).toEqual(Object.keys(WITHOUT_INDEX).sort());
  });
});

describe('a list of 100,000', () => {
  beforeAll(() => plans.fill(), LOADING);

  const lists = LARGE.flatMap((name) => {
    const resource = resourceNamed(name);
    return sortersOf(resource)
      .filter((sorter) => !(`${name}.${sorter}` in WITHOUT_INDEX))
      .map((sorter) => [name, sorter] as const);
  });

  it.each(lists)('%s sorted by %s is read through an index, at any depth', async (name, sorter) => {
    const resource = resourceNamed(name);
    for (const descending of [false, true])
      for (const start of [0, 5_000, ROWS - 100]) {
        const steps = await stepsOf(resource, {
          sorter: sorterOf(sorter, descending),
          range: { start, count: 50 },
        });
        const found = steps.map((step) => `${step['Node Type']} ${step['Index Name'] ?? ''}`);
        expect([descending, start, scans(resource, steps), found]).toEqual([
          descending,
          start,
          false,
          found,
        ]);
      }
  });

  const FILTERS: [string, string, string, string, string][] = [
    ['users', 'login', 'eq', 'p77777', 'users_login_key'],
    ['users', 'reference', 'eq', 'p77777', 'users_login_key'],
    ['users', 'login', 'in', 'p77777,p77778', 'users_login_key'],
    ['users', 'email', 'in', 'p77777@x.example,p7@x.example', 'users_email_sort_idx'],
    ['users', 'externalId', 'in', 'E77777,E77778', 'users_external_id_sort_idx'],
    ['users', 'nickName', 'in', 'n77777,N77778', 'users_nick_name_sort_idx'],
    ['users', 'id', 'in', '77777,77778', 'users_pkey'],
    ['users', 'manager', 'in', '77,/directory/users/78', 'users_manager_id_sort_idx'],
    ['users', 'manager', 'in', 'p77,p78', 'users_login_key'],
    ['users', 'manager', 'eq', 'p77', 'users_login_key'],
    ['users', 'lastName', 'starts', 'l7777', 'users_last_name_sort_idx'],
    ['users', 'nickName', 'eq', 'N77777', 'users_nick_name_sort_idx'],
    ['users', 'email', 'eq', 'P77777@X.example', 'users_email_sort_idx'],
    ['users', 'phoneNumber', 'eq', '+1 77777', 'users_phone_number_sort_idx'],
    ['users', 'externalId', 'eq', 'E77777', 'users_external_id_sort_idx'],
    ['users', 'manager', 'eq', '/directory/users/77', 'users_manager_id_sort_idx'],
    ['users', 'title', 'contains', '997 l77777', 'users_quick_search_idx'],
    ['users', 'status', 'eq', '3', 'users_status_idx'],
    ['users', 'administrator', 'eq', 'true', 'users_administrator_sort_idx'],
    ['users', 'modificationDate', 'lt', '2020-01-01T00:00:00.000Z', 'users_modification_date_idx'],
    ['tasks', 'externalId', 'eq', 'order 77780', 'tasks_external_id_idx'],
    ['tasks', 'reference', 'eq', 'TASK-77777', 'tasks_reference_(sort_idx|key)'],
    ['tasks', 'externalId', 'in', 'order 77780,order 77760', 'tasks_external_id_idx'],
    ['tasks', 'description', 'in', 'étape 77,étape 78', 'tasks_description_prefix_idx'],
    ['tasks', 'status', 'in', 'done,cancelled', 'tasks_status_idx'],
    ['tasks', 'title', 'eq', 'task 77777', 'tasks_title_sort_idx'],
    ['tasks', 'priority', 'eq', '777', 'tasks_priority_idx'],
    ['tasks', 'dueDate', 'lt', '2020-01-01T00:00:00.000Z', 'tasks_due_date_idx'],
    ['tasks', 'status', 'eq', 'done', 'tasks_status_idx'],
    ['audit', 'object', 'eq', '/directory/users/77777', 'audit_object_uri_sort_idx'],
    ['audit', 'actor.reference', 'eq', 'p77777', 'audit_actor_login_sort_idx'],
    ['audit', 'requestId', 'eq', 'p77777', 'audit_request_id_.*idx'],
    ['documents', 'version', 'ends', '77.7', 'documents_quick_search_idx'],
    ['documents', 'reference', 'contains', 'oc-77777', 'documents_quick_search_idx'],
    ['rooms', 'reference', 'eq', 'R77777', 'rooms_reference_(sort_idx|key)'],
    ['rooms', 'label', 'eq', 'ROOM 77777', 'rooms_label_sort_idx'],
    ['rooms', 'label', 'starts', 'room 7777', 'rooms_label_sort_idx'],
    ['rooms', 'seats', 'eq', '777', 'rooms_seats_sort_idx'],
    [
      'rooms',
      'organization',
      'eq',
      '/directory/organizations/9999',
      'rooms_organization_id_sort_idx',
    ],
    ['rooms', 'creationDate', 'lt', '2020-01-01T00:00:00.000Z', 'rooms_creation_date_sort_idx'],
    [
      'rooms',
      'modificationDate',
      'lt',
      '2020-01-01T00:00:00.000Z',
      'rooms_modification_date_sort_idx',
    ],
  ];

  it.each(FILTERS)('%s where %s %s %s uses %s', async (name, key, operator, value, index) => {
    const resource = resourceNamed(name);
    const steps = await stepsOf(resource, { filters: [{ name: key, operator, value }] });
    expect([scans(resource, steps), steps.map((step) => step['Index Name'])]).toEqual([
      false,
      expect.arrayContaining([expect.stringMatching(`^${index}$`)]),
    ]);
  });

  describe('with a filter that looks inside a text', () => {
    const contains = (name: string, value: string): FilterTerm => ({
      name,
      operator: 'contains',
      value,
    });
    const users = resourceNamed('users');

    /** The ids of a page plus the next id, and the strategy that found them. */
    async function read(resource: Resource, request: Partial<ListRequest>, only?: string) {
      const ways: string[] = [];
      const all = planFor(resource, request);
      const plan = only === undefined ? all : within(all, only, {});
      const { shown, total } = await executeList(
        async (statement) => {
          const { text } = statement;
          if (text.startsWith('EXPLAIN')) ways.push('ask');
          else if (text.includes('FILTER (WHERE v.fits)')) ways.push('values');
          else if (text.includes('AS scanned')) ways.push('walk');
          else if (text.includes('AND NOT (CASE')) ways.push('except');
          else if (text.includes('found AS MATERIALIZED')) ways.push('lookup');
          else ways.push(/WITH "ids".*grams/.test(text) ? 'collect' : 'plain');
          return database.rows(statement);
        },
        sql,
        plan,
      );
      return { ways, ids: shown.map(([id]) => id), total };
    }

    const idsOf = async (condition: string, order: string, offset: number): Promise<unknown[]> =>
      (
        await database.query<{ id: string }>(
          `SELECT id FROM users WHERE ${condition} ORDER BY ${order} LIMIT 26 OFFSET ${offset}`,
        )
      ).map(({ id }) => id);

    const CASES: [string, string[], Partial<ListRequest>, string, string][] = [
      [
        'a common text by a walk',
        ['ask', 'walk'],
        { filters: [contains('userFunction', 'UNCTION 1')] },
        `user_function LIKE 'Function 1%'`,
        'id',
      ],
      [
        'a common text by a walk in any order',
        ['ask', 'walk'],
        {
          filters: [contains('userFunction', 'function')],
          sorter: sorterOf('lastName', true),
          range: { start: 30, count: 25 },
        },
        `user_function LIKE 'Function%'`,
        'fold(last_name COLLATE "C") DESC, id DESC',
      ],
      [
        'one of two texts by a walk',
        ['ask', 'walk'],
        {
          filters: [contains('userFunction', 'tion 2'), contains('lastName', 'l77777')],
          filterMode: 'or',
          sorter: sorterOf('creationDate'),
        },
        `user_function LIKE 'Function 2%' OR last_name = 'L77777'`,
        'creation_date, id',
      ],
      [
        'a common text that comes late in the order by its ids after all',
        ['ask', 'walk', 'ask', 'values', 'lookup'],
        {
          filters: [contains('login', 'p9')],
          sorter: sorterOf('email'),
        },
        `login LIKE 'p9%'`,
        'fold(email COLLATE "C"), id',
      ],
      [
        'a common value that comes late in the order by its ids',
        ['ask', 'walk', 'ask', 'lookup'],
        {
          filters: [{ name: 'locale', operator: 'eq', value: 'de' }],
          sorter: sorterOf('externalId'),
        },
        `locale = 'de'`,
        'fold(external_id COLLATE "C"), id',
      ],
      [
        'any value but a common one that comes first by a longer walk through an index alone',
        ['ask', 'walk'],
        {
          filters: [{ name: 'locale', operator: 'neq', value: 'de' }],
          sorter: sorterOf('locale'),
        },
        `locale <> 'de'`,
        'locale, id',
      ],
      [
        'a value that hardly any other row has by its index alone',
        ['plain'],
        {
          filters: [
            { name: 'email', operator: 'eq', value: 'p77777@x.example' },
            { name: 'locale', operator: 'neq', value: 'de' },
          ],
          sorter: sorterOf('login'),
        },
        `email = 'p77777@x.example'`,
        'fold(login COLLATE "C"), id',
      ],
      [
        'a common text that comes late by a longer walk through an index alone',
        ['ask', 'walk'],
        {
          filters: [contains('lastName', 'l9')],
          sorter: sorterOf('lastName'),
        },
        `last_name LIKE 'L9%'`,
        'fold(last_name COLLATE "C"), id',
      ],
      [
        'a rare text by the index of pieces',
        ['ask', 'ask', 'collect'],
        {
          filters: [contains('lastName', 'l7777')],
          sorter: sorterOf('lastName'),
        },
        `last_name LIKE 'L7777%'`,
        'fold(last_name COLLATE "C"), id',
      ],
      [
        'a common text by the index of another filter that finds few',
        ['ask', 'plain'],
        {
          filters: [
            contains('userFunction', 'function'),
            { name: 'login', operator: 'eq', value: 'p77777' },
          ],
        },
        `login = 'p77777'`,
        'id',
      ],
      [
        'a common text where another filter finds the rows in their order',
        ['ask', 'plain'],
        {
          filters: [
            contains('userFunction', 'tion 1'),
            { name: 'lastName', operator: 'starts', value: 'l5' },
          ],
          sorter: sorterOf('lastName'),
        },
        `user_function LIKE 'Function 1%' AND last_name LIKE 'L5%'`,
        'fold(last_name COLLATE "C"), id',
      ],
    ];

    it.each(CASES)('finds %s', async (_, ways, request, condition, order) => {
      const start = request.range?.start ?? 0;
      const ids = await idsOf(condition, order, start);
      expect(await read(users, { ...request, range: { start, count: 25 } })).toEqual({ ways, ids });
      const [row] = await database.query<{ count: string }>(
        `SELECT count(*) FROM users WHERE ${condition}`,
      );
      expect(await read(users, { ...request, exactCount: true })).toMatchObject({
        ways,
        total: Number(row!.count),
      });
    });

    it('bounds the time of a list whose matches come late, of which few run at once', async () => {
      const limits: unknown[] = [];
      const plan = planFor(users, {
        filters: [contains('login', 'p9')],
        sorter: sorterOf('email'),
      });
      await executeList(
        ({ limit, isLong, ...statement }) => {
          limits.push([limit, isLong, statement.searching]);
          return database.rows(statement);
        },
        sql,
        plan,
      );
      expect(limits.slice(0, -1)).toEqual(Array(4).fill([undefined, undefined, true]));
      expect(limits.at(-1)).toEqual([3_000, true, true]);
    });

    it('scans in order when the caller sees only part of the rows', async () => {
      const filters = [contains('userFunction', 'function')];
      const range = { start: 0, count: 25 };
      expect(await read(users, { filters, range }, `t.last_name < 'L5'`)).toEqual({
        ways: ['ask', 'walk'],
        ids: await idsOf(`user_function LIKE 'Function%' AND last_name < 'L5'`, 'id', 0),
      });
    });

    it.each<[string, Partial<ListRequest>, string]>([
      [
        'one text',
        { filters: [contains('phoneNumber', '1 7777')] },
        `phone_number LIKE '%1 7777%'`,
      ],
      [
        'two texts, of which both match',
        {
          filters: [contains('phoneNumber', '9'), contains('mobilePhoneNumber', 'function')],
          filterMode: 'and',
        },
        `phone_number LIKE '%9%' AND mobile_phone_number LIKE '%function%'`,
      ],
      [
        'one of two texts',
        {
          filters: [contains('phoneNumber', '9999'), contains('nickName', 'function')],
          filterMode: 'or',
          sorter: sorterOf('email', true),
        },
        `phone_number LIKE '%9999%' OR nick_name LIKE '%function%'`,
      ],
      [
        'no text',
        { filters: [{ name: 'email', operator: 'notcontains', value: 'EXAMPLE' }] },
        `email NOT LIKE '%example%' OR email IS NULL`,
      ],
      [
        'a range, and those without a value are outside of it',
        { filters: [{ name: 'nickName', operator: 'lte', value: 'n5' }] },
        `fold(nick_name COLLATE "C") <= 'n5'`,
      ],
    ])('finds the same rows by each index: %s', async (_, request, condition) => {
      const plan = planFor(users, { ...request, range: { start: 0, count: 25 } });
      const order = request.sorter ? 'fold(email COLLATE "C") DESC, id DESC' : 'id';
      const expected = await idsOf(condition, order, 0);
      const ngrams = [[], [0], [0, 1]];
      const findings = ngrams.map((places) =>
        findingBy(places, request.filterMode === 'or' ? undefined : 0),
      );
      const unordered = ngrams.map((places) => findingBy(places));
      const manners: Manner[] = [
        'none',
        ...findings,
        ...[...findings, ...unordered].map((finding) => `lookup ${finding}` as const),
        ...(isOutsideFound(plan) ? [`except ${findingBy([])}` as const] : []),
      ];
      for (const manner of manners) {
        const rows = await database.rows(sql.page(plan, 'items', manner));
        expect([manner, rows.map(([id]) => id)]).toEqual([manner, expected]);
      }
    });

    const isOutsideFound = ({ filters }: ListPlan): boolean =>
      filters.length === 1 && ['notcontains', 'lte'].includes(filters[0]!.operator);

    const term = (name: string, operator: string, value: string): FilterTerm => ({
      name,
      operator,
      value,
    });

    /** Lists of which both filters match most rows, but not the first ones in the order by title. */
    const WIDE: [string, Partial<ListRequest>, string, Manner[]][] = [
      [
        'all of two filters, of which each matches most',
        {
          filters: [term('nickName', 'gt', 'n2'), term('phoneNumber', 'notcontains', '1 5')],
        },
        `fold(nick_name COLLATE "C") > 'n2' AND (phone_number NOT LIKE '%1 5%' OR phone_number IS NULL)`,
        [
          `except ${findingBy([])}`,
          ...[0, 1].flatMap((first) =>
            (['within', 'outside'] as const).map(
              (where) => `lookup ${findingBy([], first, { [where]: [1 - first] })}` as const,
            ),
          ),
          `lookup ${findingBy([], 0)}`,
        ],
      ],
      [
        'all of two filters of the same text, by its index',
        { filters: [term('nickName', 'gt', 'n2'), term('nickName', 'notcontains', '55')] },
        `fold(nick_name COLLATE "C") > 'n2' AND nick_name NOT LIKE '%55%'`,
        [0, 1].map((first) => `lookup ${findingBy([], first)}` as const),
      ],
      [
        'any of two filters, of which each matches most',
        {
          filters: [term('nickName', 'gt', 'n2'), term('phoneNumber', 'notcontains', '1 1')],
          filterMode: 'or',
        },
        `fold(nick_name COLLATE "C") > 'n2' OR phone_number NOT LIKE '%1 1%' OR phone_number IS NULL`,
        [
          ...[0, 1].map((first) => `except ${findingBy([], first)}` as const),
          `lookup ${findingBy([])}`,
        ],
      ],
      [
        'any of two filters, of which one matches most',
        {
          filters: [term('userFunction', 'eq', 'function 7'), term('nickName', 'gte', 'n3')],
          filterMode: 'or',
        },
        `user_function = 'Function 7' OR fold(nick_name COLLATE "C") >= 'n3'`,
        [`except ${findingBy([], 1)}`, `lookup ${findingBy([])}`],
      ],
    ];
    const wide = WIDE.map(([what, request, condition, manners]) => ({
      what,
      request: { ...request, sorter: sorterOf('title'), range: { start: 0, count: 25 } },
      condition,
      manners,
    }));

    it.each(wide)('finds the same rows by what is outside of $what', async (list) => {
      const order = 'fold(title COLLATE "C"), id';
      for (const start of [0, 10_000]) {
        const plan = planFor(users, { ...list.request, range: { start, count: 25 } });
        const expected = await idsOf(list.condition, order, start);
        expect(expected.length).toBe(26);
        for (const manner of list.manners) {
          const rows = await database.rows(sql.page(plan, 'items', manner));
          expect([manner, rows.map(([id]) => id)]).toEqual([manner, expected]);
        }
      }
    });

    it('finds the rows outside of the filters where all of several, or any, match most rows late in the order', async () => {
      const late = (request: Partial<ListRequest>) =>
        read(users, { ...request, range: { start: 0, count: 25 }, sorter: sorterOf('login') });
      const wide = [term('nickName', 'gt', 'n2'), term('phoneNumber', 'gt', '+1 2')];
      const rare = term('userFunction', 'eq', 'function 7');
      const found = await idsOf(
        `fold(nick_name COLLATE "C") > 'n2' AND fold(phone_number COLLATE "C") > '+1 2'`,
        'fold(login COLLATE "C"), id',
        0,
      );
      expect(await late({ filters: wide })).toMatchObject({
        ways: ['ask', 'walk', 'ask', 'except'],
        ids: found,
      });
      expect((await late({ filters: [wide[0]!, rare], filterMode: 'or' })).ways).toContain(
        'except',
      );
      expect((await late({ filters: [wide[0]!, rare] })).ways).not.toContain('except');
    });

    it.each<[string, string, string, string]>([
      ['outcome', 'contains', 'PRO', `outcome = 'approve'`],
      ['outcome', 'ends', 'ÓVE', `outcome = 'approve'`],
      ['outcome', 'notcontains', 'pro', 'outcome IS NULL'],
      ['outcome', 'notcontains', 'qqzzxxjj', 'true'],
      ['applicationTitle', 'contains', 'qqzzxxjj', 'false'],
      ['applicationTitle', 'notcontains', 'qqzzxxjj', 'true'],
    ])('finds the same tasks by each index: %s %s %s', async (name, operator, value, condition) => {
      const plan = planFor(resourceNamed('tasks'), {
        filters: [{ name, operator, value }],
        sorter: sorterOf('reference', true),
        range: { start: 0, count: 25 },
      });
      const expected = await database.query<{ id: string }>(
        `SELECT id FROM tasks WHERE ${condition} ORDER BY lower(reference) COLLATE "C" DESC LIMIT 26`,
      );
      const ids = expected.map(({ id }) => id);
      const manners: Manner[] = [
        ...(['none', findingBy([], 0)] as const),
        `lookup ${findingBy([], 0)}`,
        ...(operator === 'notcontains' ? [`except ${findingBy([])}` as const] : []),
      ];
      for (const manner of manners) {
        const rows = await database.rows(sql.page(plan, 'items', manner));
        expect([manner, rows.map(([id]) => id)]).toEqual([manner, ids]);
      }
    });

    it('finds a text that other texts of the rows have by its own index', async () => {
      const filters = [contains('nickName', 'function')];
      expect(await read(users, { filters })).toEqual({
        ways: ['ask', 'ask', 'values', 'lookup'],
        ids: [],
        total: undefined,
      });
    });

    it('reads a small table by one plain statement', async () => {
      const news = resourceNamed('news');
      await database.query('ANALYZE news');
      const filters = [contains('title', 'a')];
      const { ways, ids } = await read(news, { filters, sorter: sorterOf('title') });
      const found = await database.query<{ id: string }>(
        `SELECT id FROM news WHERE fold(title) LIKE '%a%' ORDER BY fold(title), id LIMIT 51`,
      );
      expect(ways).toEqual(['ask', 'plain']);
      expect(ids).toEqual(found.map(({ id }) => id));
      expect(ids.length).toBeGreaterThan(1);
    });

    it('tries the order first for a long text that many n-grams may find', async () => {
      const news = resourceNamed('news');
      const { ways } = await read(news, { filters: [contains('body', 'a')] });
      expect(ways).toEqual(['ask', 'walk', 'values', 'lookup']);
    });

    it.each<[string, string, string, string[]]>([
      ['category', 'gory 4', `category LIKE 'Category 4%'`, ['ask', 'walk', 'ask']],
      ['keywords', 'ord 4', `keywords LIKE 'Word 4%'`, ['ask', 'walk']],
    ])(
      'finds a text of which there are few by its values, where it comes late: %s',
      async (name, part, condition, ways) => {
        const found = await database.query<{ id: string }>(
          `SELECT id FROM documents WHERE ${condition} ORDER BY fold(version), id LIMIT 51`,
        );
        expect(
          await read(resourceNamed('documents'), {
            filters: [contains(name, part)],
            sorter: sorterOf('version'),
          }),
        ).toMatchObject({
          ways: [...ways, 'values', 'ask', 'ask', 'lookup'],
          ids: found.map(({ id }) => id),
        });
      },
    );

    const waysOfTasks = async (filter: FilterTerm): Promise<string[]> =>
      (await read(resourceNamed('tasks'), { filters: [filter], sorter: lateFirst })).ways;

    it('looks for a part of an outcome in the few outcomes first, and ends where none has it', async () => {
      expect(await waysOfTasks(contains('outcome', 'pro'))).toEqual(['values', 'ask', 'walk']);
      expect(await waysOfTasks(contains('outcome', 'qqzzxxjj'))).toEqual(['values']);
    });

    it.each<[string, 'and' | 'or', FilterTerm[], boolean]>([
      [
        'all of two filters',
        'and',
        [term('source.label', 'starts', 'qqzzxxjj'), contains('title', '7')],
        false,
      ],
      [
        'any of two',
        'or',
        [term('applicationTitle', 'starts', 'qqzzxxjj'), contains('outcome', 'qqzzxxjj')],
        false,
      ],
      [
        'any of two',
        'or',
        [term('source.label', 'notcontains', 'qqzzxxjj'), contains('title', '7')],
        true,
      ],
    ])('ends when values decide about all rows: %s, %s', async (_, filterMode, filters, isAll) => {
      const { ways, ids, total } = await read(resourceNamed('tasks'), {
        filters,
        filterMode,
        exactCount: true,
      });
      expect(new Set(ways)).toEqual(new Set(isAll ? ['values', 'plain'] : ['values']));
      const [row] = await database.query<{ count: number }>('SELECT count(*)::integer FROM tasks');
      expect([ids.length, total]).toEqual(isAll ? [51, row!.count] : [0, 0]);
    });

    it('asks for an estimate before it compares a long text, of which the rows may come late', async () => {
      const equal = { name: 'description', operator: 'eq', value: 'étape 77' };
      expect(await waysOfTasks(equal)).toEqual(['ask', 'plain']);
    });

    describe('of which there are too many to look through', () => {
      beforeAll(async () => {
        await database.query(
          `INSERT INTO applications (title, type) SELECT 'Other ' || i, 'LINK' FROM generate_series(1, 5000) AS i`,
        );
        await database.query(
          `INSERT INTO tasks (title, application_id, outcome, creation_date)
           SELECT 'Other ' || i, (SELECT min(id) FROM applications), 'other ' || i, '2020-01-01' FROM generate_series(1, 5000) AS i`,
        );
      });
      afterAll(async () => {
        await database.query(`DELETE FROM tasks WHERE title LIKE 'Other %'`);
        await database.query(`DELETE FROM applications WHERE title LIKE 'Other %'`);
      });

      it('tries the order first for a part of a common outcome, whatever finding the outcomes costs', async () => {
        expect(await waysOfTasks(contains('outcome', 'pro'))).toEqual(['values', 'ask', 'walk']);
      });

      it('expects nearly all tasks without a text of their applications', async () => {
        const [row] = await database.query<{ title: string }>(
          'SELECT title FROM applications ORDER BY id LIMIT 1',
        );
        const none = term('applicationTitle', 'notcontains', row!.title);
        expect(await waysOfTasks(none)).toEqual(['values', 'ask', 'walk', 'ask', 'except']);
      });
    });
  });

  it('of tasks reads the few of a person, whatever the order, and many of a person in that order', async () => {
    const people = await database.query<{ id: string }>(
      `INSERT INTO users (login, last_name, title) VALUES ('few', 'Few', 'Few'), ('many', 'Many', 'Many') RETURNING id::text`,
    );
    const [few, many] = people.map(({ id }) => id);
    await database.query(
      `INSERT INTO tasks (title, application_id, assignee_id)
       SELECT 'Zz ' || i, (SELECT min(id) FROM applications), CASE WHEN i <= 30 THEN $1::bigint ELSE $2::bigint END
       FROM generate_series(1, 4000) AS i`,
      [few, many],
    );
    await database.query('ANALYZE tasks');
    /** How a person's list is read: its titles, and the most rows of a step of its last statement. */
    const read = async (id: string) => {
      const statements: Statement[] = [];
      const person = { id, administrator: false, processEngine: false } as Caller;
      const request = { ...FIRST_PAGE, sorter: sorterOf('title', true), exactCount: true };
      const { shown, total } = await executeList(
        (statement) => {
          statements.push(statement);
          return database.rows(statement);
        },
        sql,
        planList(resourceNamed('tasks'), person, request),
      );
      const steps = await plans.planOf(statements.at(-1)!, 'ANALYZE, ');
      return { shown: shown.length, total, rows: Math.max(...steps.map(rowsRead)) };
    };
    const { rows, ...page } = await read(few!);
    expect(page).toEqual({ shown: 30, total: 30 });
    expect(rows).toBeLessThan(1_000);
    expect(await read(many!)).toMatchObject({ shown: 51, total: 3970 });
  });

  it('reads rows by their keys in its order, without those that do not belong to it', async () => {
    const filters = [{ name: 'nickName', operator: 'starts', value: 'n777' }];
    const plan = planFor(resourceNamed('users'), { filters, sorter: sorterOf('lastName', true) });
    const found = await database.query<{ id: string; nick_name: string }>(
      `SELECT id::text, nick_name FROM users WHERE nick_name IN ('N7776', 'N5', 'N7775') ORDER BY nick_name`,
    );
    const rows = await database.rows(
      sql.rowsOf(
        plan,
        found.map(({ id }) => id),
      ),
    );
    expect(found.map((row) => row.nick_name)).toEqual(['N5', 'N7775', 'N7776']);
    expect(rows.map(([id]) => id)).toEqual([found[2]!.id, found[1]!.id]);
  });

  it.each(['externalId', 'outcome'])('expects no task with an %s that none has', async (name) => {
    const filters = [{ name, operator: 'eq', value: 'qqzzxxjj' }];
    const [step] = await stepsOf(resourceNamed('tasks'), { filters });
    expect(step!['Plan Rows']).toBe(1);
  });

  it('counts a short piece of text by the index of that text alone', async () => {
    const resource = resourceNamed('users');
    const filter = { name: 'lastName', operator: 'contains', value: '77' };
    const steps = await stepsOf(resource, { filters: [filter], exactCount: true });
    expect(steps).toContainEqual(
      expect.objectContaining({
        'Node Type': 'Index Only Scan',
        'Index Name': 'users_last_name_sort_idx',
      }),
    );
  });

  describe('and a search in the rows that the caller sees', () => {
    // Everybody sees every other tile; the caller is a member of the audience of some of the rest.
    beforeAll(() =>
      fillTable(
        database,
        'applications',
        `WITH tiles AS (
           INSERT INTO applications (title, type, keywords, translations, audience)
           SELECT 'Tile ' || i, 'LINK', 'Word ' || i % 500, jsonb_build_object('de', jsonb_build_object('title', 'Kachel ' || i)),
             CASE WHEN i % 2 = 0 THEN '{0}' ELSE ARRAY[principals.ids[1 + i % cardinality(principals.ids)]] END
           FROM generate_series(1, 20000) AS i, (SELECT array_agg(id) AS ids FROM groups) AS principals RETURNING id)
         INSERT INTO application_categories (application_id, category_id) SELECT id, (SELECT min(id) FROM categories) FROM tiles`,
      ),
    );

    it.each([
      ['applications', applicationsSearch, ['applications_audience_idx']],
      // Two indexes of tasks begin with the group.
      ['tasks', tasksSearch, ['tasks_assignee_id_idx', /^tasks_group_id_(sort_)?idx$/]],
    ])('reads %s by the indexes of their visibility', async (name, description, indexes) => {
      for (const terms of [['7'], ['nothing', 'of the kind'], []])
        for (const after of [undefined, { title: 'tile 5', id: '1' }]) {
          const search = { description, terms, field: 'quickSearch', after };
          const steps = await plans.planOf(
            visibleRowsStatement(search, { ...caller, locale: 'de' }),
          );
          expect([
            scans(resourceNamed(name), steps),
            steps.map((step) => step['Index Name']),
          ]).toEqual([
            false,
            expect.arrayContaining(indexes.map((index) => expect.stringMatching(index))),
          ]);
        }
    });
  });

  /** Drops the indexes that no constraint needs, loads the rows faster without them, and recreates them. */
});
