import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { processesIn } from '../src/database/embedded/processes.js';
import { eventually } from './support/eventually.js';
import { freePort } from './support/free-port.js';
import { type LaunchedServer, launchServer, urlOf } from './support/server-process.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { type Answer, type Call, DEMO_PASSWORD, send } from './support/test-server.js';

/** WEB_CONCURRENCY=2 in a separate process with its worker processes. */

const AUTHENTICATION = '/api/v2/authentication';
/** Longest wait for an answer, and for processes to start or to end, in milliseconds: all start on the same processors. */
const PATIENCE = 60_000;

interface Line {
  worker?: number;
  msg: string;
  req?: { id: string };
}

interface Run extends LaunchedServer {
  port: number;
  lines(): Line[];
}

let folder: string;
const servers: LaunchedServer[] = [];
let database: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'process-platform-workers-'));
  chmodSync(folder, 0o700);
  database = await createTestDatabase();
  env = { DATABASE_URL: urlOf(database.connection), HOST: '127.0.0.1' };
});
afterEach(async () => {
  for (const { child } of servers.splice(0)) child.kill('SIGKILL');
  await eventually(() => expect(embedded()).toEqual([]), PATIENCE);
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const embedded = (): number[] => processesIn(join(folder, '.data', 'postgres'));

async function start(more: Record<string, string> = env): Promise<Run> {
  const server = launchServer({ WEB_CONCURRENCY: '2', ...more }, { cwd: folder, detached: true });
  servers.push(server);
  const port = await server.listening.catch(() => NaN);
  return {
    ...server,
    port,
    lines: () =>
      server
        .log()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Line),
  };
}

/** The Node child processes of a process. */
const workersOf = ({ child }: Run): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        // Not the name in stat: since Node 24 it is that of the thread.
        const [program] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0', 1);
        return Number(parent) === child.pid && state !== 'Z' && program === process.execPath;
      } catch {
        return false;
      }
    });

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

/** Makes a call on a new connection, with a time-out. */
const call = ({ port }: Run, options: Call, path = AUTHENTICATION): Promise<Answer> =>
  Promise.race([
    send(port, path, options),
    delay(PATIENCE, undefined, { ref: false }).then(() => {
      throw new Error('no answer');
    }),
  ]);

async function signIn(run: Run): Promise<string> {
  const body = { login: 'bruno.keller', password: DEMO_PASSWORD };
  const answer = await call(run, { method: 'POST', body });
  expect(answer.status).toBe(200);
  return (answer.body as { token: string }).token;
}

/** Calls until this many workers have answered. @returns their answers by worker */
async function byWorker(run: Run, options: Call, count: number): Promise<Map<number, number[]>> {
  const statuses = new Map<number, number[]>();
  await eventually(async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => call(run, options)));
    for (const { status, headers } of answers) {
      const lineOf = () => run.lines().find(({ req }) => req?.id === headers['x-request-id']);
      await eventually(() => expect(lineOf()).toBeDefined());
      const worker = lineOf()!.worker!;
      statuses.set(worker, [...(statuses.get(worker) ?? []), status]);
    }
    expect(statuses.size).toBeGreaterThanOrEqual(count);
  }, PATIENCE);
  return statuses;
}

const numbers = (lists: Map<number, number[]>): number[] => [...lists.keys()].sort();
const all = (lists: Map<number, number[]>): Set<number> => new Set([...lists.values()].flat());

describe('WEB_CONCURRENCY', () => {
  let run: Run;
  let token: string;
  let metrics: number;
  beforeAll(async () => {
    metrics = await freePort();
    run = await start({ ...env, METRICS_PORT: String(metrics) });
    // No test ends this server.
    servers.pop();
    token = await signIn(run);
  }, 120_000);
  afterAll(() => void run.child.kill('SIGKILL'));

  it('starts several processes, which accept the same tokens', async () => {
    expect(workersOf(run)).toHaveLength(2);
    const statuses = await byWorker(run, { token }, 2);
    expect(numbers(statuses)).toEqual([1, 2]);
    expect(all(statuses)).toEqual(new Set([200]));
  }, 240_000);

  it('rejects in every process what one process revoked', async () => {
    const other = await signIn(run);
    await byWorker(run, { token: other }, 2);
    expect((await call(run, { token: other, method: 'DELETE' })).status).toBe(204);
    await eventually(async () =>
      expect(all(await byWorker(run, { token: other }, 2))).toEqual(new Set([401])),
    );
  }, 240_000);

  it('offers the metrics of all processes', async () => {
    const read = async (): Promise<number> => {
      const { text } = await send(metrics, '/metrics');
      const line = `platform_requests_total{method="GET",route="/api/v2",status="200"}`;
      return Number(
        text
          .split('\n')
          .find((one) => one.startsWith(line))
          ?.split(' ')[1] ?? 0,
      );
    };
    const before = await read();
    for (let time = 0; time < 20; time++) await call(run, { token }, '/api/v2');
    expect(await read()).toBe(before + 20);
  }, 240_000);

  it('answers while a process is killed, and replaces it', async () => {
    const [victim] = workersOf(run);
    const statuses: number[] = [];
    let cut = 0;
    let isOver = false;
    const load = Array.from({ length: 8 }, async () => {
      while (!isOver)
        await call(run, { token }).then(
          ({ status }) => statuses.push(status),
          (error: NodeJS.ErrnoException) => {
            // Only requests in progress may fail: none that waited, and none may hang.
            expect(String(error.code)).toMatch(/ECONNRESET|EPIPE/);
            cut++;
          },
        );
    });
    const answers = (count: number) =>
      eventually(() => expect(statuses.length).toBeGreaterThan(count), PATIENCE);
    await answers(100);
    process.kill(victim!, 'SIGKILL');
    await eventually(() => expect(isGone(victim!)).toBe(true));
    await answers(statuses.length + 300);
    isOver = true;
    await Promise.all(load);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(cut).toBeLessThanOrEqual(8);
    await eventually(() => expect(workersOf(run)).toHaveLength(2), PATIENCE);
    const statusesAfter = await byWorker(run, { token }, 2);
    expect(numbers(statusesAfter)).toContain(3);
    expect(all(statusesAfter)).toEqual(new Set([200]));
    expect(run.lines().map(({ msg }) => msg)).toContainEqual(
      expect.stringMatching(/^worker [12] ended \(SIGKILL\): a new one starts in \d+ ms$/),
    );
  }, 240_000);

  it('ends after SIGTERM with everything answered and nothing left behind', async () => {
    const workers = workersOf(run);
    // On kept connections: a server without connections does not wait.
    const ask = async (): Promise<number> => {
      const headers = { 'X-AUTHENTICATION-KEY': token };
      const answer = await fetch(`http://127.0.0.1:${run.port}${AUTHENTICATION}`, { headers });
      await answer.arrayBuffer();
      return answer.status;
    };
    const askSix = () => Promise.all(Array.from({ length: 6 }, ask));
    await askSix();
    run.child.kill('SIGTERM');
    expect(new Set(await askSix())).toEqual(new Set([200]));
    expect(await run.ended).toBe(0);
    for (const pid of workers) expect(isGone(pid)).toBe(true);
    expect(run.messages()).not.toMatch(/error|problem/i);
  }, 240_000);
});

describe('WEB_CONCURRENCY on the embedded database', () => {
  it('prepares it once, and ends with it after Ctrl-C, which reaches all processes', async () => {
    const run = await start({});
    const workers = workersOf(run);
    expect(workers).toHaveLength(2);
    expect(run.messages().match(/sysadmin, password/g)).toHaveLength(1);
    expect(run.messages().match(/listens on/g)).toHaveLength(1);
    await signIn(run);
    process.kill(-run.child.pid!, 'SIGINT');
    expect(await run.ended).toBe(0);
    expect(embedded()).toEqual([]);
    for (const pid of workers) expect(isGone(pid)).toBe(true);
  }, 240_000);

  it('ends with a failure when no process can start any more', async () => {
    const run = await start({});
    const [postmaster] = readFileSync(join(folder, '.data/postgres/postmaster.pid'), 'utf8').split(
      '\n',
    );
    process.kill(Number(postmaster), 'SIGKILL');
    for (const pid of workersOf(run)) process.kill(pid, 'SIGKILL');
    expect(await run.ended).toBe(1);
    expect(workersOf(run)).toEqual([]);
    const waits = run.lines().map(({ msg }) => Number(/starts in (\d+) ms/.exec(msg)?.[1] ?? 0));
    expect(Math.max(...waits)).toBeGreaterThanOrEqual(800);
  }, 240_000);
});

describe('the first process of several', () => {
  it('leaves nothing behind when it is killed', async () => {
    const run = await start();
    const workers = workersOf(run);
    expect(workers).toHaveLength(2);
    run.child.kill('SIGKILL');
    await eventually(() => expect(workers.every(isGone)).toBe(true), PATIENCE);
  }, 240_000);

  it('says once why no process can start', async () => {
    const first = await start();
    const second = await start({ ...env, PORT: String(first.port) });
    expect(await second.ended).toBe(1);
    expect(second.messages()).toBe(
      `The port ${first.port} on 127.0.0.1 is taken: stop what uses it, or set PORT.\n`,
    );
  }, 240_000);
});
