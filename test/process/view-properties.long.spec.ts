import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { query } from '../support/call.js';
import { idOf, uriOf } from '../support/id-of.js';
import { PROPERTY_TIMEOUT, propertyRuns } from '../support/property-runs.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Random views: indicator = views/count = workplace = number of paged rows = X-Total-Count = oracle. */

interface Ref {
  uri: string;
}
interface Task {
  id: string;
  title: string;
  description: string | null;
  status: string;
  priority: number;
  dueDate: string | null;
  assignee: Ref | null;
  group: Ref | null;
  application: Ref;
}
interface Person {
  token: string;
  uri: string;
  groups: string[];
}

let server: TestServer;
let admin: string;
/** The application, its id, its view, and a person: the random views are about their tasks. */
let application: string, applicationId: string, viewPath: string, bruno: string;
const people: Person[] = [];
let tasks: Task[];
beforeAll(async () => {
  server = await startTestServer();
  applicationId = await idOf(server, 'applications', 'TRAVEL');
  application = `/navigation/applications/${applicationId}`;
  viewPath = `/api/v2${await uriOf(server, 'views', 'TRAVEL-OPEN')}`;
  bruno = await uriOf(server, 'users', 'bruno.keller');
  await server.database.query(
    `INSERT INTO tasks (title, description, application_id, assignee_id, group_id, status, priority, due_date)
    SELECT (ARRAY['Été', 'ete 50%', 'a_b', 'x:y'])[1 + n % 4], (ARRAY[NULL, '', 'Später'])[1 + n % 3], $1::bigint,
      CASE WHEN n % 3 < 2 THEN (SELECT id FROM users WHERE login =
        (ARRAY['alice.martin', 'bruno.keller', 'chloe.lefevre', 'process.engine'])[1 + n % 4]) END,
      CASE WHEN n % 5 < 3 THEN (SELECT id FROM groups ORDER BY id LIMIT 1 OFFSET n % 6) END,
      (ARRAY['open', 'open', 'done', 'cancelled'])[1 + n / 2 % 4], n % 4,
      CASE WHEN n % 4 > 0 THEN timestamptz '2026-11-01 00:00Z' + n % 9 * interval '1 day' END
    FROM generate_series(1, 240) n`,
    [applicationId],
  );
  // A process engine sees all tasks on the main API, but its views and counters are its own.
  await server.database.query(
    `UPDATE users SET process_engine = true WHERE login = 'chloe.lefevre'`,
  );
  for (const login of ['alice.martin', 'bruno.keller', 'chloe.lefevre']) {
    const token = await server.signIn(login);
    const { uri, groups } = (await server.call('/api/v2/directory/users/me', { token })).body as {
      uri: string;
      groups: Ref[];
    };
    people.push({ token, uri, groups: groups.map((group) => group.uri) });
  }
  admin = people[0]!.token;
  const all = await server.call(
    `/api/v2/process/tasks?range=0-500&filters=application:eq:${applicationId}`,
    {
      token: admin,
    },
  );
  tasks = all.body as Task[];
  expect(tasks.length).toBeGreaterThan(240);
});
afterAll(() => server.close());

/** A filter as text, and as a predicate for a person. */
interface Condition {
  text: string;
  holds: (task: Task, person: Person) => boolean;
}

const condition = (text: string, holds: Condition['holds']): Condition => ({ text, holds });
const fold = (text: string | null): string =>
  (text ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const inMine = ({ group }: Task, { groups }: Person): boolean =>
  group !== null && groups.includes(group.uri);

const conditions = (): fc.Arbitrary<Condition> =>
  fc.oneof(
    fc.constantFrom(
      condition('assignee:eq:@me', ({ assignee }, { uri }) => assignee?.uri === uri),
      condition('assignee:neq:@me', ({ assignee }, { uri }) => assignee?.uri !== uri),
      condition('group:eq:@mygroups', inMine),
      condition('group:neq:@mygroups', (task, person) => !inMine(task, person)),
      condition('assignee:isempty', ({ assignee }) => assignee === null),
      condition('group:isnotempty', ({ group }) => group !== null),
      condition(`assignee:eq:${bruno}`, ({ assignee }) => assignee?.uri === bruno),
      condition('assignee.login:starts:bruno', ({ assignee }) => assignee?.uri === bruno),
      condition(`application:eq:${applicationId}`, () => true),
      condition(`application:neq:${applicationId}`, () => false),
      condition('description:isempty', ({ description }) => (description ?? '') === ''),
      condition('description:neq:SPÄTER', (task) => fold(task.description) !== 'spater'),
      condition('title:notcontains:50%', ({ title }) => !fold(title).includes('50%')),
      condition('title:contains:50%', ({ title }) => fold(title).includes('50%')),
      condition('title:eq:ete', ({ title }) => fold(title) === 'ete'),
      condition('title:eq:x:y', ({ title }) => fold(title) === 'x:y'),
      condition('dueDate:isempty', ({ dueDate }) => dueDate === null),
      condition(
        'dueDate:lt:2026-11-05T01:00:00.000+01:00',
        ({ dueDate }) => dueDate !== null && dueDate < '2026-11-05T00:00:00.000Z',
      ),
    ),
    fc
      .constantFrom('open', 'done', 'cancelled')
      .map((status) => condition(`status:eq:${status}`, (task) => task.status === status)),
    fc
      .constantFrom('open', 'done')
      .map((status) => condition(`status:neq:${status}`, (task) => task.status !== status)),
    fc
      .integer({ min: 0, max: 4 })
      .map((least) => condition(`priority:gte:${least}`, ({ priority }) => priority >= least)),
  );

const views = () =>
  fc.record({
    filters: fc.array(conditions(), { maxLength: 4 }),
    filterMode: fc.constantFrom('and', 'or'),
    sorter: fc.constantFrom(
      null,
      'dueDate',
      '-priority,dueDate',
      'title,-id',
      '-assignee',
      'group',
    ),
    size: fc.integer({ min: 7, max: 60 }),
  });

/** All rows, page by page, each page agreeing with the count. */
async function rowsOf({ token }: Person, size: number): Promise<{ ids: string[]; total: string }> {
  const ids: string[] = [];
  for (let start = 0; ; start += size) {
    const answer = await server.call(`${viewPath}/records?range=${start}-${size}`, {
      token,
      headers: { Prefer: 'count=exact' },
    });
    expect(answer.status).toBe(200);
    ids.push(...(answer.body as Task[]).map(({ id }) => id));
    if (!String(answer.headers.link).includes('rel="next"'))
      return { ids, total: String(answer.headers['x-total-count']) };
  }
}

async function countsOf({ token }: Person): Promise<unknown[]> {
  const parameters = query({ applicationUri: application });
  const body = async (path: string) =>
    (await server.call(`/navigation/workplace${path}`, { token })).body as unknown;
  const workplace = (await body('')) as { applications: { id: string; indicator: unknown }[] }[];
  const entries = workplace.flatMap(({ applications }) => applications);
  const detailed = (await server.call(viewPath, { token })).body as { count: number };
  return [
    await body(`/apps/indicator${parameters}`),
    await body(`/views/count${parameters}`),
    entries.find(({ id }) => id === application)!.indicator,
    { type: 'COUNTER', count: detailed.count },
  ];
}

describe('views', () => {
  it(
    'count the tasks that they list, for every user, filter and sorter',
    async () => {
      let [runs, counted] = [0, 0];
      await fc.assert(
        fc.asyncProperty(views(), async ({ filters, filterMode, sorter, size }) => {
          runs++;
          const body = {
            label: 'Random',
            application,
            filters: filters.map(({ text }) => text),
            filterMode,
            sorter,
          };
          const stored = await server.call(viewPath, { method: 'PUT', token: admin, body });
          expect([stored.status, stored.text]).toEqual([200, expect.anything()]);
          for (const person of people) {
            const expected = tasks
              .filter((task) => task.assignee?.uri === person.uri || inMine(task, person))
              .filter((task) =>
                filters.length === 0 || filterMode === 'and'
                  ? filters.every(({ holds }) => holds(task, person))
                  : filters.some(({ holds }) => holds(task, person)),
              )
              .map(({ id }) => id);
            const { ids, total } = await rowsOf(person, size);
            expect([...ids].sort()).toEqual(expected.sort());
            const counter = { type: 'COUNTER', count: ids.length };
            expect(await countsOf(person)).toEqual([counter, counter, counter, counter]);
            expect(total).toBe(String(ids.length));
            counted += ids.length;
          }
        }),
        propertyRuns(80),
      );
      expect(counted).toBeGreaterThan(runs);
    },
    PROPERTY_TIMEOUT,
  );
});
