import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Harness, QUIET, startHarness, tokenOf } from '../harness.js';
import { measure, rounds, type Section } from '../report-row.js';
import { freePort } from '../../support/free-port.js';
import { haproxyBin, startHaproxy } from '../../support/haproxy.js';
import { KNOW_LATER } from '../../support/know-later.js';
import { launchServer } from '../../support/server-process.js';
import { until } from '../../support/until.js';

const TASKS = '/api/v2/process/tasks';

/** Few callers that pause: between two calls no connection may be open, which must not end a drain. */
const CALLERS = 3;

/** The callers of an upgrade, and the calls that all of them make in a second. */
const MANY_CALLERS = 20;
const RATE = 200;

/** Time between two restarts, in milliseconds. */
const SETTLED = 500;

/** Shortest pause after each call and each attempt, in milliseconds, and how long a call is tried again. */
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

/** C11, C16, C22: servers that are replaced while clients call. */
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
    const calls = rounds(100_000, scale);
    await measure(
      {
        id: 'C16',
        goal: `the schema is migrated under ${calls} calls, ${RATE} a second, and then 2 servers are replaced by the later version: 0 calls fail`,
      },
      report,
      () =>
        haproxyBin() === undefined
          ? Promise.resolve({ figure: 'skipped: no haproxy (set HAPROXY_BIN)', met: true })
          : figureOf(upgradeBehindHaproxy(harness, calls)),
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
export const restartBehindHaproxy = (
  harness: Harness,
  settings: keyof typeof SETTINGS,
  count: number,
): Promise<RollingRestarts> =>
  behindHaproxy(harness, settings, ({ restart, port, token }) =>
    underLoad(harness, {
      steps: () => inTurn(restart, count),
      caller: (journal) => () => createNew(port, token, journal),
    }),
  );

/** What clients read during an upgrade. */
const READS = [
  `${TASKS}?range=0-20`,
  '/navigation/workplace',
  '/api/v2/directory/users?range=0-20&sorter=lastName',
];

/**
 * Migrates to a later schema, and replaces each server by one that knows it, while clients read, and create a task with
 * every fourth call.
 * @param calls made at a fixed rate, a fifth of them before each step and two fifths after the last one
 */
export const upgradeBehindHaproxy = (harness: Harness, calls: number): Promise<RollingRestarts> =>
  behindHaproxy(harness, 'deploy/haproxy.cfg', ({ restart, port, token }) => {
    const pause = (calls / RATE / 5) * 1_000;
    let turn = 0;
    return underLoad(harness, {
      callers: MANY_CALLERS,
      interval: (MANY_CALLERS / RATE) * 1_000,
      steps: async () => {
        await delay(pause);
        await migrateToLater(harness);
        const ends: number[] = [];
        for (const index of [0, 1]) {
          await delay(pause);
          ends.push(await restart(index, KNOW_LATER));
        }
        await delay(2 * pause);
        return ends;
      },
      caller: (journal) => async () => {
        const call = turn++;
        if (call % 4 === 0) return createNew(port, token, journal);
        const path = READS[call % READS.length]!;
        const status = await request(port, path, { headers: headersOf(token) });
        return status === 200 ? undefined : `status ${status} of ${path}`;
      },
    });
  });

/** @throws Error with what the command printed when it fails */
async function migrateToLater({ url }: Harness): Promise<void> {
  const command = launchServer(
    { DATABASE_URL: url, ...QUIET },
    { node: KNOW_LATER, program: ['src/cli.js', 'migrate', 'run'] },
  );
  if ((await command.ended) !== 0) throw new Error(command.printed());
}

/** Runs work on two servers behind HAProxy, with the token of a client. */
async function behindHaproxy(
  harness: Harness,
  settings: keyof typeof SETTINGS,
  work: (running: { restart: Restart; port: number; token: string }) => Promise<RollingRestarts>,
): Promise<RollingRestarts> {
  const servers = await startTwo(harness);
  const port = await freePort();
  const proxy = await startHaproxy(haproxyBin()!, SETTINGS[settings](port, servers.ports), port);
  try {
    const token = await tokenOf(servers.ports[0]!, 'process.engine');
    const timesUp = (name: string) => proxy.printed().split(`/${name} is UP`).length;
    const restart: Restart = async (index, node) => {
      const name = ['one', 'two'][index]!;
      const before = timesUp(name);
      const took = await servers.restart(index, node);
      // The next one is replaced once the proxy leads to this one again.
      await until(() => Promise.resolve(timesUp(name) > before));
      return took;
    };
    return await work({ restart, port, token });
  } finally {
    await proxy.stop();
    await servers.stop();
  }
}

/** Clients that know both addresses, and repeat at the other one what is idempotent and had no answer. */
export async function restartWithRetries(
  harness: Harness,
  count: number,
): Promise<RollingRestarts> {
  const servers = await startTwo(harness);
  try {
    const token = await tokenOf(servers.ports[0]!, 'process.engine');
    let turn = 0;
    return await underLoad(harness, {
      steps: () => inTurn(servers.restart, count),
      caller: (journal) => async () => {
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
      },
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

async function createNew(
  port: number,
  token: string,
  journal: string[],
): Promise<string | undefined> {
  const title = randomUUID();
  const status = await create(port, token, title);
  if (status === 201) journal.push(title);
  return status === 201 ? undefined : `status ${status}`;
}

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

/**
 * Ends a server by SIGTERM and starts it again.
 * @param node options of Node for the new one
 * @returns the milliseconds until it had ended
 */
type Restart = (index: number, node?: string[]) => Promise<number>;

/** Restarts one server and the other alternately. */
async function inTurn(restart: Restart, count: number): Promise<number[]> {
  const ends: number[] = [];
  for (let round = 0; round < count; round++) {
    await delay(SETTLED);
    ends.push(await restart(round % 2));
  }
  return ends;
}

interface Servers {
  ports: readonly number[];
  restart: Restart;
  stop(): Promise<void>;
}

async function startTwo(harness: Harness): Promise<Servers> {
  const ports = [await freePort(), await freePort()];
  const start = (index: number, node?: string[]) =>
    harness.serve({ PORT: String(ports[index]) }, node);
  const running = [await start(0), await start(1)];
  return {
    ports,
    restart: async (index, node) => {
      const since = performance.now();
      await running[index]!.stop();
      const took = performance.now() - since;
      running[index] = await start(index, node);
      return took;
    },
    stop: async () => {
      for (const { child } of running) child.kill('SIGKILL');
      await Promise.all(running.map(({ ended }) => ended));
    },
  };
}

interface Load {
  /** What happens under the load. @returns the milliseconds that each server took to end */
  steps: () => Promise<number[]>;
  /** Makes the function of one call, which returns how it failed, and adds what it created to the journal. */
  caller: (journal: string[]) => () => Promise<string | undefined>;
  callers?: number;
  /** Shortest time between the beginnings of two calls of a caller, in milliseconds. */
  interval?: number;
}

async function underLoad(
  harness: Harness,
  { steps, caller, callers = CALLERS, interval = 0 }: Load,
): Promise<RollingRestarts> {
  const journal: string[] = [];
  const failed: Record<string, number> = {};
  let calls = 0;
  let isOver = false;
  const one = caller(journal);
  const loops = Array.from({ length: callers }, async () => {
    while (!isOver) {
      calls++;
      const started = performance.now();
      const how = await one().catch(reasonOf);
      if (how !== undefined) failed[how] = (failed[how] ?? 0) + 1;
      await delay(Math.max(PAUSE, interval - (performance.now() - started)));
    }
  });
  const ends = await steps();
  await delay(SETTLED);
  isOver = true;
  await Promise.all(loops);
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
