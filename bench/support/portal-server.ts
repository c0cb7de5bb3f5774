import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { migrations } from '../../migrations/index.js';
import { loadConfig } from '../../src/config/config.js';
import { startEmbeddedServer } from '../../src/database/embedded/embedded-server.js';
import { migrate } from '../../src/database/migrate.js';

const SYSADMIN_PASSWORD = 'Sysadmin-Bench-2026';

/** Longest wait for the server to answer, in milliseconds. */
const START_TIMEOUT = 60_000;

/** Loading may be lost, so it need not wait for the disk; measuring uses the settings as shipped. */
const LOADING = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '8GB',
  maintenance_work_mem: '256MB',
};

/** The shipped server in a process of its own, on an embedded PostgreSQL in a temporary folder. */
export interface PortalServer {
  base: string;
  /** Beside the server, to look at plans. */
  client: pg.Client;
  /** The token of a login; `password` is set by sysadmin first when it is not the known one. */
  signIn(login: string, password?: string): Promise<string>;
  stop(): Promise<void>;
}

/** @param load fills the empty, migrated database; without it the demonstration portal is seeded */
export async function startPortalServer(
  load?: (client: pg.Client) => Promise<void>,
): Promise<PortalServer> {
  const folder = mkdtempSync(join(tmpdir(), 'process-platform-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  let child: ChildProcess | undefined;
  try {
    if (load) await loadInto(folder, load);
    const port = await freePort();
    child = spawn(process.execPath, [join(process.cwd(), 'dist/src/main.js')], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        DEMO_DATA: String(!load),
        SYSADMIN_PASSWORD,
        LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'inherit', 'ignore'],
    });
    const base = `http://127.0.0.1:${port}`;
    await untilReady(base, child);
    const host = join(folder, '.data', 'socket');
    const client = new pg.Client({ host, user: 'platform', database: 'platform', ssl: false });
    await client.connect();
    const stop = async () => {
      await client.end();
      await stopProcess(child!);
      remove();
    };
    return { base, client, signIn: (...who) => signIn(base, ...who), stop };
  } catch (error) {
    if (child) await stopProcess(child);
    remove();
    throw error;
  }
}

async function loadInto(folder: string, load: (client: pg.Client) => Promise<void>): Promise<void> {
  const server = await startEmbeddedServer({ folder: join(folder, '.data'), settings: LOADING });
  const client = new pg.Client(server.connection);
  try {
    const config = loadConfig({}).withDatabase(server.connection);
    await migrate(config, { migrations, demonstration: [] }, () => Promise.resolve());
    await client.connect();
    await load(client);
  } finally {
    await client.end();
    await server.stop();
  }
}

/** Passwords are set over HTTP, as an administrator would. */
async function signIn(base: string, login: string, password?: string): Promise<string> {
  if (password !== undefined) return tokenOf(base, login, password);
  const token = await tokenOf(base, 'sysadmin', SYSADMIN_PASSWORD);
  const headers = { 'X-AUTHENTICATION-KEY': token, 'Content-Type': 'application/json' };
  const users = `${base}/api/v2/directory/users`;
  const [user] = (await (
    await fetch(`${users}?filters=login:eq:${login}`, { headers })
  ).json()) as {
    id: string;
  }[];
  const body = JSON.stringify({ currentPassword: null, password: SYSADMIN_PASSWORD });
  const set = await fetch(`${users}/${user!.id}/password`, { method: 'PUT', headers, body });
  if (!set.ok) throw new Error(`the password of ${login} cannot be set: ${await set.text()}`);
  return tokenOf(base, login, SYSADMIN_PASSWORD);
}

async function tokenOf(base: string, login: string, password: string): Promise<string> {
  const answer = await fetch(`${base}/api/v2/authentication`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ login, password }),
  });
  if (!answer.ok) throw new Error(`${login} cannot sign in: ${await answer.text()}`);
  return ((await answer.json()) as { token: string }).token;
}

async function untilReady(base: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT;
  for (;;) {
    const ready = await fetch(`${base}/health/ready`).catch(() => undefined);
    if (ready?.ok) return;
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error('the server does not start');
    await delay(100);
  }
}

function stopProcess(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null) return Promise.resolve();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return ended;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
