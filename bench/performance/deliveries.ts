import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from 'simple-statistics';
import { type BenchServer, request } from '../support/bench-server.js';
import { atLeast, atMost, type Result, withoutGoal } from './result.js';

const ENDPOINTS = '/api/v2/process/endpoints';

/** Tasks that change at once, and single changes whose way is timed. */
const TASKS = 10_000;
const SINGLE = 300;

/** Deliveries of one fetch. */
const FETCHED = 100;

/** A receiver in this process: on the same processors as the server. */
interface Receiver {
  server: Server;
  port: number;
  /** When each task's message came (performance.now()). */
  arrivals: Map<string, number>;
  /** When the last one came. */
  last: number;
  count: number;
}

/**
 * Measures events of tasks on the demonstration portal (docs/decisions/0038).
 * @param server started with SECRETS_KEY
 */
export async function deliveries(server: BenchServer): Promise<Result[]> {
  await server.client.query(
    `INSERT INTO parameters (key, value) VALUES ('deliveries.destinations', '127.0.0.0/8')
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
  await server.client.query(
    `INSERT INTO tasks (id, title, application_id) SELECT 1000000 + n, 'Delivered', (SELECT min(id) FROM applications)
     FROM generate_series(1, $1::int) n`,
    [TASKS],
  );
  const writes = await writesWith(server);
  const receiver = await startReceiver();
  try {
    const endpoint = await addEndpoint(server, receiver.port);
    const single = await singleChanges(server, receiver);
    const pushed = await manyChanges(server, receiver);
    await request(server, `${ENDPOINTS}/${endpoint}`, { method: 'DELETE', token: server.token });
    const alone = await nineOfTen(server, receiver, false);
    const withDead = await nineOfTen(server, receiver, true);
    const pulled = await pulls(server);
    return [
      ...single,
      pushed,
      atLeast(
        'pushes of nine endpoints beside a dead one',
        withDead / alone,
        0.95,
        'of without it',
      ),
      pulled,
      ...writes,
    ];
  } finally {
    receiver.server.close();
    receiver.server.closeAllConnections();
  }
}

async function startReceiver(): Promise<Receiver> {
  const receiver = { arrivals: new Map<string, number>(), last: 0, count: 0 };
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const now = performance.now();
      const { subject } = JSON.parse(Buffer.concat(chunks).toString()) as { subject: string };
      all.arrivals.set(subject, now);
      all.last = now;
      all.count++;
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const all: Receiver = { ...receiver, server, port: (server.address() as AddressInfo).port };
  return all;
}

async function addEndpoint(server: BenchServer, port: number): Promise<string> {
  const { token } = server;
  const url = `http://127.0.0.1:${port}/`;
  const body = { label: 'Bench', mode: 'push', url, kinds: ['task.changed', 'task.decided'] };
  const made = await request(server, ENDPOINTS, { method: 'POST', token, body });
  const { id } = JSON.parse(made) as { id: string };
  await request(server, `${ENDPOINTS}/${id}/secrets`, { method: 'POST', token, body: {} });
  return id;
}

/** From the commit of a change to its arrival, while nothing else happens. */
async function singleChanges(server: BenchServer, receiver: Receiver): Promise<Result[]> {
  const times: number[] = [];
  for (let at = 1; at <= SINGLE + 20; at++) {
    const subject = `/process/tasks/${1_000_000 + at}`;
    await server.client.query(
      'UPDATE tasks SET priority = priority + 1, revision = revision + 1 WHERE id = $1',
      [1_000_000 + at],
    );
    const committed = performance.now();
    await until(() => receiver.arrivals.has(subject));
    // The first ones make connections and plans.
    if (at > 20) times.push(receiver.arrivals.get(subject)! - committed);
    await delay(Math.random() * 30);
  }
  const name = 'commit to receiver, idle';
  return [
    atMost(`${name}, p50`, quantile(times, 0.5), 20, 'ms'),
    atMost(`${name}, p99`, quantile(times, 0.99), 150, 'ms'),
  ];
}

async function manyChanges(server: BenchServer, receiver: Receiver): Promise<Result> {
  const before = receiver.count;
  await decideAll(server);
  // Nothing can leave before the commit.
  const started = performance.now();
  await until(() => receiver.count >= before + TASKS);
  const seconds = (receiver.last - started) / 1000;
  return atLeast('pushes to one endpoint', TASKS / seconds, 1_000, 'a second');
}

/** Pushes a second to nine endpoints of one receiver, perhaps with a tenth that never answers. */
async function nineOfTen(
  server: BenchServer,
  receiver: Receiver,
  hasDead: boolean,
): Promise<number> {
  const hanging = createServer(() => undefined);
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  const { port } = hanging.address() as AddressInfo;
  const ids = hasDead ? [await addEndpoint(server, port)] : [];
  for (let at = 0; at < 9; at++) ids.push(await addEndpoint(server, receiver.port));
  const before = receiver.count;
  const started = performance.now();
  await server.client.query(
    `UPDATE tasks SET priority = priority + 1, revision = revision + 1 WHERE id BETWEEN 1000001 AND 1001000`,
  );
  await until(() => receiver.count >= before + 9_000);
  const rate = 9_000 / ((receiver.last - started) / 1000);
  for (const id of ids)
    await request(server, `${ENDPOINTS}/${id}`, { method: 'DELETE', token: server.token });
  hanging.close();
  hanging.closeAllConnections();
  return rate;
}

async function pulls(server: BenchServer): Promise<Result> {
  const { token } = server;
  const body = { label: 'Bench', mode: 'pull', kinds: ['task.changed'] };
  const made = await request(server, ENDPOINTS, { method: 'POST', token, body });
  const { id } = JSON.parse(made) as { id: string };
  await server.client.query(
    'UPDATE tasks SET priority = priority + 1, revision = revision + 1 WHERE id > 1000000',
  );
  const isReady = async (): Promise<boolean> => {
    const { rows } = await server.client.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM deliveries WHERE endpoint_id = $1',
      [id],
    );
    return rows[0]!.n >= TASKS;
  };
  while (!(await isReady())) await delay(50);
  const started = performance.now();
  let done = 0;
  const work = async (worker: string): Promise<void> => {
    for (;;) {
      const fetched = JSON.parse(
        await request(server, `${ENDPOINTS}/${id}/fetch`, {
          method: 'POST',
          token,
          body: { worker, limit: FETCHED },
        }),
      ) as { deliveries: { id: string }[] };
      if (fetched.deliveries.length === 0) return;
      const completed = { worker, deliveries: fetched.deliveries.map((one) => one.id) };
      const path = `${ENDPOINTS}/${id}/complete`;
      await request(server, path, { method: 'POST', token, body: completed });
      done += completed.deliveries.length;
    }
  };
  await Promise.all([work('one'), work('two')]);
  const seconds = (performance.now() - started) / 1000;
  await request(server, `${ENDPOINTS}/${id}`, { method: 'DELETE', token });
  return atLeast(`pulls in batches of ${FETCHED}, two workers`, done / seconds, 3_000, 'a second');
}

/** What an endpoint costs a write: one-row updates by SQL, one after another. */
async function writesWith(server: BenchServer): Promise<Result[]> {
  const { token, client } = server;
  const measure = async (): Promise<number> => {
    const started = performance.now();
    for (let at = 1; at <= 2_000; at++)
      await client.query('UPDATE tasks SET priority = priority + 1 WHERE id = $1', [
        1_000_000 + at,
      ]);
    return 2_000 / ((performance.now() - started) / 1000);
  };
  await measure();
  const without = await measure();
  const body = { label: 'Bench', mode: 'pull', kinds: ['task.deleted'] };
  const made = await request(server, ENDPOINTS, { method: 'POST', token, body });
  const rate = await measure();
  const { id } = JSON.parse(made) as { id: string };
  await request(server, `${ENDPOINTS}/${id}`, { method: 'DELETE', token });
  return [withoutGoal('updates of tasks beside an endpoint', rate / without, 'of without one')];
}

const decideAll = ({ client }: BenchServer) =>
  client.query(
    `UPDATE tasks SET status = 'done', revision = revision + 1 WHERE id > 1000000 AND status = 'open'`,
  );

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error('messages are missing');
    await delay(1);
  }
}
