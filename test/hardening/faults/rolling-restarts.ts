import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Harness, QUIET, startHarness, tokenOf } from '../harness.js';
import { measure, rounds, type Section } from '../report-row.js';
import { freePort } from '../../support/free-port.js';
import { haproxyBin, startHaproxy } from '../../support/haproxy.js';
import { until } from '../../support/until.js';

const TASKS = '/api/v2/process/tasks';

/** Few callers that pause: between two calls no connection may be open, which must not end a drain. */
const CALLERS = 3;

/** Time between two restarts, in milliseconds. */
const SETTLED = 500;

/** Pause after each call and each attempt, in milliseconds, and how long a call is tried again. */
const PAUSE = 20;
const TRYING = 10_000;

/** Servers are replaced one after another, each at its own port, while clients call. */
export interface RollingRestarts {
  /** All calls that got no expected answer, and how often. */
  failed: Record<string, number>;
  calls: number;
  /** Created tasks that are not there, or are there twice. */
  lost: number;
  doubled: number;
  /** How long the servers took to end, in milliseconds. */
  ends: number[];
}

/** The settings of HAProxy for two servers, by the file that holds them. */
const SETTINGS = {
  'docs/reverse-proxies.md': (port: number, [one, two]: readonly number[]): string =>
    /```haproxy\n([\s\S]*?)\n```/
      .exec(readFileSync('docs/reverse-proxies.md', 'utf8'))![1]!
      .replace('bind *:80', `bind 127.0.0.1:${port}`)
      .replace('127.0.0.1:3000', `127.0.0.1:${one}\n  server two 127.0.0.1:${two}\n`),
  'deploy/haproxy.cfg': (port: number, [one, two]: readonly number[]): string =>
    readFileSync('deploy/haproxy.cfg', 'utf8')
      .replace('*:${PROXY_PORT}', `127.0.0.1:${port}`)
      .replace('${BASE_PATH}', '')
      .replace('${SERVER_1}', `127.0.0.1:${one}`)
      .replace('${SERVER_2}', `127.0.0.1:${two}`),
};

/** The files with settings of HAProxy. */
export const PROXIES = Object.keys(SETTINGS) as (keyof typeof SETTINGS)[];

/** C11, C22: servers that are replaced while clients call. */
export const rollingRestarts: Section = async ({ scale }, report) => {
  const count = rounds(20, scale);
  const goal = '2 servers, restarted in turn by SIGTERM: 0 calls fail';
  const harness = await startHarness({ env: QUIET });
  try {
    for (const name of PROXIES)
      await measure(
        { id: 'C11', goal: `${goal} that POST behind HAProxy (${name})` },
        report,
        () =>
          haproxyBin() === undefined
            ? Promise.resolve({ figure: 'skipped: no haproxy (set HAPROXY_BIN)', met: true })
            : figureOf(restartBehindHaproxy(harness, name, count)),
      );
    await measure(
      { id: 'C22', goal: `${goal} that are repeated at the other address, none happens twice` },
      report,
      () => figureOf(restartWithRetries(harness, count)),
    );
  } finally {
    await harness.stop();
  }
};

async function figureOf(restarts: Promise<RollingRestarts>) {
  const { calls, failed, lost, doubled, ends } = await restarts;
  const list = Object.entries(failed).map(([how, times]) => `${times}× ${how}`);
  return {
    figure: `${ends.length} restarts, ${calls} calls, failed: ${list.join(', ') || 'none'}; tasks lost: ${lost}, doubled: ${doubled}; ended after ${Math.round(Math.min(...ends))} to ${Math.round(Math.max(...ends))} ms`,
    met: list.length === 0 && lost === 0 && doubled === 0,
  };
}

/** Writers on kept connections, which never repeat a call. */
export async function restartBehindHaproxy(
  harness: Harness,
  settings: keyof typeof SETTINGS,
  count: number,
  env: Record<string, string> = {},
): Promise<RollingRestarts> {
  const servers = await startTwo(harness, env);
  const port = await freePort();
  const proxy = await startHaproxy(haproxyBin()!, SETTINGS[settings](port, servers.ports), port);
  try {
    const token = await tokenOf(servers.ports[0]!, 'process.engine');
    const timesUp = (name: string) => proxy.printed().split(`/${name} is UP`).length;
    const restart = async (index: number): Promise<number> => {
      const name = ['one', 'two'][index]!;
      const before = timesUp(name);
      const took = await servers.restart(index);
      // The next one is replaced once the proxy leads to this one again.
      await until(() => Promise.resolve(timesUp(name) > before));
      return took;
    };
    return await underLoad(harness, restart, count, (journal) => async () => {
      const title = randomUUID();
      const status = await create(port, token, title);
      if (status === 201) journal.push(title);
      return status === 201 ? undefined : `status ${status}`;
    });
  } finally {
    await proxy.stop();
    await servers.stop();
  }
}

/** Clients that know both addresses, and repeat at the other one what is idempotent and had no answer. */
export async function restartWithRetries(
  harness: Harness,
  count: number,
  env: Record<string, string> = {},
): Promise<RollingRestarts> {
  const servers = await startTwo(harness, env);
  try {
    const token = await tokenOf(servers.ports[0]!, 'process.engine');
    let turn = 0;
    const restart = (index: number): Promise<number> => servers.restart(index);
    return await underLoad(harness, restart, count, (journal) => async () => {
      const title = randomUUID();
      const key = turn++;
      const status = await withRetries((attempt) => {
        const port = servers.ports[(key + attempt) % 2]!;
        return key % 4 === 0
          ? request(port, `${TASKS}?range=0-5`, { headers: headersOf(token) })
          : create(port, token, title, { 'Idempotency-Key': title });
      });
      if (status === 201) journal.push(title);
      return status === (key % 4 === 0 ? 200 : 201) ? undefined : `status ${status}`;
    });
  } finally {
    await servers.stop();
  }
}

const headersOf = (token: string) => ({
  'X-AUTHENTICATION-KEY': token,
  'Content-Type': 'application/json',
});

/** @throws TypeError when the connection ends without an answer; its cause says how */
async function request(port: number, path: string, options: RequestInit): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, options);
  await answer.arrayBuffer();
  return answer.status;
}

const create = (
  port: number,
  token: string,
  title: string,
  more: Record<string, string> = {},
): Promise<number> =>
  request(port, TASKS, {
    method: 'POST',
    headers: { ...headersOf(token), ...more },
    body: JSON.stringify({ title, application: 'LEAVE', assignee: 'bruno.keller' }),
  });

async function withRetries(one: (attempt: number) => Promise<number>): Promise<number> {
  const end = performance.now() + TRYING;
  for (let attempt = 0; ; attempt++)
    try {
      return await one(attempt);
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(PAUSE);
    }
}

interface Servers {
  ports: readonly number[];
  /** Ends one by SIGTERM and starts it again. @returns the milliseconds until it had ended */
  restart(index: number): Promise<number>;
  stop(): Promise<void>;
}

async function startTwo(harness: Harness, env: Record<string, string>): Promise<Servers> {
  const ports = [await freePort(), await freePort()];
  const start = (index: number) => harness.serve({ ...env, PORT: String(ports[index]) });
  const running = [await start(0), await start(1)];
  return {
    ports,
    restart: async (index) => {
      const since = performance.now();
      await running[index]!.stop();
      const took = performance.now() - since;
      running[index] = await start(index);
      return took;
    },
    stop: async () => {
      for (const { child } of running) child.kill('SIGKILL');
      await Promise.all(running.map(({ ended }) => ended));
    },
  };
}

/** @param caller makes the function of one call, which returns how it failed, and adds what it created to the journal */
async function underLoad(
  harness: Harness,
  restart: (index: number) => Promise<number>,
  count: number,
  caller: (journal: string[]) => () => Promise<string | undefined>,
): Promise<RollingRestarts> {
  const journal: string[] = [];
  const failed: Record<string, number> = {};
  let calls = 0;
  let isOver = false;
  const one = caller(journal);
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!isOver) {
      calls++;
      const how = await one().catch(reasonOf);
      if (how !== undefined) failed[how] = (failed[how] ?? 0) + 1;
      await delay(PAUSE);
    }
  });
  const ends: number[] = [];
  for (let round = 0; round < count; round++) {
    await delay(SETTLED);
    ends.push(await restart(round % 2));
  }
  await delay(SETTLED);
  isOver = true;
  await Promise.all(callers);
  const stored = await harness.query<{ title: string; times: number }>(
    'SELECT title, count(*)::int AS times FROM tasks WHERE title = ANY ($1) GROUP BY title',
    [journal],
  );
  return {
    failed,
    calls,
    lost: journal.length - stored.length,
    doubled: stored.filter(({ times }) => times > 1).length,
    ends,
  };
}

const reasonOf = (error: unknown): string => {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? String(error);
};
