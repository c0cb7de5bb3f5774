import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { demoMigrations } from '../../migrations/demo/index.js';
import { migrations } from '../../migrations/index.js';
import { loadConfig } from '../../src/config/config.js';
import { setFirstSysadminPassword } from '../../src/credentials/sysadmin-password.js';
import {
  type EmbeddedServer,
  startEmbeddedServer,
} from '../../src/database/embedded/embedded-server.js';
import { migrate } from '../../src/database/migrate.js';

export const DEMO_PASSWORD = 'Portal-Demo-2026';
export const SYSADMIN_PASSWORD = 'Sysadmin-Report-2026';

/** A PostgreSQL of its own with the demonstration portal, as it is shipped: fsync on. */
export interface Rig {
  folder: string;
  postgres: EmbeddedServer;
  /** As the superuser, in the server's database. */
  client: pg.Client;
  /** Starts the shipped server in a process of its own. */
  serve(env?: Record<string, string>, node?: string[]): Promise<Instance>;
  /** Everything that PostgreSQL logged. */
  databaseLog(): string;
  stop(): Promise<void>;
}

/** A running server. */
export interface Instance {
  port: number;
  child: ChildProcess;
  /** Everything that it printed. */
  printed(): string;
  stop(): Promise<void>;
}

/** @param settings of PostgreSQL, e.g. `{ log_statement: 'all' }` */
export async function startRig(settings: Record<string, string> = {}): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), 'process-platform-report-'));
  const postgres = await startEmbeddedServer({ folder, settings });
  const config = loadConfig({ DEMO_DATA: 'true', SYSADMIN_PASSWORD }).withDatabase(
    postgres.connection,
  );
  await migrate(config, { migrations, demonstration: demoMigrations }, async () => {
    await setFirstSysadminPassword(config);
  });
  const client = new pg.Client({ ...postgres.superuser, database: postgres.connection.database });
  await client.connect();
  const instances = new Set<Instance>();
  const { host, user, database } = postgres.connection;
  const url = `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;
  return {
    folder,
    postgres,
    client,
    databaseLog: () => readFileSync(join(folder, 'postgres.log'), 'utf8'),
    serve: async (env = {}, node = []) => {
      const instance = await startInstance({ DATABASE_URL: url, ...env }, node);
      instances.add(instance);
      return instance;
    },
    stop: async () => {
      await Promise.all([...instances].map((instance) => instance.stop()));
      await client.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What else may be said of a process that is started. */
export interface Spawning {
  /** File descriptor for its log, which is otherwise kept in `printed`. */
  output?: number;
  /** Told of it at once, before it listens. */
  spawned?: (child: ChildProcess) => void;
}

/** The shipped server as a process of its own; resolves when it listens. */
export async function startInstance(
  env: Record<string, string>,
  node: string[],
  { output, spawned }: Spawning = {},
): Promise<Instance> {
  const child = spawn(process.execPath, [...node, resolve('dist/src/main.js')], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DEMO_DATA: 'false', ...env },
    stdio: ['ignore', output ?? 'pipe', 'pipe'],
  });
  spawned?.(child);
  // Also when measuring itself breaks off.
  const abandon = (): boolean => child.kill('SIGKILL');
  process.once('exit', abandon);
  child.once('exit', () => process.off('exit', abandon));
  const chunks: string[] = [];
  const printed = (): string => {
    chunks.splice(0, chunks.length, chunks.join(''));
    return chunks[0]!;
  };
  const ended = new Promise<void>((done) => child.on('exit', () => done()));
  const port = await new Promise<number>((done, fail) => {
    let isKnown = false;
    const read = (chunk: Buffer): void => {
      chunks.push(chunk.toString());
      if (isKnown) return;
      const [, found] = /listens on http:\/\/[^\s]*:(\d+)/.exec(printed()) ?? [];
      isKnown = found !== undefined;
      if (isKnown) done(Number(found));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('exit', () => fail(new Error(`the server ended: ${printed()}`)));
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  };
  return { port, child, printed, stop };
}

/** What came back. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** From the first byte sent to the last received, in milliseconds. */
  duration: number;
}

export interface Call {
  method?: string;
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Address to call from, e.g. 127.0.0.9. */
  from?: string;
  agent?: Agent;
}

/** One call. */
export function call(port: number, path: string, options: Call = {}): Promise<Answer> {
  const { method, token, body, headers, from, agent } = options;
  const content = body === undefined ? undefined : JSON.stringify(body);
  const all = {
    ...(content === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(content) }),
    ...(token === undefined ? {} : { 'X-AUTHENTICATION-KEY': token }),
    ...headers,
  };
  return new Promise((done, fail) => {
    const started = performance.now();
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method, headers: all, localAddress: from, agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () =>
          done({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
            duration: performance.now() - started,
          }),
        );
      },
    );
    request.on('error', (error: NodeJS.ErrnoException) => {
      // A kept connection may be closed by the server just when it is used again (RFC 9112 section 9.3.1).
      if (request.reusedSocket && error.code === 'ECONNRESET')
        call(port, path, options).then(done, fail);
      else fail(error);
    });
    request.end(content);
  });
}

export const AUTHENTICATION = '/api/v2/authentication';

/** An attempt to sign in. */
export const signIn = (
  port: number,
  login: string,
  password = DEMO_PASSWORD,
  more: Call = {},
): Promise<Answer> =>
  call(port, AUTHENTICATION, { method: 'POST', body: { login, password }, ...more });

/** The token of somebody who can sign in. */
export async function tokenOf(port: number, login: string, password?: string): Promise<string> {
  const { text, status } = await signIn(port, login, password);
  if (status !== 200) throw new Error(`${login} cannot sign in: ${text}`);
  return (JSON.parse(text) as { token: string }).token;
}
