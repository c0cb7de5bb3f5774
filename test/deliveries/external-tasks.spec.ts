import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type EndpointWorld, startEndpointWorld } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import type { Answer } from '../support/test-server.js';

/** Deliveries in the form of Camunda 7's external tasks (docs/api-contract.md#external-tasks). */

const PATH = '/engine-rest/external-task';

let world: EndpointWorld;
const workers: ChildProcess[] = [];
beforeAll(async () => {
  world = await startEndpointWorld();
});
afterAll(() => world.server.close());
afterEach(async () => {
  for (const worker of workers.splice(0)) worker.kill('SIGKILL');
  await world.clear();
});

const call = (path: string, body?: unknown, token = world.engine): Promise<Answer> =>
  world.call('POST', `${PATH}/${path}`, body, token);
const lock = (more: object = {}): Promise<Answer> =>
  call('fetchAndLock', {
    workerId: 'w1',
    maxTasks: 10,
    usePriority: true,
    topics: [{ topicName: 'orders', lockDuration: 30_000, deserializeValues: false }],
    ...more,
  });
const waiting = (endpoint: string, count: number): Promise<void> =>
  eventually(async () => {
    expect(await world.deliveries(endpoint, 'status:eq:waiting')).toHaveLength(count);
  });
/** Creates an endpoint with one delivery, which the worker w1 holds. */
async function leased(): Promise<{ endpoint: string; task: string; id: string }> {
  const endpoint = await world.pull({ reference: 'orders' });
  const task = await world.task();
  await waiting(endpoint, 1);
  const { body } = await lock();
  return { endpoint, task, id: body[0].id as string };
}

/** Starts the unmodified client of Camunda in a process of its own, which prints a line for each task. */
function startWorker(topic: string, printed: (line: string) => void): ChildProcess {
  const worker = spawn(process.execPath, ['test/support/camunda-worker.mjs'], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      BASE_URL: `http://127.0.0.1:${world.server.port}/engine-rest`,
      TOKEN: world.engine,
      TOPIC: topic,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  workers.push(worker);
  let rest = '';
  worker.stdout.on('data', (data: Buffer) => {
    const lines = (rest + String(data)).split('\n');
    rest = lines.pop()!;
    lines.forEach(printed);
  });
  return worker;
}

describe('an external task', () => {
  it('is a delivery, in a type that Camunda’s clients read', async () => {
    const endpoint = await world.pull({ reference: 'orders', content: 'thin' });
    const task = await world.task();
    await waiting(endpoint, 1);
    const answer = await lock();
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    const [one] = answer.body;
    const event = JSON.parse(one.variables.event.value as string) as Record<string, unknown>;
    const text = (value: unknown) => ({ type: 'String', value, valueInfo: {} });
    expect(answer.body).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        topicName: 'orders',
        workerId: 'w1',
        lockExpirationTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/),
        retries: 10,
        priority: 0,
        businessKey: `TASK-${task}`,
        processInstanceId: task,
        errorMessage: null,
        errorDetails: null,
        variables: {
          eventId: text(event.id),
          eventType: text('task.created'),
          taskId: text(task),
          taskReference: text(`TASK-${task}`),
          taskRevision: { type: 'Integer', value: 1, valueInfo: {} },
          externalId: text(null),
          event: { type: 'Json', value: one.variables.event.value, valueInfo: {} },
        },
      },
    ]);
    expect(event).toMatchObject({ type: 'task.created', subject: `/process/tasks/${task}` });
    expect((await lock()).text).toBe('[]');
  });

  it('shows how the task was decided where the endpoint has the whole task', async () => {
    const endpoint = await world.pull({ reference: 'decisions', content: 'full' });
    const task = await world.task();
    await world.server.database.query(
      `UPDATE tasks SET status = 'done', outcome = 'approve', comment = 'Fine' WHERE id = $1`,
      [task],
    );
    await waiting(endpoint, 2);
    const topics = [{ topicName: 'decisions', lockDuration: 60_000 }];
    const { body } = await lock({ topics });
    await call(`${body[0].id}/complete`, { workerId: 'w1' });
    const decided = (await lock({ topics })).body[0].variables as Record<string, object>;
    expect([decided.taskStatus, decided.outcome, decided.comment]).toMatchObject([
      { value: 'done' },
      { value: 'approve' },
      { value: 'Fine' },
    ]);
  });

  it('is given to its worker although another topic cannot be fetched', async () => {
    const orders = await world.pull({ reference: 'orders' });
    const returns = await world.pull({ reference: 'returns' });
    const task = await world.task();
    for (const endpoint of [orders, returns]) await waiting(endpoint, 1);
    const topics = ['orders', 'returns'].map((topicName) => ({ topicName, lockDuration: 1_000 }));
    const { database } = world.server;
    // A lease that has lapsed, which something else holds.
    await database.query(
      `UPDATE deliveries SET status = 'leased', worker = 'gone', next_attempt = now() - interval '1 minute' WHERE endpoint_id = $1`,
      [returns],
    );
    await database.query('BEGIN');
    await database.query('SELECT FROM deliveries WHERE endpoint_id = $1 FOR UPDATE', [returns]);
    const answer = await lock({ topics });
    await database.query('ROLLBACK');
    expect([answer.status, answer.body]).toEqual([
      200,
      [expect.objectContaining({ topicName: 'orders', processInstanceId: task })],
    ]);
  });

  it('is completed by the worker that holds it, and by no other', async () => {
    const { id, endpoint } = await leased();
    const other = await call(`${id}/complete`, { workerId: 'w2' });
    expect([other.status, other.body]).toEqual([
      409,
      { code: 409, message: `The external task ${id} is leased by another worker` },
    ]);
    const done = await call(`${id}/complete`, { workerId: 'w1', variables: { a: { value: 1 } } });
    expect([done.status, done.text]).toEqual([204, '']);
    expect(await world.deliveries(endpoint)).toMatchObject([{ status: 'delivered' }]);
    expect((await call(`${id}/complete`, { workerId: 'w1' })).status).toBe(404);
  });

  it('fails with the retries and the delay that the worker names', async () => {
    const { id, endpoint } = await leased();
    const failure = { workerId: 'w1', errorMessage: 'down', retries: 2, retryTimeout: 60_000 };
    expect((await call(`${id}/failure`, failure)).status).toBe(204);
    const [delivery] = await world.deliveries(endpoint);
    expect(delivery).toMatchObject({ status: 'waiting', retries: 2, log: [{ message: 'down' }] });
    expect(Date.parse(delivery.nextAttemptDate as string) - Date.now()).toBeGreaterThan(40_000);
    await world.hurry();
    expect((await lock()).body).toMatchObject([{ id, retries: 2 }]);
    const error = { workerId: 'w1', errorCode: 'no-order', errorMessage: 'unknown' };
    expect((await call(`${id}/bpmnError`, error)).status).toBe(204);
    expect(await world.deliveries(endpoint)).toMatchObject([
      { status: 'failed', log: [{}, { message: 'BPMN error: no-order: unknown' }] },
    ]);
  });

  it('is locked for longer, and given back', async () => {
    const { id, endpoint } = await leased();
    const until = async () => {
      const [delivery] = await world.deliveries(endpoint);
      return Date.parse(delivery.nextAttemptDate as string) - Date.now();
    };
    const extended = await call(`${id}/extendLock`, { workerId: 'w1', newDuration: 3_600_000 });
    expect([extended.status, (await until()) > 3_000_000]).toEqual([204, true]);
    const locked = await call(`${id}/lock`, { workerId: 'w1', lockDuration: 60_000 });
    expect([locked.status, (await until()) < 61_000]).toEqual([204, true]);
    expect((await call(`${id}/unlock`)).status).toBe(204);
    expect((await lock({ workerId: 'w2' })).body).toMatchObject([{ id, workerId: 'w2' }]);
  });

  it('is refused with every bad field', async () => {
    const answer = await lock({
      workerId: '',
      maxTasks: 0,
      asyncResponseTimeout: -1,
      topics: [{ topicName: 7 }],
    });
    expect([answer.status, answer.body.fields]).toEqual([
      400,
      [
        { name: 'workerId', message: 'must be a string of 1 to 200 characters' },
        { name: 'maxTasks', message: 'must be a whole number from 1 to 1000' },
        { name: 'asyncResponseTimeout', message: 'must be a whole number at least 0' },
        { name: 'topicName', message: 'must be a string of 1 to 200 characters' },
        { name: 'lockDuration', message: 'must be a whole number from 1 to 3600000' },
      ],
    ]);
    const none = await lock({ topics: [] });
    expect(none.body.fields).toEqual([
      { name: 'topics', message: 'must be an array of 1 to 50 topics' },
    ]);
    const failed = await call('1/failure', { retries: -1, retryTimeout: 'soon' });
    expect([failed.status, failed.body.fields]).toEqual([
      400,
      [
        { name: 'retries', message: 'must be a whole number from 0 to 1000' },
        { name: 'retryTimeout', message: 'must be a whole number from 0 to 2592000000' },
        { name: 'workerId', message: 'must be a string of 1 to 200 characters' },
      ],
    ]);
    expect((await lock({ topics: [{ topicName: 'none', lockDuration: 1 }] })).status).toBe(404);
    expect((await call('fetchAndLock', { workerId: 'w', topics: [] }, world.bruno)).status).toBe(
      403,
    );
  });
});

describe('the client of Camunda 7, unmodified', () => {
  it('processes decided tasks in the order of each task while it is killed at random', async () => {
    const tasks = 300;
    const endpoint = await world.pull({
      reference: 'orders',
      kinds: ['task.created', 'task.decided'],
    });
    await world.server.database.query(
      `INSERT INTO tasks (id, title, application_id) SELECT 90000 + n, 'Order ' || n, ${world.application} FROM generate_series(1, ${tasks}) n`,
    );
    await world.server.database.query(
      `UPDATE tasks SET status = 'done', revision = revision + 1 WHERE id > 90000`,
    );
    const seen = new Map<string, string[]>();
    const start = () =>
      startWorker('orders', (line) => {
        const [task = '', kind = ''] = line.split(' ');
        seen.set(task, [...(seen.get(task) ?? []), kind]);
      });
    let worker = start();
    const total = () => [...seen.values()].flat().length;
    for (const share of [0.2, 0.4, 0.6]) {
      await eventually(() => expect(total()).toBeGreaterThan(tasks * 2 * share), 60_000);
      worker.kill('SIGKILL');
      await world.server.database.query(
        `UPDATE deliveries SET next_attempt = now() WHERE status = 'leased'`,
      );
      worker = start();
    }
    await eventually(async () => {
      const [row] = await world.server.database.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM deliveries WHERE endpoint_id = ${endpoint} AND status = 'delivered'`,
      );
      expect(row!.n).toBe(tasks * 2);
    }, 90_000);
    expect(seen.size).toBe(tasks);
    for (const kinds of seen.values()) {
      const firstDecision = kinds.indexOf('task.decided');
      expect(firstDecision).toBeGreaterThan(0);
      expect(kinds.slice(0, firstDecision).every((kind) => kind === 'task.created')).toBe(true);
      expect(kinds.slice(firstDecision).every((kind) => kind === 'task.decided')).toBe(true);
    }
  }, 240_000);
});
