import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Rights } from '../../src/base/rights/rights.js';
import { findersOf } from '../../src/resources/list/conditions.js';
import { estimateOf } from '../../src/resources/list/estimate.js';
import { executeList } from '../../src/resources/list/execute-list.js';
import type { FilterTerm } from '../../src/resources/list/filters.js';
import type { ListSql, Statement } from '../../src/resources/list/list-sql.js';
import { FIRST_PAGE, type ListRequest } from '../../src/resources/list/parse-list-request.js';
import { planList, within } from '../../src/resources/list/plan-list.js';
import type { Resource } from '../../src/resources/resource.js';
import { applicationsSearch } from '../../src/search/applications.search.js';
import { visibleRowsStatement } from '../../src/search/search-statements.js';
import { tasksSearch } from '../../src/search/tasks.search.js';
import { ANONYMOUS } from '../../src/resources/visibility.js';
import type { Caller } from '../../src/security/caller.js';
import {
  caller,
  LARGE,
  fillTable,
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
const LAST = 'of each provider the last 1,000 are kept, found by the index of the provider';
const RUNS = 'of each provider those of a month are kept, found by the index of the provider';
const WITHOUT_INDEX: Record<string, string> = {
  'applications.tileColor': FEW,
  'applications.type': FEW,
  'applications.icon': FEW,
  'applications.targetBlank': FEW,
  'applications.active': FEW,
  'categories.active': FEW,
  'views.sorter': FEW,
  'sources.snapshotBrake': FEW,
  'provider-requests.date': LAST,
  'provider-requests.dryRun': LAST,
  'provider-requests.method': LAST,
  'provider-requests.status': LAST,
  'provider-runs.brake': RUNS,
  'provider-runs.dryRun': RUNS,
  'provider-runs.endDate': RUNS,
  'provider-runs.full': RUNS,
  'provider-runs.read': RUNS,
  'provider-runs.startDate': RUNS,
  'provider-runs.state': RUNS,
  'second-steps.creationDate': OWN,
  'second-steps.kind': OWN,
  'second-steps.lastUseDate': OWN,
  'second-steps.name': OWN,
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
        const [, column] = /^t\.(\w+)$/.exec(attribute.expression('t', ANONYMOUS)) ?? [];
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
    ['audit', 'object', 'eq', '/directory/users/77777', 'audit_.*object_uri.*idx'],
    ['audit', 'actor.reference', 'eq', 'p77777', 'audit_.*actor_login.*idx'],
    ['audit', 'requestId', 'eq', 'p77777', 'audit_.*request_id_.*idx'],
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
    const plan = planFor(resource, { filters: [{ name: key, operator, value }] });
    const { finder } = await estimateOf((statement) => database.rows(statement), sql, plan);
    const isDirect = /^(eq|in)$/.test(operator) && plan.filters[0]!.attribute.isIdentifying;
    const steps = await plans.planOf(isDirect ? sql.page(plan) : sql.lookup(plan, finder));
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

    /** The ids of a page plus the next id, and the statements that found them. */
    async function read(resource: Resource, request: Partial<ListRequest>, only?: string) {
      const ways: string[] = [];
      const all = planFor(resource, request);
      const plan = only === undefined ? all : within(all, only, {});
      const { shown, total } = await executeList(
        async (statement) => {
          const { text } = statement;
          if (text.startsWith('EXPLAIN')) ways.push('ask');
          else if (text.includes('AS scanned')) ways.push('walk');
          else if (text.includes('found AS MATERIALIZED'))
            ways.push(/WITH found .*ngrams\(/s.test(text) ? 'lookup by pieces' : 'lookup');
          else ways.push('plain');
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
        'a common text that comes late in the order by the ids of all matches',
        ['ask', 'walk', 'lookup by pieces'],
        { filters: [contains('login', 'p9')], sorter: sorterOf('email') },
        `login LIKE 'p9%'`,
        'fold(email COLLATE "C"), id',
      ],
      [
        'a common value that comes late in the order by the ids of all matches',
        ['ask', 'walk', 'lookup'],
        {
          filters: [{ name: 'locale', operator: 'eq', value: 'de' }],
          sorter: sorterOf('externalId'),
        },
        `locale = 'de'`,
        'fold(external_id COLLATE "C"), id',
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
        'a range of the order by the index of the order',
        ['plain'],
        {
          filters: [
            { name: 'lastName', operator: 'gte', value: 'l5' },
            { name: 'lastName', operator: 'lt', value: 'l6' },
          ],
          sorter: sorterOf('lastName'),
        },
        `last_name LIKE 'L5%'`,
        'fold(last_name COLLATE "C"), id',
      ],
      [
        'a text in a late range of the order by a walk through the range',
        ['ask', 'walk'],
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
      [
        'a common text that comes late in its own order by a longer walk through the index alone',
        ['ask', 'walk'],
        { filters: [contains('lastName', 'l9')], sorter: sorterOf('lastName') },
        `last_name LIKE 'L9%'`,
        'fold(last_name COLLATE "C"), id',
      ],
      [
        'a rare text by the index of pieces',
        ['ask', 'lookup by pieces'],
        { filters: [contains('lastName', 'l7777')], sorter: sorterOf('lastName') },
        `last_name LIKE 'L7777%'`,
        'fold(last_name COLLATE "C"), id',
      ],
      [
        'a value that few have, by its index, where another filter matches all',
        ['ask', 'lookup'],
        {
          filters: [
            { name: 'lastName', operator: 'gt', value: '!' },
            { name: 'nickName', operator: 'starts', value: 'n7777' },
          ],
          sorter: sorterOf('email'),
        },
        `nick_name LIKE 'N7777%'`,
        'fold(email COLLATE "C"), id',
      ],
    ];

    it.each(CASES)('finds %s', async (_, ways, request, condition, order) => {
      const start = request.range?.start ?? 0;
      const ids = await idsOf(condition, order, start);
      expect(await read(users, { ...request, range: { start, count: 25 } })).toMatchObject({
        ways,
        ids,
      });
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
      expect(limits.slice(0, -1)).toEqual(Array(2).fill([undefined, undefined, true]));
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
      const found = findersOf(plan);
      const finders =
        request.filterMode === 'or'
          ? [{ places: [0, 1], ngrams: found.flatMap(({ ngrams }) => ngrams) }]
          : found;
      const scan = { places: [], scanned: ROWS + 1_000, finder: finders[0]! };
      const statements = [
        sql.page(plan),
        sql.orderedScan(plan, scan),
        ...finders.flatMap((finder) => [
          sql.lookup(plan, finder),
          sql.lookup(plan, { ...finder, ngrams: [] }),
        ]),
      ];
      for (const statement of statements) {
        const rows = await database.rows(statement);
        expect([statement.text, rows.map(([id]) => id)]).toEqual([statement.text, expected]);
      }
    });

    it('finds the rows of a small table at once', async () => {
      const news = resourceNamed('news');
      await database.query('ANALYZE news');
      const filters = [contains('title', 'a')];
      const { ways, ids } = await read(news, { filters, sorter: sorterOf('title') });
      const found = await database.query<{ id: string }>(
        `SELECT id FROM news WHERE fold(title) LIKE '%a%' ORDER BY fold(title), id LIMIT 51`,
      );
      expect(ways).toEqual(['ask', 'lookup by pieces']);
      expect(ids).toEqual(found.map(({ id }) => id));
      expect(ids.length).toBeGreaterThan(1);
    });

    it('finds the few of a narrowed list before its filters', async () => {
      const filters = [contains('userFunction', 'function')];
      expect(await read(users, { filters }, `t.last_name = 'L777'`)).toMatchObject({
        ways: ['ask', 'lookup'],
        ids: await idsOf(`last_name = 'L777'`, 'id', 0),
      });
    });
  });

  it("reads a person's few tasks in any order, and many tasks of a person in the order of the list", async () => {
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
      const person = { id, rights: Rights.none } as Caller;
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

  it('counts a common substring by an index-only scan', async () => {
    const resource = resourceNamed('users');
    const filter = { name: 'lastName', operator: 'contains', value: '77' };
    const plan = planFor(resource, { filters: [filter], exactCount: true });
    const { finder } = await estimateOf((statement) => database.rows(statement), sql, plan);
    const scan = { places: [], scanned: 2_500, finder: { ...finder, ngrams: [] } };
    expect(await plans.planOf(sql.orderedScan(plan, scan))).toContainEqual(
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
