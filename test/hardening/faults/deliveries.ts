import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from 'simple-statistics';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/until.js';
import { call, type Harness, QUIET, startHarness, tokenOf } from '../harness.js';
import { measure, rounds, type Section } from '../report-row.js';

const SECRETS_KEY = 'a-key-of-the-faults-with-32-characters';

const ENDPOINTS = '/api/v2/process/endpoints';

/** What a receiver reads of a message. */
interface StoredEvent {
  data: { task: { revision: number } };
}

/** Tasks that change again and again, and those of them that one statement changes. */
const TASKS = 1_000;
const CHANGED_AT_ONCE = 100;

/** How long everything may take to arrive after the last kill, in milliseconds. */
const CATCH_UP = 400_000;

/** C18, C19, C21: events of tasks while the programs that handle them die. */
export const deliveries: Section = async ({ scale }, report) => {
  const harness = await startHarness({ env: { ...QUIET, SECRETS_KEY } });
  try {
    await measure(
      {
        id: 'C18',
        goal: '20 times kill -9 of server, PostgreSQL or receiver, 100,000 changes: 0 lost, repeated only under the same id, in the order of each task',
      },
      report,
      () => pushes(harness, rounds(20, scale), rounds(100_000, scale)),
    );
    await measure(
      {
        id: 'C19',
        goal: 'Camunda’s own client on 10,000 decided tasks, killed at random: 0 lost, 0 given up',
      },
      report,
      () => externalTasks(harness, rounds(10_000, scale)),
    );
    await measure(
      {
        id: 'C21',
        goal: 'ten times kill -9 of the process that sends: another one sends within 10 s',
      },
      report,
      () => takeovers(harness, rounds(10, scale)),
    );
  } finally {
    await harness.stop();
  }
};

const startProgram = (name: string, env: Record<string, string>, output: 'pipe' | 'ignore') =>
  spawn(process.execPath, [`test/support/${name}`], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', output, 'inherit'],
  });

/** Starts a receiver and waits until it listens. */
async function startReceiver(env: { FILE: string; PORT: string }): Promise<ChildProcess> {
  const child = startProgram('recording-receiver.mjs', env, 'pipe');
  await new Promise((resolve) => child.stdout!.once('data', resolve));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/** Adds an endpoint that pushes to a port of this host; returns its id. */
async function addEndpoint(harness: Harness, server: number, receiver: string | number) {
  const token = await tokenOf(server, 'alice.martin');
  await harness.query(
    `INSERT INTO parameters (key, value) VALUES ('deliveries.destinations', '127.0.0.0/8') ON CONFLICT (key) DO NOTHING`,
  );
  const post = (path: string, body: object) => call(server, path, { method: 'POST', token, body });
  const url = `http://127.0.0.1:${receiver}/`;
  const made = await post(ENDPOINTS, { label: 'E', mode: 'push', url, content: 'thin' });
  await post(`${ENDPOINTS}/${(made.body as { id: string }).id}/secrets`, {});
}

async function pushes(harness: Harness, kills: number, changes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'process-platform-receiver-'));
  const FILE = join(folder, 'messages');
  const PORT = String(await freePort());
  let receiver = await startReceiver({ FILE, PORT });
  const servers = [await harness.serve(), await harness.serve()];
  try {
    await addEndpoint(harness, servers[0]!.port, PORT);
    await harness.query(
      `INSERT INTO tasks (id, title, application_id) SELECT 800000 + n, 'Task', (SELECT min(id) FROM applications) FROM generate_series(1, ${TASKS}) n`,
    );
    const begun = performance.now();
    let killed = 0;
    let written = TASKS;
    const perKill = Math.ceil(changes / kills);
    for (let round = 0; round < kills; round++) {
      // The kill comes at a random moment of the changes of its round.
      const at = Math.floor((Math.random() * perKill) / CHANGED_AT_ONCE);
      for (let step = 0; step * CHANGED_AT_ONCE < perKill; step++) {
        const first =
          800_001 + ((written / CHANGED_AT_ONCE) % (TASKS / CHANGED_AT_ONCE)) * CHANGED_AT_ONCE;
        await harness
          .query(
            `UPDATE tasks SET revision = revision + 1 WHERE id BETWEEN ${first} AND ${first + CHANGED_AT_ONCE - 1}`,
          )
          .catch(() => undefined);
        written += CHANGED_AT_ONCE;
        if (step !== at) continue;
        if (round % 3 === 0) {
          servers.shift()!.child.kill('SIGKILL');
          servers.push(await harness.serve());
        } else if (round % 3 === 1) {
          await harness.endPostgres('killed');
          await harness.startPostgres();
        } else {
          await kill(receiver);
          receiver = await startReceiver({ FILE, PORT });
        }
        killed++;
      }
    }
    const stored = await harness.query<{ task: string; revision: number }>(
      `SELECT '/process/tasks/' || id AS task, revision FROM tasks WHERE id > 800000`,
    );
    const wanted = stored.reduce((sum, { revision }) => sum + revision, 0);
    const isAll = () => Promise.resolve(judge(FILE, stored).events >= wanted);
    await until(isAll, { within: CATCH_UP, every: 1_000 });
    const seconds = Math.round((performance.now() - begun) / 1000);
    const { events, repeated, otherIds, outOfOrder } = judge(FILE, stored);
    return {
      figure: `${killed} kills in ${seconds} s, ${wanted} changes, ${wanted - events} lost, ${repeated} repeated, ${otherIds} under another id, ${outOfOrder} out of order`,
      met: wanted === events && otherIds === 0 && outOfOrder === 0,
    };
  } finally {
    await kill(receiver);
    for (const server of servers) await server.stop();
    await harness.query('DELETE FROM endpoints');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares what the receiver wrote down with the tasks. */
function judge(file: string, stored: { task: string; revision: number }[]) {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const ids = new Map<string, string>();
  const last = new Map<string, number>();
  let [repeated, otherIds, outOfOrder] = [0, 0, 0];
  for (const line of lines) {
    const [id, task, text] = line.split(' ') as [string, string, string];
    const revision = Number(text);
    const known = ids.get(`${task} ${text}`);
    if (known !== undefined) {
      repeated++;
      if (known !== id) otherIds++;
    } else if (revision !== (last.get(task) ?? 0) + 1) outOfOrder++;
    ids.set(`${task} ${text}`, id);
    last.set(task, Math.max(revision, last.get(task) ?? 0));
  }
  const known = stored.flatMap(({ task, revision }) =>
    Array.from({ length: revision }, (_, at) => `${task} ${at + 1}`),
  );
  return { events: known.filter((key) => ids.has(key)).length, repeated, otherIds, outOfOrder };
}

/** From the death of the process that sends until another one has sent a change that came after it. */
async function takeovers(harness: Harness, kills: number) {
  const task = 850_001;
  const arrived = new Map<number, number>();
  const receiver = createServer((request, response) => {
    json(request).then(
      (event) => {
        arrived.set((event as StoredEvent).data.task.revision, performance.now());
        response.writeHead(204).end();
      },
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const servers = [await harness.serve(), await harness.serve()];
  let revision = 1;
  const change = async (): Promise<number> => {
    await harness.query(`UPDATE tasks SET revision = ${++revision} WHERE id = ${task}`);
    const wanted = revision;
    await until(() => Promise.resolve(arrived.has(wanted)), { within: CATCH_UP });
    return arrived.get(wanted) ?? Infinity;
  };
  try {
    await addEndpoint(harness, servers[0]!.port, (receiver.address() as AddressInfo).port);
    await harness.query(
      `INSERT INTO tasks (id, title, application_id) SELECT ${task}, 'Task', min(id) FROM applications`,
    );
    const times: number[] = [];
    for (let round = 0; round < kills; round++) {
      // Shows that the server that started first sends, since it leads.
      await change();
      await delay(Math.random() * 2_000);
      servers.shift()!.child.kill('SIGKILL');
      const killed = performance.now();
      times.push((await change()) - killed);
      servers.push(await harness.serve());
    }
    const longest = Math.max(...times);
    return {
      figure: `${kills} kills, another process sent after ${seconds(quantile(times, 0.5))} s (median), ${seconds(longest)} s (longest)`,
      met: longest <= 10_000,
    };
  } finally {
    receiver.close();
    receiver.closeAllConnections();
    for (const server of servers) await server.stop();
    await harness.query('DELETE FROM endpoints');
  }
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);

async function externalTasks(harness: Harness, count: number) {
  const server = await harness.serve();
  const workers: ChildProcess[] = [];
  try {
    const admin = await tokenOf(server.port, 'alice.martin');
    const TOKEN = await tokenOf(server.port, 'process.engine');
    const body = { reference: 'decided', label: 'D', mode: 'pull', kinds: ['task.decided'] };
    const made = await call(server.port, ENDPOINTS, { method: 'POST', token: admin, body });
    const { id } = made.body as { id: string };
    await harness.query(
      `INSERT INTO tasks (id, title, application_id) SELECT 900000 + n, 'Task', (SELECT min(id) FROM applications) FROM generate_series(1, ${count}) n`,
    );
    await harness.query(
      `UPDATE tasks SET status = 'done', revision = revision + 1 WHERE id > 900000`,
    );
    const start = (): ChildProcess =>
      startProgram(
        'camunda-worker.mjs',
        { BASE_URL: `http://127.0.0.1:${server.port}/engine-rest`, TOKEN, TOPIC: 'decided' },
        'ignore',
      );
    const states = async () => {
      const rows = await harness.query<{ status: string; n: number }>(
        `SELECT status, count(*)::integer AS n FROM deliveries WHERE endpoint_id = ${id} GROUP BY status`,
      );
      return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
    };
    const begun = performance.now();
    let kills = 0;
    while (performance.now() - begun < CATCH_UP) {
      while (workers.length < 2) workers.push(start());
      await delay(2_000 + Math.random() * 4_000);
      const { delivered = 0, failed = 0 } = await states();
      if (delivered + failed >= count) break;
      await kill(workers.shift()!);
      kills++;
    }
    const seconds = Math.round((performance.now() - begun) / 1000);
    const { delivered = 0, failed = 0 } = await states();
    return {
      figure: `${count} tasks in ${seconds} s, ${kills} kills, ${delivered} completed, ${count - delivered - failed} lost, ${failed} given up`,
      met: delivered === count && failed === 0,
    };
  } finally {
    for (const worker of workers) await kill(worker);
    await server.stop();
  }
}
