import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ENDPOINTS, type EndpointWorld, startEndpointWorld } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { idOf } from '../support/id-of.js';
import type { Answer } from '../support/test-server.js';

/** Deliveries that workers fetch (docs/api-contract.md#fetching-deliveries). */

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let world: EndpointWorld;
beforeAll(async () => {
  world = await startEndpointWorld();
});
afterAll(() => world.server.close());
afterEach(() => world.clear());

const work = (
  endpoint: string,
  what: string,
  body: object,
  token = world.engine,
): Promise<Answer> =>
  world.call('POST', `${ENDPOINTS}/${endpoint}/${what}`, { worker: 'w1', ...body }, token);
const fetchSome = async (endpoint: string, more: object = {}): Promise<Answer['body'][]> => {
  const answer = await work(endpoint, 'fetch', more);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return answer.body.deliveries as Answer['body'][];
};
/** Ends of the rights of the process engine while it waits; each returns what takes it back. */
async function signOut(token: string): Promise<() => Promise<unknown>> {
  await world.call('DELETE', '/api/v2/authentication', undefined, token);
  return () => Promise.resolve();
}
async function demote(): Promise<() => Promise<unknown>> {
  const set = (processEngine: boolean) =>
    world.server.database.query(
      `UPDATE users SET process_engine = $1 WHERE login = 'process.engine'`,
      [processEngine],
    );
  await set(false);
  return () => set(true);
}
async function closeAddresses(): Promise<() => Promise<unknown>> {
  const key = 'security.ExternalAuthenticationAction.allowedAddresses';
  const [before] = await world.server.database.query<{ value: string }>(
    'SELECT value FROM parameters WHERE key = $1',
    [key],
  );
  const set = (value: string) =>
    world.server.database.query('UPDATE parameters SET value = $2 WHERE key = $1', [key, value]);
  await set('10.9.9.9/32');
  return () => set(before!.value);
}
/** Returns once this number of deliveries waits at an endpoint. */
const waiting = (endpoint: string, count: number): Promise<void> =>
  eventually(async () => {
    expect(await world.deliveries(endpoint, 'status:eq:waiting')).toHaveLength(count);
  });
const lapse = () =>
  world.server.database.query(`UPDATE deliveries SET next_attempt = now() WHERE status = 'leased'`);

describe('a worker', () => {
  it('fetches deliveries with a lease, one of each task, and completes them', async () => {
    const id = await world.pull({ reference: 'WORK', kinds: ['task.created', 'task.decided'] });
    const one = await world.task();
    await world.change(one, { status: 'done' });
    const two = await world.task();
    await waiting(id, 3);
    const first = await fetchSome('WORK', { limit: 10, lease: 30 });
    expect(first).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        retries: 10,
        leasedUntil: expect.stringMatching(TIME),
        event: expect.objectContaining({ type: 'task.created', subject: `/process/tasks/${one}` }),
      },
      expect.objectContaining({
        event: expect.objectContaining({ type: 'task.created', subject: `/process/tasks/${two}` }),
      }),
    ]);
    const left = Date.parse(first[0].leasedUntil as string) - Date.now();
    expect(left).toBeGreaterThan(15_000);
    expect(left).toBeLessThan(45_000);
    expect(await fetchSome(id)).toEqual([]);
    const ids = first.map((delivery) => delivery.id as string);
    const done = await work(id, 'complete', { deliveries: [...ids, '999999999'] });
    expect([done.status, done.body]).toEqual([
      200,
      {
        results: [
          { id: ids[0], done: true },
          { id: ids[1], done: true },
          { id: '999999999', done: false },
        ],
      },
    ]);
    const [decided] = await fetchSome(id);
    expect(decided.event.type).toBe('task.decided');
    const [log] = await world.deliveries(id, 'status:eq:delivered');
    expect(log).toMatchObject({
      attempts: 1,
      nextAttemptDate: null,
      worker: 'w1',
      log: [{ message: 'completed by w1' }],
    });
  });

  it('waits for a delivery, and gets it when the task changes', async () => {
    const id = await world.pull();
    const started = performance.now();
    const fetched = fetchSome(id, { wait: 20 });
    const task = await world.task();
    const [delivery] = await fetched;
    expect(delivery.event.subject).toBe(`/process/tasks/${task}`);
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(await fetchSome(id, { wait: 1 })).toEqual([]);
  });

  it('loses its lease and a retry when it dies, until none is left', async () => {
    const id = await world.pull();
    await world.task();
    await waiting(id, 1);
    for (let retries = 10; retries >= 1; retries--) {
      const [delivery] = await fetchSome(id);
      expect(delivery.retries).toBe(retries);
      await lapse();
    }
    expect(await fetchSome(id)).toEqual([]);
    const [failed] = await world.deliveries(id);
    expect(failed).toMatchObject({ status: 'failed', retries: 0, attempts: 10 });
    expect(failed.log.at(-1).message).toBe('the lease of w1 has lapsed');
  });

  it('says how it failed, with a delay and the retries that are left', async () => {
    const id = await world.pull();
    await world.task();
    await waiting(id, 1);
    const [delivery] = await fetchSome(id);
    const failure = { deliveries: [delivery.id], delay: 3600, message: 'the engine is down' };
    const failed = await work(id, 'fail', failure);
    expect(failed.body).toEqual({ results: [{ id: delivery.id, done: true }] });
    expect(await fetchSome(id)).toEqual([]);
    const [waits] = await world.deliveries(id);
    expect(waits).toMatchObject({
      status: 'waiting',
      retries: 9,
      worker: null,
      log: [{ message: 'the engine is down' }],
    });
    expect(Date.parse(waits.nextAttemptDate as string) - Date.now()).toBeGreaterThan(3_500_000);
    await world.hurry();
    await fetchSome(id);
    await work(id, 'fail', { deliveries: [delivery.id], retries: 0 });
    expect(await world.deliveries(id)).toMatchObject([{ status: 'failed', retries: 0 }]);
    const replayed = await world.call('POST', `${ENDPOINTS}/${id}/replay`, { failed: true });
    expect(replayed.body).toEqual({ count: 1, next: null });
    expect(await fetchSome(id)).toMatchObject([{ id: delivery.id, retries: 10 }]);
  });

  it('has one delivery of a task at a time, also when an earlier one is sent again', async () => {
    const id = await world.pull();
    const task = await world.task();
    await waiting(id, 1);
    const [first] = await fetchSome(id);
    await work(id, 'complete', { deliveries: [first.id] });
    await world.server.database.query('UPDATE tasks SET priority = 9 WHERE id = $1', [task]);
    await waiting(id, 1);
    const [second] = await fetchSome(id);
    await world.call('POST', `${ENDPOINTS}/${id}/replay`, { deliveries: [first.id] });
    expect(await fetchSome(id)).toEqual([]);
    await work(id, 'complete', { deliveries: [second.id] });
    expect(await fetchSome(id)).toMatchObject([{ id: first.id }]);
  });

  it('gets nothing from an endpoint that is paused, or given to another account, while it waits', async () => {
    for (const change of [
      { op: 'replace', path: '/status', value: 'paused' },
      { op: 'add', path: '/account', value: '/directory/users/me' },
    ]) {
      const id = await world.pull();
      const fetched = work(id, 'fetch', { wait: 3 }, world.engine);
      await delay(500);
      const value =
        change.path === '/account'
          ? `/directory/users/${await idOf(world.server, 'users', 'alice.martin')}`
          : change.value;
      const changed = await world.call('PATCH', `${ENDPOINTS}/${id}`, [{ ...change, value }]);
      expect(changed.status).toBe(200);
      await world.task();
      expect((await fetched).body).toEqual({ deliveries: [] });
    }
  });

  it.each([
    ['signs out', 401, signOut],
    ['is no process engine any more', 403, demote],
    ['calls from an address that is no longer allowed', 403, closeAddresses],
  ])('gets nothing when it %s while it waits', async (_what, status, happen) => {
    const task = await world.task();
    for (const form of ['fetch', 'fetchAndLock']) {
      const id = await world.pull({ reference: `WAIT-${form}-${status}` });
      const token = await world.server.signIn('process.engine');
      const fetched =
        form === 'fetch'
          ? work(id, 'fetch', { wait: 20 }, token)
          : world.call(
              'POST',
              '/engine-rest/external-task/fetchAndLock',
              {
                workerId: 'w1',
                asyncResponseTimeout: 20_000,
                topics: [{ topicName: `WAIT-${form}-${status}`, lockDuration: 60_000 }],
              },
              token,
            );
      await delay(500);
      const takeBack = await happen(token);
      await world.server.database.query('UPDATE tasks SET priority = priority + 1 WHERE id = $1', [
        task,
      ]);
      const answer = await fetched;
      await takeBack();
      expect(answer.status).toBe(status);
      await eventually(async () =>
        expect(await world.deliveries(id)).toMatchObject([{ status: 'waiting' }]),
      );
      await world.clear();
    }
  });

  it('gets the events of tasks whose dates no client can read', async () => {
    const id = await world.pull();
    const task = await world.task();
    await world.server.database.query(`UPDATE tasks SET due_date = 'infinity' WHERE id = $1`, [
      task,
    ]);
    await waiting(id, 2);
    const [first] = await fetchSome(id);
    await work(id, 'complete', { deliveries: [first.id] });
    expect(await fetchSome(id)).toMatchObject([
      { event: { type: 'task.changed', data: { task: { id: task, dueDate: null } } } },
    ]);
  });

  it('extends its lease, gives deliveries back, and touches none of another worker', async () => {
    const id = await world.pull();
    await world.task();
    await waiting(id, 1);
    const [delivery] = await fetchSome(id, { lease: 1 });
    const ids = { deliveries: [delivery.id] };
    const none = { results: [{ id: delivery.id, done: false }] };
    const all = { results: [{ id: delivery.id, done: true }] };
    for (const [what, more] of [
      ['complete', {}],
      ['fail', {}],
      ['unlock', {}],
      ['extend', { lease: 60 }],
    ] as const)
      expect((await work(id, what, { ...ids, ...more, worker: 'w2' })).body).toEqual(none);
    expect((await work(id, 'extend', { ...ids, lease: 3600 })).body).toEqual(all);
    const [leased] = await world.deliveries(id);
    expect(Date.parse(leased.nextAttemptDate as string) - Date.now()).toBeGreaterThan(3_500_000);
    expect((await work(id, 'unlock', ids)).body).toEqual(all);
    expect(await fetchSome(id)).toMatchObject([{ id: delivery.id, retries: 10 }]);
  });

  it('may be any process engine, or only the account of the endpoint', async () => {
    const everybody = await world.pull();
    const hers = await world.pull({ account: await idOf(world.server, 'users', 'alice.martin') });
    const asked = async (id: string, token: string) => (await work(id, 'fetch', {}, token)).status;
    expect(await asked(everybody, world.bruno)).toBe(403);
    expect(await asked(everybody, world.engine)).toBe(200);
    expect(await asked(hers, world.engine)).toBe(404);
    expect(await asked(hers, world.admin)).toBe(200);
    const { id } = await world.push('http://127.0.0.1:9/');
    expect(await asked(id, world.engine)).toBe(404);
  });

  it('gets nothing while the endpoint is paused', async () => {
    const id = await world.pull({ status: 'paused' });
    await world.task();
    await waiting(id, 1);
    expect(await fetchSome(id)).toEqual([]);
  });

  it('gets a 400 that names every bad field', async () => {
    const id = await world.pull();
    const answer = await world.call(
      'POST',
      `${ENDPOINTS}/${id}/fail`,
      { worker: ' ', deliveries: ['1', 2], retries: -1, delay: 1.5, message: 7 },
      world.engine,
    );
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: retries, delay, message, worker, deliveries',
        fields: [
          { name: 'retries', message: 'must be a whole number from 0 to 1000' },
          { name: 'delay', message: 'must be a whole number from 0 to 2592000' },
          { name: 'message', message: 'must be a string of at most 1000 characters' },
          { name: 'worker', message: 'must not be blank' },
          {
            name: 'deliveries',
            message: '[1] must be an id, a positive whole number',
          },
        ],
      },
    ]);
  });
});

describe('endpoints', () => {
  it('are refused with every bad field', async () => {
    const create = async (body: object) => {
      const answer = await world.call('POST', ENDPOINTS, { label: 'X', ...body });
      return [answer.status, answer.body.fields ?? answer.body];
    };
    expect(await create({ mode: 'push' })).toEqual([
      400,
      [{ name: 'url', message: 'is required for an endpoint of the mode push' }],
    ]);
    expect(await create({ mode: 'pull', url: 'https://hooks.example.com/' })).toEqual([
      400,
      [{ name: 'url', message: 'must be left out for an endpoint of the mode pull' }],
    ]);
    expect(await create({ mode: 'pull', reference: '12' })).toEqual([
      400,
      [
        {
          name: 'reference',
          message: 'must not be a number: paths take an id or a reference',
        },
      ],
    ]);
    expect(await create({ mode: 'push', url: 'http://10.0.0.1/', kinds: ['task.eaten'] })).toEqual([
      400,
      [
        {
          name: 'kinds',
          message:
            'unknown kind task.eaten; known: task.created, task.changed, task.claimed, task.released, task.reassigned, task.decided, task.cancelled, task.reopened, task.deleted',
        },
        {
          name: 'url',
          message:
            'leads to 10.0.0.1, which the server parameter deliveries.destinations does not allow',
        },
      ],
    ]);
    expect(await create({ mode: 'push', url: 'https://u:p@127.0.0.1/' })).toEqual([
      400,
      [{ name: 'url', message: 'must not hold a user name or a password' }],
    ]);
  });

  it('have secrets only for pushes, and replays that say what', async () => {
    const id = await world.pull();
    const secret = await world.call('POST', `${ENDPOINTS}/${id}/secrets`, {});
    expect([secret.status, secret.body.message]).toEqual([
      409,
      'Only an endpoint of the mode push has secrets',
    ]);
    const faultsOf = async (body: object): Promise<unknown> => {
      const replay = await world.call('POST', `${ENDPOINTS}/${id}/replay`, body);
      expect(replay.status).toBe(400);
      return replay.body.fields;
    };
    const which = {
      name: 'deliveries',
      message: 'must be given, or failed: true, from, to or fromDelivery, but not both',
    };
    expect(await faultsOf({})).toEqual([which]);
    const time = '2027-08-02T06:00:00Z';
    expect(await faultsOf({ deliveries: ['1'], from: time, to: time })).toEqual([
      which,
      { name: 'to', message: 'must be later than from' },
    ]);
    const rule =
      'must be a timestamp such as 2026-11-21T14:30:00.000Z or with an offset such as +02:00';
    expect(await faultsOf({ from: 'Monday', to: '2027-02-30', fromDelivery: 'first' })).toEqual([
      { name: 'from', message: rule },
      { name: 'to', message: rule },
      { name: 'fromDelivery', message: 'must be an id, a positive whole number' },
    ]);
    for (const [what, body] of [
      ['secrets', {}],
      ['test', undefined],
      ['replay', { failed: true }],
    ] as const)
      expect((await world.call('POST', `${ENDPOINTS}/999999/${what}`, body)).status).toBe(404);
    expect((await world.call('GET', `${ENDPOINTS}/999999/deliveries`)).status).toBe(404);
  });

  it('name the tasks of their deliveries only to who may read tasks', async () => {
    const endpoint = await world.pull();
    await world.change(await world.task(), { status: 'done' });
    await eventually(async () => expect(await world.deliveries(endpoint)).not.toEqual([]));
    const permissions = ['endpoints:read'];
    const directory = '/api/v2/directory';
    const role = await world.call('POST', `${directory}/roles`, { label: 'Reads', permissions });
    const given = { user: 'chloe.lefevre', role: role.body.uri as string };
    await world.call('POST', `${directory}/role-assignments`, given);
    const path = `${ENDPOINTS}/${endpoint}/deliveries`;
    const shown = async (token: string) =>
      (await world.call('GET', path, undefined, token)).body as { task: unknown }[];
    expect((await shown(world.admin)).map(({ task }) => task)).not.toContain(null);
    const tasks = (await shown(await world.server.signIn('chloe.lefevre'))).map(({ task }) => task);
    expect(new Set(tasks)).toEqual(new Set([null]));
  });

  it('keep an application from being deleted that they name', async () => {
    const made = await world.call('POST', '/api/v2/navigation/applications', {
      title: 'Named',
      type: 'LINK',
    });
    const application = made.body.id as string;
    const id = await world.pull({ applications: [application] });
    const path = `/api/v2/navigation/applications/${application}`;
    const refused = await world.call('DELETE', path);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      '1 endpoint refers to it (as application)',
    ]);
    expect((await world.call('DELETE', `${ENDPOINTS}/${id}`)).status).toBe(204);
    expect((await world.call('DELETE', path)).status).toBe(204);
  });
});
