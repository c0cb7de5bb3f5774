import { setTimeout as delay } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { loadConfig } from '../../src/base/config/config.js';
import { createApp } from '../../src/create-app.js';
import { Database } from '../../src/database/database.js';
import type { CounterStream } from '../../src/navigation/live/counter-stream.js';
import { OpenStreams } from '../../src/navigation/live/open-streams.js';
import { FilterCounts } from '../../src/navigation/live/filter-counts.js';
import { Tallies } from '../../src/navigation/live/tallies.js';
import { eventually } from '../support/eventually.js';
import { EVENTS, type EventStream, openEvents } from '../support/event-stream.js';
import { idOf } from '../support/id-of.js';
import { DEMO_PASSWORD, send, startTestServer, type TestServer } from '../support/test-server.js';
import { insertTokens } from '../support/tokens.js';

/** Streams of counters (docs/api-contract.md#live-counters). */

const AUTHENTICATION = '/api/v2/authentication';
const TASKS = '/api/v2/process/tasks';
const PARAMETERS = '/api/v2/administration/parameters';
const CALLERS = 'com.platform.security.ExternalAuthenticationAction.allowedAddresses';
const SYSADMIN = 'com.platform.security.Authentication.allowedAddresses.sysadmin';
const EVERYWHERE = '127.0.0.0/8';
const HOME = '127.0.0.5';

/** More than a busy machine takes, and less than the 15 seconds to the next heartbeat, in milliseconds. */
const AT_ONCE = 10_000;

let server: TestServer;
let admin: string;
let bruno: string;
/** Ids of people, applications and a group of Bruno's. */
let brunoId: string, expenses: string, travel: string, leave: string, group: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signIn('alice.martin');
  bruno = await server.signIn('bruno.keller');
  brunoId = await idOf(server, 'users', 'bruno.keller');
  [expenses, travel, leave] = (await Promise.all(
    ['EXPENSES', 'TRAVEL', 'LEAVE'].map((name) => idOf(server, 'applications', name)),
  )) as [string, string, string];
  [{ group }] = (await server.database.query(
    'SELECT min(group_id)::text AS group FROM group_members WHERE user_id = $1',
    [brunoId],
  )) as [{ group: string }];
  await server.database.query('UPDATE parameters SET value = $1 WHERE key LIKE $2', [
    EVERYWHERE,
    '%llowedAddresses%',
  ]);
  await eventually(async () =>
    expect((await server.call('/api/v2', { from: HOME })).status).toBe(200),
  );
});
afterAll(() => server.close());

const streams: { close(): void }[] = [];
afterEach(() => streams.splice(0).forEach((stream) => stream.close()));

async function open(token: string, from?: string): Promise<EventStream> {
  const stream = await openEvents(server.port, { token, from });
  streams.push(stream);
  return stream;
}
/** A stream that has sent its first message. */
async function opened(token: string, from?: string): Promise<EventStream> {
  const stream = await open(token, from);
  await eventually(() => expect(stream.dataOf('counters')).toHaveLength(1));
  return stream;
}
/** The data of messages without the person. */
interface Shown {
  waiting: number;
  applications: Record<string, number | null>;
}
const uri = (id: string) => `/navigation/applications/${id}`;
/** Creates tasks by SQL, in one transaction. */
const addTasks = (count: number, columns: Record<string, string>) =>
  server.database.query(
    `INSERT INTO tasks (title, ${Object.keys(columns).join(', ')})
     SELECT 'Live ' || n, ${Object.values(columns).join(', ')} FROM generate_series(1, ${count}) n`,
  );
const removeTasks = () => server.database.query(`DELETE FROM tasks WHERE title LIKE 'Live %'`);
/** Adds an application with a view, and tasks like those of expense claims. @returns its id */
async function addCountedApplication(filters: string): Promise<string> {
  const query = server.database.query.bind(server.database);
  const [application] = await query<{ id: string }>(
    `INSERT INTO applications (title, type) VALUES ('Counted', 'PROCESS') RETURNING id::text`,
  );
  const { id } = application!;
  await query(
    `INSERT INTO application_categories (application_id, category_id)
     SELECT $1, min(id) FROM categories WHERE active`,
    [id],
  );
  await query(
    `WITH v AS (INSERT INTO views (label, application_id, filters, filter_mode) VALUES ('Counted', ${id}, ${filters}) RETURNING id)
     UPDATE applications SET view_id = v.id FROM v WHERE applications.id = ${id}`,
  );
  await query(
    `INSERT INTO tasks (title, application_id, assignee_id, group_id, status, priority)
     SELECT 'Counted', $1, assignee_id, group_id, status, priority FROM tasks WHERE application_id = $2`,
    [id, expenses],
  );
  return id;
}
const removeCountedApplications = () =>
  server.database.query(`UPDATE applications SET active = false WHERE title = 'Counted'`);
const set = (token: string, key: string, value: string) =>
  server.call(`${PARAMETERS}/${key}?force=true`, { method: 'PUT', token, body: { value } });

/** What the whole workplace and the inbox answer. */
async function asked(token: string): Promise<Shown> {
  const { body } = await server.call('/navigation/workplace', { token });
  const tiles = (body as { applications: Tile[] }[]).flatMap(({ applications }) => applications);
  const waiting = await server.call(`${TASKS}/waiting/counts`, { token });
  return {
    waiting: (waiting.body as { count: number }).count,
    applications: Object.fromEntries(
      tiles.map(({ id, indicator }) => [id, indicator && indicator.count]),
    ),
  };
}
interface Tile {
  id: string;
  indicator: { count: number } | null;
}
/** What the indicator of each application answers; null for 409. */
async function indicators(token: string, applications: string[]): Promise<Shown['applications']> {
  const counts = applications.map(async (id) => {
    const path = `/navigation/workplace/apps/indicator?applicationUri=${id}`;
    const { status, body } = await server.call(path, { token });
    return [id, status === 409 ? null : (body as { count: number }).count] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}
/** What a stream shows in all: the last full set with the changes behind it. */
function shown(stream: EventStream): Shown {
  let all: Shown = { waiting: 0, applications: {} };
  for (const { event, data } of stream.messages) {
    const { waiting, applications } = data as Partial<Shown>;
    if (event === 'counters') all = { waiting: waiting!, applications: applications! };
    if (event === 'changes')
      all = {
        waiting: waiting ?? all.waiting,
        applications: { ...all.applications, ...applications },
      };
  }
  return all;
}

describe('GET /navigation/workplace/events', () => {
  it('sends all counters first, in an answer that no proxy holds back', async () => {
    const stream = await opened(bruno);
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'transfer-encoding': 'chunked',
    });
    expect(stream.headers).not.toHaveProperty('content-encoding');
    expect(stream.messages).toHaveLength(1);
    expect(stream.messages[0]).toMatchObject({
      id: '1',
      event: 'counters',
      data: { user: `/directory/users/${brunoId}`, ...(await asked(bruno)) },
    });
    const { applications } = shown(stream);
    expect(applications).toEqual(await indicators(bruno, Object.keys(applications)));
    const { retry } = stream.messages[0]!;
    expect(Number(retry)).toBeGreaterThanOrEqual(1_000);
    expect(Number(retry)).toBeLessThanOrEqual(5_000);
    expect(stream.text()).toMatch(
      /^retry: \d+\nid: 1\nevent: counters\ndata: \{"user":"[^"]+","waiting":\d+,"overdue":\d+,"applications":\{.*\}\}\n\n$/,
    );
  });

  it('sends only the changed numbers, as one message', async () => {
    const stream = await opened(bruno);
    const before = shown(stream);
    await addTasks(3, { application_id: expenses, assignee_id: brunoId });
    await eventually(() => expect(stream.messages).toHaveLength(2));
    expect(stream.messages[1]).toMatchObject({ id: '2', event: 'changes' });
    expect(stream.messages[1]).not.toHaveProperty('retry');
    expect(stream.messages[1]!.data).toEqual({
      waiting: before.waiting + 3,
      applications: { [uri(expenses)]: before.applications[uri(expenses)]! + 3 },
    });
    await removeTasks();
    await eventually(() => expect(shown(stream)).toEqual(before));
  });

  it('sends nothing when no number has changed', async () => {
    const stream = await opened(bruno);
    await server.database.query(`UPDATE tasks SET description = 'Changed' WHERE assignee_id = $1`, [
      brunoId,
    ]);
    // Another order of every view makes a new catalogue with the same tiles.
    await server.database.query(`UPDATE views SET sorter = 'id' WHERE sorter IS NULL`);
    await delay(1_500);
    expect(stream.messages).toHaveLength(1);
  });

  it('sends at most one message a second, with the latest numbers', async () => {
    const stream = await opened(bruno);
    const before = shown(stream);
    const started = performance.now();
    for (let at = 0; at < 25; at++) {
      await addTasks(1, { application_id: travel, assignee_id: brunoId });
      await delay(80);
    }
    const goal = before.applications[uri(travel)]! + 25;
    await eventually(() => expect(shown(stream).applications[uri(travel)]).toBe(goal));
    const seconds = (performance.now() - started) / 1_000;
    expect(stream.messages.length - 1).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    await removeTasks();
  });

  it('counts the tasks of a group for each of its members', async () => {
    const members = await server.database.query<{ id: string }>(
      `SELECT u.id::text FROM group_members m JOIN users u ON u.id = m.user_id WHERE m.group_id = $1 AND u.status = 1 LIMIT 8`,
      [group],
    );
    const tokens = await insertTokens(
      server.database,
      members.map(({ id }) => id),
    );
    const all = await Promise.all(tokens.map((token) => opened(token)));
    await addTasks(2, { application_id: expenses, group_id: group });
    await eventually(async () => {
      for (const [at, stream] of all.entries())
        expect(shown(stream)).toEqual(await asked(tokens[at]!));
      expect(all.map((stream) => stream.messages.length)).toEqual(all.map(() => 2));
    });
    await removeTasks();
  });

  it('shows every person of the demonstration the numbers of the indicators', async () => {
    const people = await server.database.query<{ id: string }>(
      'SELECT id::text FROM users WHERE status = 1 ORDER BY id',
    );
    const views = [
      `'{status:eq:open,assignee.lastName:contains:e}', 'and'`,
      `'{status:eq:open,applicationTitle:contains:e}', 'and'`,
      `'{priority:gt:0,assignee:eq:@me}', 'or'`,
      `'{group:neq:@mygroups,status:eq:done}', 'and'`,
      `'{application:eq:/navigation/applications/${travel},group:eq:@mygroups}', 'or'`,
      `'{assignee:eq:@me,group:eq:@mygroups}', 'and'`,
      `'{dueDate:isempty}', 'and'`,
      `'{nothing:eq:1}', 'and'`,
    ];
    for (const filters of views) await addCountedApplication(filters);
    await server.database.query(
      `UPDATE tasks SET group_id = $1 WHERE assignee_id IN (SELECT user_id FROM group_members WHERE group_id = $1) AND id % 3 = 0`,
      [group],
    );
    const tokens = await insertTokens(
      server.database,
      people.map(({ id }) => id),
    );
    const all = await Promise.all(tokens.map((token) => opened(token)));
    for (const [at, stream] of all.entries())
      expect(shown(stream)).toEqual(await asked(tokens[at]!));
    await removeCountedApplications();
  });
});

describe('a stream of counters', () => {
  it('sends all counters when a person sees another application', async () => {
    const stream = await opened(bruno);
    const created = await server.call('/api/v2/navigation/applications', {
      method: 'POST',
      token: admin,
      body: { title: 'New today', type: 'LINK', link: 'https://new.example/' },
    });
    const id = (created.body as { id: string }).id;
    await eventually(() => expect(stream.dataOf('counters')).toHaveLength(2));
    expect(shown(stream).applications[uri(id)]).toBe(0);
    const audience = [
      {
        op: 'replace',
        path: '/audience',
        value: [`/directory/users/${await idOf(server, 'users', 'alice.martin')}`],
      },
    ];
    const path = `/api/v2/navigation/applications/${id}`;
    await server.call(path, { method: 'PATCH', token: admin, body: audience });
    await eventually(() => expect(stream.dataOf('counters')).toHaveLength(3));
    expect(shown(stream).applications).not.toHaveProperty(uri(id));
  });

  it('sends all counters when a change of group brings tasks that have not changed themselves', async () => {
    const other = await server.call('/api/v2/directory/groups', {
      method: 'POST',
      token: admin,
      body: { label: 'Live group' },
    });
    const { id } = other.body as { id: string };
    await addTasks(4, { application_id: expenses, group_id: id });
    const stream = await opened(bruno);
    const before = shown(stream);
    await server.database.query('INSERT INTO group_members (group_id, user_id) VALUES ($1, $2)', [
      id,
      brunoId,
    ]);
    await eventually(() => expect(shown(stream).waiting).toBe(before.waiting + 4));
    expect(shown(stream)).toEqual(await asked(bruno));
    await server.database.query('DELETE FROM group_members WHERE group_id = $1', [id]);
    await eventually(() => expect(shown(stream)).toEqual(before));
    await removeTasks();
  });

  it('sends all counters when the filters of a view change', async () => {
    const stream = await opened(bruno);
    const change = (filters: string) =>
      server.database.query(
        'UPDATE views SET filters = $1 WHERE id = (SELECT view_id FROM applications WHERE id = $2)',
        [filters, leave],
      );
    const [view] = await server.database.query<{ filters: string[] }>(
      'SELECT filters FROM views WHERE id = (SELECT view_id FROM applications WHERE id = $1)',
      [leave],
    );
    await addTasks(5, { application_id: leave, assignee_id: brunoId, status: `'cancelled'` });
    await change('{status:eq:cancelled}');
    await eventually(async () => expect(shown(stream)).toEqual(await asked(bruno)));
    expect(shown(stream).applications[uri(leave)]).toBeGreaterThanOrEqual(5);
    await change('{status:eq:nothing}');
    await eventually(() => expect(shown(stream).applications[uri(leave)]).toBeNull());
    await change(`{${view!.filters.join()}}`);
    await eventually(async () => expect(shown(stream)).toEqual(await asked(bruno)));
    await removeTasks();
  });

  it('sends all counters, with the changes made meanwhile, when the connection to the database was lost', async () => {
    const stream = await opened(bruno);
    const before = shown(stream);
    await server.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'process-platform%'`,
    );
    await addTasks(1, { application_id: expenses, assignee_id: brunoId });
    await eventually(() => expect(shown(stream).waiting).toBe(before.waiting + 1));
    expect(shown(stream)).toEqual(await asked(bruno));
    await removeTasks();
    await eventually(() => expect(shown(stream)).toEqual(before));
  });
});

describe('a count that fails', () => {
  it('is repeated for its people', async () => {
    const stream = await opened(bruno);
    const before = shown(stream);
    const tallies = server.app.get<unknown>(Tallies) as { database: { rowsWithin: unknown } };
    const { rowsWithin } = Object.getPrototypeOf(tallies.database) as { rowsWithin: unknown };
    let failures = 0;
    Object.assign(tallies.database, {
      rowsWithin: () => {
        failures++;
        return Promise.reject(
          Object.assign(new Error('canceling statement'), {
            code: failures % 2 ? '57014' : '08006',
          }),
        );
      },
    });
    await addTasks(1, { application_id: expenses, assignee_id: brunoId });
    await eventually(() => expect(failures).toBeGreaterThan(3));
    expect(stream.messages).toHaveLength(1);
    Object.assign(tallies.database, { rowsWithin });
    await eventually(() => expect(shown(stream).waiting).toBe(before.waiting + 1));
    expect(shown(stream)).toEqual(await asked(bruno));
    await removeTasks();
  });

  it('leaves the other counters intact if it concerns one view', async () => {
    const id = await addCountedApplication("'{priority:eq:4711}', 'and'");
    const tallies = server.app.get<unknown>(Tallies) as {
      database: Pick<Database, 'rowsWithin'>;
    };
    const { database } = tallies;
    const rowsWithin = database.rowsWithin.bind(database);
    const slow: typeof rowsWithin = (limit, statement) =>
      statement.values.map(String).includes('4711')
        ? Promise.reject(Object.assign(new Error('canceling statement'), { code: '57014' }))
        : rowsWithin(limit, statement);
    Object.assign(database, { rowsWithin: slow });
    const stream = await opened(bruno);
    Object.assign(database, { rowsWithin });
    const { waiting, applications } = await asked(bruno);
    expect(shown(stream)).toEqual({ waiting, applications: { ...applications, [uri(id)]: null } });
    await removeCountedApplications();
  });
});

describe('the saved filters of a person that take long to count', () => {
  it('hold up no other number', async () => {
    const made = await server.call('/api/v2/process/task-filters', {
      method: 'POST',
      token: bruno,
      body: { label: 'Slow', filters: ['priority:gte:0'] },
    });
    expect(made.status).toBe(201);
    const stream = await opened(bruno);
    const before = await asked(bruno);
    const counts = server.app.get<unknown>(FilterCounts) as { database: Database };
    const { database } = counts;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const rowsWithin: typeof database.rowsWithin = (limit, statement) =>
      held.then(() => database.rowsWithin(limit, statement));
    counts.database = Object.assign(Object.create(database) as Database, { rowsWithin });
    await addTasks(1, { application_id: expenses, assignee_id: brunoId });
    await eventually(() => expect(shown(stream).waiting).toBe(before.waiting + 1));
    release();
    counts.database = database;
    await server.call(`/api/v2${String(made.body.uri)}`, { method: 'DELETE', token: bruno });
    await removeTasks();
  });
});

describe('two servers on one database', () => {
  it('stream the same numbers, and end the streams of each other', async () => {
    const config = loadConfig({ LOG_LEVEL: 'silent' }).withDatabase(server.database.connection);
    const app = await createApp(config);
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const token = await server.signIn('bruno.keller');
    const near = await opened(token);
    const far = await openEvents(port, { token });
    streams.push(far);
    await eventually(() => expect(shown(far)).toEqual(shown(near)));
    const body = {
      title: 'Live 1',
      application: uri(expenses),
      assignee: `/directory/users/${brunoId}`,
    };
    await send(port, TASKS, { method: 'POST', token: admin, body });
    await eventually(() =>
      expect([near, far].map(({ messages }) => messages.length)).toEqual([2, 2]),
    );
    expect(shown(near)).toEqual(await asked(bruno));
    expect(shown(far)).toEqual(shown(near));
    await send(port, AUTHENTICATION, { method: 'DELETE', token });
    const ended = performance.now();
    expect(await Promise.all([near.reason(), far.reason()])).toEqual(['signed-out', 'signed-out']);
    expect(near.endTime()! - ended).toBeLessThan(AT_ONCE);
    await app.close();
    await removeTasks();
  });
});

describe('a server with open streams', () => {
  /** Asserts the end that follows an action. */
  async function expectEnd(stream: EventStream, act: () => Promise<unknown>, reason: string) {
    await act();
    const acted = performance.now();
    expect(await stream.reason()).toBe(reason);
    expect(stream.endTime()! - acted).toBeLessThan(AT_ONCE);
    expect(stream.messages.at(-1)).toMatchObject({ event: 'end', data: { reason } });
  }
  const chloe = () => server.signIn('chloe.lefevre');

  it('ends the stream of the session after a sign-out, and no other stream of the person', async () => {
    const [token, other] = [await chloe(), await chloe()];
    const kept = await opened(other);
    await expectEnd(
      await opened(token),
      () => server.call(AUTHENTICATION, { method: 'DELETE', token }),
      'signed-out',
    );
    expect(kept.endTime()).toBeUndefined();
  });

  it('ends all streams of a person after a sign-out everywhere', async () => {
    const [token, other] = [await chloe(), await chloe()];
    const [first, second] = [await opened(token), await opened(other)];
    const path = `/api/v2/directory/users/${await idOf(server, 'users', 'chloe.lefevre')}/tokens`;
    await expectEnd(
      first,
      () => server.call(path, { method: 'DELETE', token: admin }),
      'signed-out',
    );
    expect(await second.reason()).toBe('signed-out');
  });

  it('ends a stream after the deactivation of its user', async () => {
    const token = await chloe();
    const id = await idOf(server, 'users', 'chloe.lefevre');
    await expectEnd(
      await opened(token),
      () => server.database.query('UPDATE users SET status = 0 WHERE id = $1', [id]),
      'deactivated',
    );
    await server.database.query('UPDATE users SET status = 1 WHERE id = $1', [id]);
  });

  it('ends a stream after the expiration of the token', async () => {
    const token = await chloe();
    const ends = performance.now() + 5_000;
    await server.database.query(
      `UPDATE tokens SET expiration = now() + interval '5 s' WHERE id = (SELECT max(id) FROM tokens)`,
    );
    const stream = await opened(token);
    expect(await stream.reason()).toBe('expired');
    expect(stream.endTime()! - ends).toBeGreaterThan(-50);
    expect(stream.endTime()! - ends).toBeLessThan(AT_ONCE);
  });

  it('ends a stream when the list of callers no longer admits its address', async () => {
    const stream = await opened(bruno, HOME);
    const kept = await opened(bruno);
    const sysadmin = await server.signIn('sysadmin');
    await expectEnd(stream, () => set(sysadmin, CALLERS, '127.0.0.1'), 'address');
    expect(kept.endTime()).toBeUndefined();
    await set(sysadmin, CALLERS, EVERYWHERE);
  });

  it('ends a stream when the list of sysadmin no longer admits its address', async () => {
    const sysadmin = await server.signIn('sysadmin');
    const stream = await opened(sysadmin, HOME);
    const others = await opened(bruno, HOME);
    await expectEnd(stream, () => set(sysadmin, SYSADMIN, '127.0.0.1'), 'address');
    expect(others.endTime()).toBeUndefined();
    await set(sysadmin, SYSADMIN, EVERYWHERE);
  });

  it('ends a stream when the key of its sign-in is bound to other addresses', async () => {
    const path = `/api/v2/directory/users/${brunoId}/api-keys`;
    const made = await server.call(path, {
      method: 'POST',
      token: bruno,
      body: { name: 'Live', addresses: HOME },
    });
    const { key, id } = made.body as { key: string; id: string };
    const answer = await server.call(AUTHENTICATION, {
      method: 'POST',
      body: { login: 'bruno.keller', password: key },
      from: HOME,
    });
    const { token } = answer.body as { token: string };
    await expectEnd(
      await opened(token, HOME),
      () =>
        server.database.query(`UPDATE api_keys SET addresses = '127.0.0.9' WHERE id = $1`, [id]),
      'address',
    );
  });

  it('ends a stream after plain SQL has ended its session', async () => {
    const [first, second] = [await chloe(), await chloe()];
    await expectEnd(
      await opened(first),
      () =>
        server.database.query(
          `UPDATE tokens SET expiration = now() WHERE id = (SELECT max(id) - 1 FROM tokens)`,
        ),
      'signed-out',
    );
    await expectEnd(
      await opened(second),
      () => server.database.query('TRUNCATE tokens'),
      'signed-out',
    );
    expect((await server.call(AUTHENTICATION, { token: second })).status).toBe(401);
    bruno = await server.signIn('bruno.keller');
    admin = await server.signIn('alice.martin');
  });

  it('ends a stream while writes hold all connections of the pool', async () => {
    const [token, writer] = [await chloe(), await server.signIn('alice.martin')];
    const stream = await opened(token);
    const locking = new pg.Client(server.database.connection);
    locking.on('error', () => undefined);
    await locking.connect();
    await locking.query(`BEGIN; SELECT 1 FROM users WHERE login = 'alice.martin' FOR UPDATE`);
    const path = `/navigation/workplace/favourites/${expenses}`;
    const writes = Array.from({ length: 20 }, () =>
      server.call(path, { method: 'PUT', token: writer }),
    );
    await eventually(() => expect(server.app.get(Database).load.idle).toBe(0));
    const ending = `DELETE FROM tokens WHERE user_id = (SELECT id FROM users WHERE login = 'chloe.lefevre')`;
    await expectEnd(stream, () => server.database.query(ending), 'signed-out');
    await locking.end();
    await Promise.all(writes);
  });

  it('ends a stream when its client leaves during the look-up of the token', async () => {
    const token = await server.signIn('chloe.lefevre');
    const { database } = server;
    const all = server.app.get(OpenStreams);
    await eventually(() => expect(all.count).toBe(0));
    await database.query('BEGIN; LOCK TABLE tokens');
    const isWaiting = async () =>
      (
        await database.query(
          `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'tokens'::regclass AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        )
      ).length;
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `GET ${EVENTS} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-AUTHENTICATION-KEY: ${token}\r\n\r\n`,
    );
    await eventually(async () => expect(await isWaiting()).toBe(1));
    socket.destroy();
    await database.query('COMMIT');
    // The call of the client who has left is answered before this one.
    const other = await opened(await server.signIn('bruno.keller'));
    expect(all.count).toBe(1);
    other.close();
    await eventually(() => expect(all.count).toBe(0));
  });

  it('ends a stream when its client does not read, and buffers no further message until then', async () => {
    const socket = connect(server.port, '127.0.0.1');
    streams.push({ close: () => socket.destroy() });
    socket.on('error', () => undefined);
    socket.write(
      `GET ${EVENTS} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-AUTHENTICATION-KEY: ${bruno}\r\n\r\n`,
    );
    socket.pause();
    const all = server.app.get(OpenStreams);
    await eventually(() => expect(all.count).toBe(1));
    const [stream] = [...all.all()] as [CounterStream];
    const { response } = stream as unknown as { response: ServerResponse };
    // What the operating system holds for it is full.
    while (response.writableLength === 0 && !response.destroyed) {
      response.write('x'.repeat(2 ** 20));
      await delay(10);
    }
    response.write(Buffer.alloc(2 ** 24));
    const held = response.writableLength;
    await addTasks(1, { application_id: expenses, assignee_id: brunoId });
    await delay(1_500);
    expect(response.writableLength).toBeLessThanOrEqual(held);
    stream.beat();
    expect(response.destroyed).toBe(false);
    stream.beat();
    expect(response.destroyed).toBe(true);
    await eventually(() => expect(all.count).toBe(0));
    await removeTasks();
  });
});

describe('the limits of streams', () => {
  it('allow ten streams per person', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => opened(bruno)));
    const refused = await server.call(EVENTS, { token: bruno });
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('10');
    expect(refused.body).toEqual({
      code: 429,
      message: 'Too many requests: a person may have 10 streams of counters',
    });
    await opened(admin);
    all[0]!.close();
    await eventually(async () => {
      const stream = await open(bruno);
      expect(stream.status).toBe(200);
    });
  });

  it('leave the places of concurrent requests to other calls', async () => {
    const people = await server.database.query<{ id: string }>(
      'SELECT id::text FROM users WHERE status = 1 LIMIT 40',
    );
    const tokens = await insertTokens(
      server.database,
      people.flatMap(({ id }) => Array<string>(8).fill(id)),
    );
    const all = await Promise.all(tokens.map((token) => opened(token)));
    expect(all.length).toBeGreaterThan(160 + 128);
    expect((await server.call('/api/v2/process/tasks?range=0-1', { token: admin })).status).toBe(
      200,
    );
  });
});

describe('a request for the stream', () => {
  it.each([
    ['without a token', { Accept: 'text/event-stream' }, 401],
    ['that excludes it', { Accept: 'text/event-stream;q=0' }, 406],
  ])('rejects %s', async (name, headers, status) => {
    const token = name === 'that excludes it' ? bruno : undefined;
    expect((await server.call(EVENTS, { token, headers })).status).toBe(status);
  });

  it('gets only the head for HEAD', async () => {
    const answer = await server.call(EVENTS, { method: 'HEAD', token: bruno });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(answer.text).toBe('');
  });

  it('takes the token in the query, for EventSource', async () => {
    const stream = await openEvents(server.port, {
      token: '',
      path: `${EVENTS}?_AuthenticationKey=${bruno}`,
    });
    streams.push(stream);
    await eventually(() => expect(stream.dataOf('counters')).toHaveLength(1));
  });
});

describe('a silent stream', () => {
  it('gets a comment every 15 seconds, by one timer for all', async () => {
    const [first, second] = [await opened(bruno), await opened(admin)];
    await eventually(() => {
      expect(first.comments.length).toBeGreaterThanOrEqual(2);
      expect(second.comments.length).toBeGreaterThanOrEqual(2);
    }, 60_000);
    expect(first.comments[1]! - first.comments[0]!).toBeGreaterThan(10_000);
    expect(first.comments[1]! - first.comments[0]!).toBeLessThan(25_000);
    expect(first.text()).toMatch(/\n\n:\n\n:\n\n$/);
  });
});

describe('the end of the server', () => {
  it('ends its streams with the reason', async () => {
    const own = await startTestServer();
    const token = await own.signIn('bruno.keller', DEMO_PASSWORD);
    const stream = await openEvents(own.port, { token });
    await eventually(() => expect(stream.dataOf('counters')).toHaveLength(1));
    await own.close();
    expect(await stream.reason()).toBe('stopping');
  });
});
