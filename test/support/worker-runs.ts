import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { processesIn } from '../../src/database/embedded/processes.js';
import { eventually } from './eventually.js';
import { type LaunchedServer, launchServer, urlOf } from './server-process.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { type Answer, type Call, DEMO_PASSWORD, send } from './test-server.js';

const AUTHENTICATION = '/api/v2/authentication';

/** Longest wait for an answer, and for processes to start or to end, in milliseconds: all start on the same processors. */
export const PATIENCE = 60_000;

/** A line of the log. */
export interface Line {
  worker?: number;
  msg: string;
  req?: { id: string };
}

/** A server of two worker processes. */
export interface Run extends LaunchedServer {
  port: number;
  lines(): Line[];
}

/** Starts servers of several processes, which are killed after their test. */
export interface Runs {
  /** Of the test's own database. */
  env(): Record<string, string>;
  start(env?: Record<string, string>): Promise<Run>;
  /** Starts a server that no test ends. */
  keep(env: Record<string, string>): Promise<Run>;
  /** The processes of the embedded database. */
  embedded(): number[];
  postmaster(): number;
}

/** The servers of the tests of a file, in a folder of their own. */
export function useRuns(): Runs {
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

  const start = async (more: Record<string, string> = env): Promise<Run> => {
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
  };

  return {
    env: () => env,
    start,
    keep: async (more) => {
      const run = await start(more);
      servers.pop();
      return run;
    },
    embedded,
    postmaster: () => {
      const lines = readFileSync(join(folder, '.data/postgres/postmaster.pid'), 'utf8');
      return Number(lines.split('\n', 1)[0]);
    },
  };
}

/** The Node child processes of a process. */
export const workersOf = ({ child }: Run): number[] =>
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

/** Whether a process has ended. */
export const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

/** Makes a call on a new connection, with a time-out. */
export const call = ({ port }: Run, options: Call, path = AUTHENTICATION): Promise<Answer> =>
  Promise.race([
    send(port, path, options),
    delay(PATIENCE, undefined, { ref: false }).then(() => {
      throw new Error('no answer');
    }),
  ]);

/** A token of a person, by a call on a new connection. */
export async function signIn(run: Run): Promise<string> {
  const body = { login: 'bruno.keller', password: DEMO_PASSWORD };
  const answer = await call(run, { method: 'POST', body });
  expect(answer.status).toBe(200);
  return (answer.body as { token: string }).token;
}
