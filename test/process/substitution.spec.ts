import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitingTasks } from '../../src/process/tasks/task.resource.js';
import { query } from '../support/call.js';
import { eventually } from '../support/eventually.js';
import { openEvents } from '../support/event-stream.js';
import { callFeed, type FeedItem } from '../support/feed-consumer.js';
import { idOf, uriOf } from '../support/id-of.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** The tasks of a person who is away, wherever the substitute lists, counts, reads and decides them. */

const TASKS = '/api/v2/process/tasks';
const ABSENCES = '/api/v2/process/absences';
const HOUR = 3_600_000;

let writing: WritingServer;
let server: WritingServer['server'];
let call: WritingServer['call'];
let create: WritingServer['create'];
let bruno: string, chloe: string, sophie: string;
let travel: string;
beforeAll(async () => {
  writing = await startWritingServer();
  ({ server, call, create, bruno } = writing);
  chloe = await server.signIn('chloe.lefevre');
  sophie = await server.signIn('sophie.bohm');
  travel = await uriOf(server, 'applications', 'TRAVEL');
  // More than a minute allows.
  await server.database.query(
    `INSERT INTO parameters (key, value) VALUES ('security.Throttle.writes', '100000')`,
  );
});
afterEach(() => server.database.query('DELETE FROM absences'));
afterAll(() => writing.close());

const at = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

/** Bruno is away, and Chloé stands in. */
const enter = (more: object = {}) =>
  create(ABSENCES, {
    user: 'bruno.keller',
    substitute: 'chloe.lefevre',
    startDate: at(-1),
    endDate: at(24),
    ...more,
  });

const newTask = async (more: object = {}) =>
  (
    await create(TASKS, {
      title: 'Left behind',
      application: 'TRAVEL',
      assignee: 'bruno.keller',
      ...more,
    })
  ).id;

const get = async (id: string, token: string) =>
  call('GET', `${TASKS}/${id}`, undefined, { token });

const patch = (id: string, values: object, token: string) =>
  call(
    'PATCH',
    `${TASKS}/${id}`,
    Object.entries(values).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
    { token },
  );

const ref = (reference: string): unknown => expect.objectContaining({ reference });

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
  const search = `/navigation/search/workplace${query({ searchName: 'workplace_searchTasks', searchField: 'quickSearch', query: 'left behind' })}`;
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

type Seen = Awaited<ReturnType<typeof seenBy>>;

const more = ({ inboxLength, counted, tile }: Seen, by: number, isSeen: boolean): Seen => ({
  ...{ shown: isSeen, inInbox: isSeen, inList: isSeen, found: isSeen },
  inboxLength: inboxLength + by,
  counted: counted + by,
  tile: tile! + by,
});

/** How many open tasks of travel a person has. */
async function countOf(login: string): Promise<number> {
  const [row] = await server.database.rows({
    text: `SELECT count(*) FROM tasks WHERE status = 'open' AND assignee_id = $1 AND application_id = $2`,
    values: [await idOf(server, 'users', login), travel.split('/').at(-1)],
  });
  return Number(row![0]);
}

describe('the open tasks of a person who is away', () => {
  it('are in the lists, the inbox, the counters and the search of the substitute only', async () => {
    const id = await newTask();
    const all = [bruno, chloe, sophie];
    const [ofBruno, ofChloe, ofSophie] = await Promise.all(all.map((token) => seenBy(token, id)));
    expect([ofChloe!.shown, ofSophie!.shown]).toEqual([false, false]);
    const { id: rule } = await enter();
    const lent = await countOf('bruno.keller');
    expect(lent).toBeGreaterThan(1);
    expect(await seenBy(bruno, id)).toEqual(ofBruno);
    expect(await seenBy(chloe, id)).toEqual(more(ofChloe!, lent, true));
    expect(await seenBy(sophie, id)).toEqual(ofSophie);
    const second = await newTask();
    expect(await seenBy(chloe, second)).toEqual(more(ofChloe!, lent + 1, true));
    await call('DELETE', `${TASKS}/${second}`);
    expect(await seenBy(chloe, id)).toEqual(more(ofChloe!, lent, true));
    await patch(id, { assignee: 'sophie.bohm' }, writing.admin);
    expect(await seenBy(chloe, id)).toEqual(more(ofChloe!, lent - 1, false));
    await patch(id, { assignee: 'bruno.keller' }, writing.admin);
    expect((await call('DELETE', `${ABSENCES}/${rule}`)).status).toBe(204);
    expect(await seenBy(chloe, id)).toEqual(ofChloe);
  });

  it('name the substitute to every user who sees them, until the absence ends', async () => {
    const id = await newTask({ group: 'EXPENSE-APPROVERS' });
    const substitute = async (token: string) => {
      const { body } = await get(id, token);
      const { body: list } = await call(
        'GET',
        `${TASKS}${query({ filters: `id:eq:${id}` })}`,
        undefined,
        {
          token,
        },
      );
      const [row] = list as { substitute: unknown }[];
      expect(row!.substitute).toEqual(body.substitute);
      return body.substitute as unknown;
    };
    expect(await substitute(bruno)).toBeNull();
    await enter();
    expect(await Promise.all([bruno, chloe, writing.admin].map(substitute))).toEqual(
      Array(3).fill(ref('chloe.lefevre')),
    );
    const { body } = await call(
      'GET',
      `${TASKS}${query({ filters: `id:eq:${id}`, responseMode: 'user' })}`,
    );
    expect((body as object[])[0]).toMatchObject({ substitute: 'Chloé Lefèvre' });
    await patch(id, { status: 'done' }, bruno);
    expect(await substitute(bruno)).toBeNull();
  });

  it('are only those of the application that the absence names, and its rule overrides the general one', async () => {
    const ofTravel = await newTask();
    const ofLeave = await newTask({ application: 'LEAVE' });
    const seen = async (token: string) =>
      Promise.all([ofTravel, ofLeave].map(async (id) => (await get(id, token)).status === 200));
    const inList = async (token: string) => {
      const { body } = await call(
        'GET',
        `${TASKS}${query({ filters: 'title:eq:Left behind', range: '0-500' })}`,
        undefined,
        {
          token,
        },
      );
      const ids = (body as { id: string }[]).map(({ id }) => id);
      return [ofTravel, ofLeave].map((id) => ids.includes(id));
    };
    const { id: narrow } = await enter({ application: 'TRAVEL', substitute: 'sophie.bohm' });
    expect(await Promise.all([seen(sophie), seen(chloe)])).toEqual([
      [true, false],
      [false, false],
    ]);
    await enter();
    const both = [
      [true, false],
      [false, true],
    ];
    expect(await Promise.all([seen(sophie), seen(chloe)])).toEqual(both);
    expect(await Promise.all([inList(sophie), inList(chloe)])).toEqual(both);
    expect((await get(ofTravel, bruno)).body.substitute).toEqual(ref('sophie.bohm'));
    expect((await get(ofLeave, bruno)).body.substitute).toEqual(ref('chloe.lefevre'));
    await call('DELETE', `${ABSENCES}/${narrow}`);
    expect(await Promise.all([seen(sophie), seen(chloe)])).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it('go one step and no further', async () => {
    const id = await newTask();
    await enter();
    await enter({ user: 'chloe.lefevre', substitute: 'sophie.bohm' });
    expect([(await get(id, chloe)).status, (await get(id, sophie)).status]).toEqual([200, 404]);
    const own = await newTask({ assignee: 'chloe.lefevre' });
    expect((await get(own, sophie)).status).toBe(200);
  });

  it('show only the title of an application that the substitute does not see', async () => {
    await create('/api/v2/navigation/applications', {
      title: 'Secret desk',
      reference: 'SECRET-DESK',
      type: 'PROCESS',
      audience: [await uriOf(server, 'users', 'bruno.keller')],
    });
    const id = await newTask({ application: 'SECRET-DESK' });
    await enter();
    expect((await get(id, chloe)).body).toMatchObject({
      application: null,
      applicationTitle: 'Secret desk',
    });
  });

  it('are not in filters that name the assignee', async () => {
    const id = await newTask();
    await enter();
    const { body } = await call(
      'GET',
      `${TASKS}${query({ filters: 'assignee:eq:@me', range: '0-500' })}`,
      undefined,
      {
        token: chloe,
      },
    );
    expect((body as { id: string }[]).map((one) => one.id)).not.toContain(id);
  });

  it('are found by indexes among many', async () => {
    const [absent, substitute] = await Promise.all(
      ['sophie.bohm', 'chloe.lefevre'].map((login) => idOf(server, 'users', login)),
    );
    await server.database.query(
      `INSERT INTO tasks (title, application_id, assignee_id, status)
       SELECT 'Many ' || n, a.id, CASE WHEN n % 400 = 0 THEN $1::bigint ELSE p.id END, CASE WHEN n % 2 = 0 THEN 'open' ELSE 'done' END
       FROM generate_series(1, 20000) n, (SELECT min(id) AS id FROM applications) a,
         (SELECT id FROM users WHERE login = 'alice.martin') p`,
      [absent],
    );
    await server.database.query(
      `INSERT INTO absences (user_id, substitute_id, start_date, end_date)
       SELECT u.id, $1, now() - interval '1 day', now() + interval '1 day' FROM users u WHERE u.login = 'sophie.bohm'`,
      [substitute],
    );
    for (const table of ['tasks', 'absences']) await server.database.query(`ANALYZE ${table}`);
    const [row] = await server.database.query<{ 'QUERY PLAN': { Plan: Step }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) SELECT t.id FROM tasks t WHERE ${waitingTasks('t', substitute!)}`,
    );
    const steps = stepsIn(row!['QUERY PLAN'][0]!.Plan);
    const ofTasks = steps.filter((step) => step['Relation Name'] === 'tasks');
    expect(ofTasks.map((step) => step['Node Type'])).not.toContain('Seq Scan');
    expect(Math.max(...ofTasks.map((step) => step['Actual Rows']))).toBeLessThan(500);
    await server.database.query(`DELETE FROM tasks WHERE title LIKE 'Many %'`);
  });
});

/** A step of a plan. */
interface Step {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  Plans?: Step[];
}

const stepsIn = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsIn)];

describe('a substitute', () => {
  it('decides for the absent person: the task keeps its assignee, and names both people', async () => {
    const id = await newTask();
    await enter();
    const done = await patch(id, { status: 'done', comment: 'Booked' }, chloe);
    expect([done.status, done.body]).toEqual([
      200,
      expect.objectContaining({
        assignee: ref('bruno.keller'),
        closedBy: ref('chloe.lefevre'),
        closedFor: ref('bruno.keller'),
      }),
    ]);
    const { body: history } = await call('GET', `${TASKS}/${id}/history`, undefined, {
      token: bruno,
    });
    expect((history as object[]).at(-1)).toMatchObject({
      kind: 'decided',
      by: ref('chloe.lefevre'),
      onBehalfOf: ref('bruno.keller'),
      comment: 'Booked',
    });
    const { body: trail } = await call(
      'GET',
      `/api/v2/administration/audit${query({ filters: `object:eq:/process/tasks/${id}`, sorter: '-id', range: '0-1' })}`,
    );
    expect((trail as object[])[0]).toMatchObject({
      actor: ref('chloe.lefevre'),
      after: { closedFor: { reference: 'bruno.keller' } },
    });
    const comment = { text: 'Nobody needs it any more' };
    const said = await call('POST', `${TASKS}/${id}/comments`, comment, { token: chloe });
    expect([said.status, said.body]).toMatchObject([201, { onBehalfOf: ref('bruno.keller') }]);
    const again = await patch(id, { status: 'open' }, chloe);
    expect(again.body).toMatchObject({ status: 'open', closedBy: null, closedFor: null });
    const own = await patch(id, { status: 'done' }, bruno);
    expect(own.body).toMatchObject({ closedBy: ref('bruno.keller'), closedFor: null });
  });

  it('changes an own decision for the same person', async () => {
    const id = await newTask();
    await enter();
    expect((await patch(id, { status: 'done' }, chloe)).status).toBe(200);
    const { body } = await patch(id, { status: 'cancelled' }, chloe);
    expect(body).toMatchObject({
      closedBy: ref('chloe.lefevre'),
      closedFor: ref('bruno.keller'),
    });
  });

  it.each(['done', 'cancelled'])(
    'does not see tasks that were %s before the absence',
    async (status) => {
      const [id, later] = [await newTask(), await newTask()];
      expect((await patch(id, { status }, bruno)).status).toBe(200);
      await enter({ startDate: at(0) });
      expect((await get(later, chloe)).status).toBe(200);
      for (const path of ['', '/history', '/comments', '/files']) {
        const answer = await call('GET', `${TASKS}/${id}${path}`, undefined, { token: chloe });
        expect([path, answer.status]).toEqual([path, 404]);
      }
      expect((await patch(id, { status: 'open' }, chloe)).status).toBe(404);
    },
  );

  it('reads a task that another person has closed meanwhile, and cannot decide it', async () => {
    const id = await newTask();
    await enter();
    await patch(id, { status: 'done' }, bruno);
    expect((await get(id, chloe)).body).toMatchObject({ closedBy: ref('bruno.keller') });
    const late = await patch(id, { status: 'cancelled' }, chloe);
    expect([late.status, late.body.message]).toEqual([409, 'Bruno Keller has closed the task']);
  });

  it('reads nothing that was cancelled before the absence, whatever changes on it later', async () => {
    const id = await newTask();
    expect((await patch(id, { status: 'cancelled' }, bruno)).status).toBe(200);
    await enter({ startDate: at(0) });
    expect((await get(id, chloe)).status).toBe(404);
    expect((await patch(id, { title: 'Corrected' }, writing.admin)).status).toBe(200);
    expect((await get(id, chloe)).status).toBe(404);
    expect((await patch(id, { status: 'open' }, chloe)).status).toBe(404);
    const other = await newTask();
    expect((await patch(other, { status: 'cancelled' }, bruno)).status).toBe(200);
    expect((await get(other, chloe)).status).toBe(200);
  });

  it('changes no other attribute, claims no task, and does nothing once the absence has ended', async () => {
    const id = await newTask({ group: 'EXPENSE-APPROVERS' });
    const { id: rule } = await enter();
    const post = async (what: string) => {
      const { status, body } = await call('POST', `${TASKS}/${id}/${what}`, undefined, {
        token: chloe,
      });
      return [status, body.message];
    };
    expect((await patch(id, { assignee: 'chloe.lefevre' }, chloe)).status).toBe(403);
    expect(await post('claim')).toEqual([409, 'Bruno Keller has taken the task']);
    expect(await post('release')).toEqual([409, 'Only the assignee gives a task back']);
    await call('PATCH', `${ABSENCES}/${rule}`, [
      { op: 'replace', path: '/endDate', value: at(-0.5) },
    ]);
    expect((await patch(id, { status: 'done' }, chloe)).status).toBe(404);
  });

  it('comments for the absent person, and completes several tasks at once', async () => {
    const ids = [await newTask(), await newTask()];
    await enter();
    const said = await call(
      'POST',
      `${TASKS}/${ids[0]}/comments`,
      { text: 'Which train?' },
      { token: chloe },
    );
    expect([said.status, said.body]).toEqual([
      201,
      expect.objectContaining({ author: ref('chloe.lefevre'), onBehalfOf: ref('bruno.keller') }),
    ]);
    const { body: comments } = await call('GET', `${TASKS}/${ids[0]}/comments`, undefined, {
      token: bruno,
    });
    expect(comments).toEqual([said.body]);
    const { body: results } = await call(
      'POST',
      `${TASKS}/bulk`,
      { action: 'complete', tasks: ids },
      { token: chloe },
    );
    expect((results as { result: string }[]).map(({ result }) => result)).toEqual(['done', 'done']);
    for (const id of ids)
      expect((await get(id, bruno)).body).toMatchObject({
        closedBy: ref('chloe.lefevre'),
        closedFor: ref('bruno.keller'),
      });
  });

  it('is named to engines together with the owner', async () => {
    const endpoint = await create('/api/v2/process/endpoints', {
      label: 'Engine',
      mode: 'pull',
      kinds: ['task.decided'],
    });
    const id = await newTask();
    await enter();
    await patch(id, { status: 'done' }, chloe);
    const fetched = await call('POST', `/api/v2/process/endpoints/${endpoint.id}/fetch`, {
      worker: 'w',
      wait: 20,
    });
    const [{ event }] = (fetched.body as { deliveries: { event: { data: object } }[] })
      .deliveries as [{ event: { data: object } }];
    expect(event.data).toMatchObject({
      task: {
        id,
        assignee: ref('bruno.keller'),
        closedBy: ref('chloe.lefevre'),
        closedFor: ref('bruno.keller'),
      },
      changed: expect.arrayContaining(['closedBy', 'closedFor']),
      previous: { closedBy: null, closedFor: null },
    });
    await call('DELETE', `/api/v2/process/endpoints/${endpoint.id}`);
  });

  it('sees the tasks in live counters, from the beginning to the end of the absence', async () => {
    const stream = await openEvents(server.port, { token: chloe });
    const waiting = () =>
      stream.messages
        .map(({ data }) => (data as { waiting?: number }).waiting)
        .filter((count) => count !== undefined)
        .at(-1);
    await eventually(() => expect(waiting()).toBeDefined());
    const before = waiting()!;
    const { body } = await call('GET', `${TASKS}/waiting/counts`, undefined, { token: bruno });
    const own = (body as { count: number }).count;
    const { body: groups } = await call(
      'GET',
      `${TASKS}/waiting${query({ filters: 'group:eq:@mygroups', range: '0-500' })}`,
      undefined,
      {
        token: bruno,
      },
    );
    const lent =
      own - (groups as { assignee: unknown }[]).filter(({ assignee }) => !assignee).length;
    // It begins with the clock, not with a write.
    await enter({ startDate: at(1 / 3600) });
    await eventually(() => expect(waiting()).toBe(before + lent));
    const id = await newTask();
    await eventually(() => expect(waiting()).toBe(before + lent + 1));
    await server.database.query(`UPDATE tasks SET status = 'done' WHERE id = $1`, [id]);
    await eventually(() => expect(waiting()).toBe(before + lent));
    // A rule of an application takes its tasks from the general one.
    const narrow = await enter({ substitute: 'sophie.bohm', application: 'TRAVEL' });
    const ofTravel = await countOf('bruno.keller');
    await eventually(() => expect(waiting()).toBe(before + lent - ofTravel));
    await call('DELETE', `${ABSENCES}/${narrow.id}`);
    await eventually(() => expect(waiting()).toBe(before + lent));
    await server.database.query(`UPDATE users SET status = 0 WHERE login = 'bruno.keller'`);
    await eventually(() => expect(waiting()).toBe(before + lent));
    await server.database.query(`UPDATE users SET status = 1 WHERE login = 'bruno.keller'`);
    await server.database.query('DELETE FROM absences');
    await eventually(() => expect(waiting()).toBe(before));
    stream.close();
  });
});

describe('the feed of changes of a substitute', () => {
  const read = async (cursor?: string) => {
    const answer = await callFeed(server, chloe, { kinds: 'tasks', after: cursor, limit: 500 });
    const { changes, next } = answer.body as { changes?: FeedItem[]; next: string };
    return {
      status: answer.status,
      ids: (changes ?? []).map(({ id, state }) => `${id} ${state}`),
      next,
    };
  };

  it('begins again with an absence, and then has the tasks and their changes, but no others', async () => {
    const id = await newTask();
    const elsewhere = await newTask({ application: 'LEAVE' });
    const before = await read();
    expect(before.ids).not.toContain(`${id} current`);
    await enter({ application: 'TRAVEL' });
    expect((await read(before.next)).status).toBe(410);
    const first = await read();
    expect(first.ids).toContain(`${id} current`);
    await patch(id, { priority: 5 }, writing.admin);
    await patch(elsewhere, { priority: 5 }, writing.admin);
    const second = await read(first.next);
    expect(second.ids).toEqual([`${id} current`]);
    await patch(id, { assignee: 'sophie.bohm' }, writing.admin);
    const third = await read(second.next);
    expect(third.ids).toEqual([`${id} out-of-sight`]);
  });

  it('says nothing of tasks that were never in sight', async () => {
    const tasks: string[] = [];
    for (let made = 0; made < 5; made++) tasks.push(await newTask({ application: 'EXPENSES' }));
    const [given, deleted, moved, both, lent] = tasks as [string, string, string, string, string];
    const closed = await newTask();
    await patch(closed, { status: 'done' }, writing.admin);
    await enter({ application: 'TRAVEL' });
    const first = await read();
    await patch(given, { assignee: 'sophie.bohm' }, writing.admin);
    await call('DELETE', `${TASKS}/${deleted}`);
    await patch(moved, { application: 'LEAVE' }, writing.admin);
    await patch(both, { application: 'LEAVE', assignee: 'sophie.bohm' }, writing.admin);
    await patch(closed, { title: 'Corrected' }, writing.admin);
    await patch(lent, { application: 'TRAVEL' }, writing.admin);
    const second = await read(first.next);
    expect(second.ids).toEqual([`${lent} current`]);
    await call('DELETE', `${TASKS}/${lent}`);
    expect((await read(second.next)).ids).toEqual([`${lent} out-of-sight`]);
  });

  it('marks a task as out of sight when it moves to an application without a substitute', async () => {
    const id = await newTask();
    await enter({ application: 'TRAVEL' });
    const first = await read();
    expect(first.ids).toContain(`${id} current`);
    await patch(id, { application: 'LEAVE' }, writing.admin);
    expect((await read(first.next)).ids).toEqual([`${id} out-of-sight`]);
  });
});
