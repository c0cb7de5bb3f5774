import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WaitingConsumers } from '../../src/changes/waiting-consumers.js';
import { waitingTasks } from '../../src/process/tasks/task.resource.js';
import { query } from '../support/call.js';
import { eventually } from '../support/eventually.js';
import { openEvents } from '../support/event-stream.js';
import { callFeed, FeedConsumer } from '../support/feed-consumer.js';
import { idOf, uriOf } from '../support/id-of.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Candidates of a task: people and groups who may take it, wherever tasks are shown and counted. */

const TASKS = '/api/v2/process/tasks';
const GROUPS = ['FIRST-TAKERS', 'SECOND-TAKERS'];

let writing: WritingServer;
let server: WritingServer['server'];
let call: WritingServer['call'];
let create: WritingServer['create'];
/** Bruno is in both groups, Chloé in the first, and Sophie in none. */
let bruno: string, chloe: string, sophie: string;
let travel: string;
beforeAll(async () => {
  writing = await startWritingServer();
  ({ server, call, create, bruno } = writing);
  chloe = await server.signIn('chloe.lefevre');
  sophie = await server.signIn('sophie.bohm');
  travel = await uriOf(server, 'applications', 'TRAVEL');
  for (const reference of GROUPS)
    await create('/api/v2/directory/groups', { label: reference, reference });
  const member = async (group: string, login: string) =>
    server.database.query('INSERT INTO group_members (group_id, user_id) VALUES ($1, $2)', [
      await idOf(server, 'groups', group),
      await idOf(server, 'users', login),
    ]);
  for (const group of GROUPS) await member(group, 'bruno.keller');
  await member(GROUPS[0]!, 'chloe.lefevre');
});
afterAll(() => writing.close());

const newTask = async (candidates: unknown, more: object = {}) =>
  (await create(TASKS, { title: 'For candidates', application: 'TRAVEL', candidates, ...more })).id;

const get = async (id: string, token?: string) =>
  call('GET', `${TASKS}/${id}`, undefined, token === undefined ? {} : { token });

const post = (id: string, what: string, token: string) =>
  call('POST', `${TASKS}/${id}/${what}`, undefined, { token });

interface Tile {
  id: string;
  indicator: { count: number } | null;
}

/** Everything that counts or lists the tasks of travel for a person, and whether a task is among the lists. */
async function seenBy(token: string, id: string) {
  const filters = ['status:eq:open', `application:eq:${travel}`];
  const listed = async (path: string): Promise<string[]> => {
    const { body } = await call('GET', path + query({ filters, range: '0-500' }), undefined, {
      token,
    });
    return (body as { id: string }[]).map((one) => one.id);
  };
  const inbox = await listed(`${TASKS}/waiting`);
  const waiting = await call('GET', `${TASKS}/waiting/counts`, undefined, { token });
  const counted = (
    waiting.body as { applications: { application: { uri: string } | null; count: number }[] }
  ).applications.find(({ application }) => application?.uri === travel);
  const workplace = await call('GET', '/navigation/workplace', undefined, { token });
  const tile = (workplace.body as { applications: Tile[] }[])
    .flatMap(({ applications }) => applications)
    .find((one) => one.id === travel)!;
  const search = `/navigation/search/workplace${query({ searchName: 'workplace_searchTasks', searchField: 'quickSearch', query: 'for candidates' })}`;
  const found = await call('GET', search, undefined, { token });
  return {
    shown: (await get(id, token)).status === 200,
    inInbox: inbox.includes(id),
    inList: (await listed(TASKS)).includes(id),
    found: (found.body as { data: { ID: string }[] }).data.some(({ ID }) => ID === id),
    inboxLength: inbox.length,
    counted: counted?.count ?? 0,
    tile: tile.indicator?.count,
  };
}

const more = (
  { inboxLength, counted, tile }: Awaited<ReturnType<typeof seenBy>>,
  by: number,
  isSeen: boolean,
) => ({
  ...{ shown: isSeen, inInbox: isSeen, inList: isSeen, found: isSeen },
  inboxLength: inboxLength + by,
  counted: counted + by,
  tile: tile! + by,
});

describe('candidates of a task', () => {
  it('are people by login and groups by reference, and shown with the task', async () => {
    const id = await newTask(['sophie.bohm', GROUPS[0], await uriOf(server, 'groups', GROUPS[1]!)]);
    const { body } = await get(id);
    expect((body.candidates as { reference: string }[]).map(({ reference }) => reference)).toEqual([
      GROUPS[0],
      GROUPS[1],
      'sophie.bohm',
    ]);
    const patched = await call('PATCH', `${TASKS}/${id}`, [
      { op: 'replace', path: '/candidates', value: ['sophie.bohm'] },
    ]);
    expect(patched.body).toMatchObject({ candidates: [{ reference: 'sophie.bohm' }] });
  });

  it('are at most 100, and names that fit nothing or a user and a group are a 400', async () => {
    await create('/api/v2/directory/groups', { label: 'Like a user', reference: 'sophie.bohm' });
    const refused = async (candidates: unknown) => {
      const { status, body } = await call('POST', TASKS, {
        title: 'Refused',
        application: 'TRAVEL',
        candidates,
      });
      return [status, (body as { fields: unknown }).fields];
    };
    expect(await refused(['nobody.here'])).toEqual([
      400,
      [{ name: 'candidates', message: "there is no user or group 'nobody.here'" }],
    ]);
    expect(await refused(['sophie.bohm'])).toEqual([
      400,
      [{ name: 'candidates', message: "'sophie.bohm' is a user and a group: give the URI" }],
    ]);
    await server.database.query(`DELETE FROM groups WHERE reference = 'sophie.bohm'`);
    const ids = Array<string>(101).fill('sophie.bohm');
    expect(await refused(ids)).toEqual([
      400,
      [{ name: 'candidates', message: 'must be an array of at most 100 links' }],
    ]);
  });

  it('see the task in lists, inbox, counters and search, each once, and other users do not', async () => {
    const [ofBruno, ofChloe, ofSophie] = await Promise.all(
      [bruno, chloe, sophie].map((token) => seenBy(token, '1')),
    );
    const id = await newTask([GROUPS[0], GROUPS[1], 'bruno.keller']);
    expect(await seenBy(bruno, id)).toEqual(more(ofBruno!, 1, true));
    expect(await seenBy(chloe, id)).toEqual(more(ofChloe!, 1, true));
    expect(await seenBy(sophie, id)).toEqual(more(ofSophie!, 0, false));
    const replace = (path: string, value: unknown) =>
      call('PATCH', `${TASKS}/${id}`, [{ op: 'replace', path, value }]);
    await replace('/candidates', ['sophie.bohm']);
    expect(await seenBy(bruno, id)).toEqual(more(ofBruno!, 0, false));
    expect(await seenBy(sophie, id)).toEqual(more(ofSophie!, 1, true));
    await replace('/status', 'done');
    const closed = { shown: true, inInbox: false, inList: false, found: false };
    expect(await seenBy(sophie, id)).toEqual({ ...more(ofSophie!, 0, true), ...closed });
    await replace('/status', 'open');
    expect(await seenBy(sophie, id)).toEqual(more(ofSophie!, 1, true));
    expect((await call('DELETE', `${TASKS}/${id}`)).status).toBe(204);
    expect(await seenBy(sophie, id)).toEqual(more(ofSophie!, 0, false));
  });

  it('get it in their live counters, although no tally of a group contains it', async () => {
    const stream = await openEvents(server.port, { token: bruno });
    const waiting = () =>
      stream.messages
        .map(({ data }) => (data as { waiting?: number }).waiting)
        .filter((count) => count !== undefined)
        .at(-1);
    await eventually(() => expect(waiting()).toBeDefined());
    const before = waiting()!;
    const id = await newTask(GROUPS);
    await eventually(() => expect(waiting()).toBe(before + 1));
    const owned = await newTask(GROUPS, { group: GROUPS[1] });
    await eventually(() => expect(waiting()).toBe(before + 2));
    await server.database.query(`UPDATE tasks SET status = 'done' WHERE id = ANY ($1)`, [
      [id, owned],
    ]);
    await eventually(() => expect(waiting()).toBe(before));
    await server.database.query(`UPDATE tasks SET status = 'open' WHERE id = $1`, [id]);
    await eventually(() => expect(waiting()).toBe(before + 1));
    await server.database.query('DELETE FROM tasks WHERE id = $1', [id]);
    await eventually(() => expect(waiting()).toBe(before));
    stream.close();
  });

  it("get the change feed's events of tasks that they may claim, and of those that they no longer may", async () => {
    const consumers = [chloe, bruno, sophie].map(
      (token) => new FeedConsumer(server, token, 'tasks'),
    );
    for (const consumer of consumers) await consumer.catchUp();
    const [first, second, outsider] = consumers as [FeedConsumer, FeedConsumer, FeedConsumer];
    const heard = async (consumer: FeedConsumer) =>
      (await consumer.page()).changes.map(({ id, state }) => [id, state]);
    const waiting = callFeed(server, chloe, { kinds: 'tasks', after: first.cursor, wait: 60 });
    await eventually(() => expect(server.app.get(WaitingConsumers).waiting).toBe(1));
    const id = await newTask(['FIRST-TAKERS']);
    const { body, duration } = await waiting;
    expect(body.changes).toMatchObject([{ id, state: 'current' }]);
    // Woken, not at the end of its patience.
    expect(duration).toBeLessThan(45_000);
    for (const consumer of [first, second])
      expect(await heard(consumer)).toEqual([[id, 'current']]);
    expect((await post(id, 'claim', bruno)).status).toBe(200);
    expect(await heard(first)).toEqual([[id, 'current']]);
    expect(first.copy.get(`tasks ${id}`)).toMatchObject({
      object: { assignee: { reference: 'bruno.keller' } },
    });
    const close = [{ op: 'replace', path: '/status', value: 'done' }];
    expect((await call('PATCH', `${TASKS}/${id}`, close)).status).toBe(200);
    expect(await heard(first)).toEqual([[id, 'out-of-sight']]);
    const other = await newTask(['chloe.lefevre']);
    expect(await heard(first)).toEqual([[other, 'current']]);
    const leave = [{ op: 'replace', path: '/candidates', value: ['bruno.keller'] }];
    expect((await call('PATCH', `${TASKS}/${other}`, leave)).status).toBe(200);
    expect(await heard(first)).toEqual([[other, 'out-of-sight']]);
    expect((await call('DELETE', `${TASKS}/${other}`)).status).toBe(204);
    await second.catchUp();
    expect(second.copy.has(`tasks ${other}`)).toBe(false);
    expect(await heard(outsider)).toEqual([]);
  });

  it('find their tasks by indexes, however many have been closed', async () => {
    const person = await idOf(server, 'users', 'sophie.bohm');
    const [from] = await server.database.query<{ id: string }>(
      `WITH closed AS (
         INSERT INTO tasks (title, application_id, status) SELECT 'Closed ' || n, (SELECT min(id) FROM applications), 'done'
         FROM generate_series(1, 20000) n RETURNING id
       ) SELECT min(id)::text AS id FROM closed`,
    );
    await server.database.query(
      'INSERT INTO task_candidates (task_id, user_id) SELECT id, $1 FROM tasks WHERE id >= $2',
      [person, from!.id],
    );
    const open = await newTask(['sophie.bohm']);
    for (const table of ['tasks', 'task_candidates'])
      await server.database.query(`ANALYZE ${table}`);
    const [row] = await server.database.query<{ 'QUERY PLAN': { Plan: Step }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) SELECT t.id FROM tasks t WHERE ${waitingTasks('t', person)}`,
    );
    const steps = stepsIn(row!['QUERY PLAN'][0]!.Plan);
    const scanned = steps.filter((step) => step['Node Type'] === 'Seq Scan');
    // The demonstration has few memberships.
    expect(scanned.map((step) => step['Relation Name'])).not.toContain('tasks');
    expect(scanned.map((step) => step['Relation Name'])).not.toContain('task_candidates');
    const read = steps.find((step) => step['Index Name'] === 'task_candidates_principal_id_idx');
    expect(read!['Actual Rows']).toBeLessThan(100);
    await server.database.query('DELETE FROM tasks WHERE id >= $1 AND id < $2', [from!.id, open]);
  });

  it('claim and release the task, and a candidate who is too late learns who has it', async () => {
    const id = await newTask(['sophie.bohm', GROUPS[0]]);
    const late = async (token: string) => {
      const { status, body } = await post(id, 'claim', token);
      return [status, body.message];
    };
    const { title } = (await call('GET', await pathOf('chloe.lefevre'))).body;
    const taken = await post(id, 'claim', chloe);
    expect([taken.status, taken.body.assignee]).toEqual([
      200,
      expect.objectContaining({ reference: 'chloe.lefevre' }),
    ]);
    expect(await late(sophie)).toEqual([409, `${String(title)} has taken the task`]);
    const back = await post(id, 'release', chloe);
    expect([back.status, back.body.assignee]).toEqual([200, null]);
    expect((await post(id, 'claim', sophie)).status).toBe(200);
    const closed = await call(
      'PATCH',
      `${TASKS}/${id}`,
      [{ op: 'replace', path: '/status', value: 'done' }],
      { token: sophie },
    );
    expect([closed.status, closed.body.closedBy]).toEqual([
      200,
      expect.objectContaining({ reference: 'sophie.bohm' }),
    ]);
  });

  it('may close a task that they have not claimed, and change nothing else', async () => {
    const id = await newTask(['sophie.bohm']);
    const patch = (path: string, value: unknown) =>
      call('PATCH', `${TASKS}/${id}`, [{ op: 'replace', path, value }], { token: sophie });
    expect((await patch('/candidates', [])).status).toBe(403);
    expect((await patch('/status', 'done')).status).toBe(200);
    expect((await get(id, sophie)).status).toBe(200);
  });

  it('keep a user and a group from being deleted, and a hidden application is a warning', async () => {
    const person = await create('/api/v2/directory/users', {
      login: 'only.candidate',
      lastName: 'Candidate',
      status: 1,
    });
    const hidden = await create('/api/v2/navigation/applications', {
      title: 'Hidden from candidates',
      type: 'PROCESS',
      audience: [await uriOf(server, 'users', 'alice.martin')],
    });
    const answer = await call('POST', TASKS, {
      title: 'Hidden',
      application: hidden.uri,
      candidates: [person.uri],
    });
    expect(answer.headers['x-warning']).toBe(`${hidden.uri} is hidden from ${person.uri}`);
    const { status, body } = await call('DELETE', `/api/v2${person.uri}`);
    expect([status, body.message]).toEqual([409, expect.stringContaining('1 task')]);
  });
});

/** A step of a plan. */
interface Step {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  Plans?: Step[];
}

const stepsIn = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsIn)];

const pathOf = async (login: string) => `/api/v2${await uriOf(server, 'users', login)}`;

describe('candidates in a push', () => {
  const push = (items: unknown) =>
    call('PUT', `${TASKS}?source=CANDIDATES`, items, { token: writing.engine });
  const item = (candidates: unknown, more: object = {}) => ({
    externalId: 'with-candidates',
    title: 'Pushed',
    application: 'TRAVEL',
    candidates,
    ...more,
  });
  const candidatesOf = async (uri: string) =>
    (
      (await call('GET', `/api/v2${uri}`)).body as { candidates: { reference: string }[] }
    ).candidates.map(({ reference }) => reference);

  beforeAll(async () => {
    await create('/api/v2/process/sources', {
      reference: 'CANDIDATES',
      label: 'An engine',
      serviceAccount: await uriOf(server, 'users', 'process.engine'),
      applications: [travel],
      fallbackGroup: await uriOf(server, 'groups', 'HIRING'),
    });
  });

  it('are found by login, external id, e-mail and reference, and replaced as a whole', async () => {
    await create('/api/v2/directory/users', {
      login: 'by.other.names',
      lastName: 'Names',
      externalId: 'CAND-1',
      status: 1,
    });
    const first = await push([item(['sophie.bohm', 'CAND-1', GROUPS[0]])]);
    const [{ uri }] = first.body.results as [{ uri: string }];
    expect(first.body).toMatchObject({ created: 1, unknown: [] });
    expect(await candidatesOf(uri)).toEqual([GROUPS[0], 'by.other.names', 'sophie.bohm']);
    expect((await push([item(['sophie.bohm', 'CAND-1', GROUPS[0]])])).body).toMatchObject({
      unchanged: 1,
    });
    await push([item([GROUPS[0], GROUPS[1]])]);
    expect(await candidatesOf(uri)).toEqual(GROUPS);
    await push([item(undefined, { title: 'Other' })]);
    expect(await candidatesOf(uri)).toEqual(GROUPS);
    await push([item(null)]);
    expect(await candidatesOf(uri)).toEqual([]);
  });

  it('unknown to the directory are left out and named, and a task without any other goes to the fallback group', async () => {
    const some = await push([item(['sophie.bohm', 'unknown.one'], { externalId: 'some' })]);
    expect(some.body).toMatchObject({ created: 1, unknown: ['unknown.one'] });
    const none = await push([item(['unknown.one'], { externalId: 'none' })]);
    const uris = [some, none].map(({ body }) => (body.results as [{ uri: string }])[0].uri);
    expect(await Promise.all(uris.map(candidatesOf))).toEqual([['sophie.bohm'], []]);
    const groups = await Promise.all(
      uris.map(async (uri) => (await call('GET', `/api/v2${uri}`)).body.group as unknown),
    );
    expect(groups).toEqual([null, expect.objectContaining({ reference: 'HIRING' })]);
    const bad = await push([item('sophie.bohm', { externalId: 'bad' })]);
    expect(bad.body).toMatchObject({
      refused: 1,
      results: [
        {
          fields: [
            {
              name: 'candidates',
              message: 'must be an array of at most 100 names of at most 255 characters',
            },
          ],
        },
      ],
    });
  });
});
