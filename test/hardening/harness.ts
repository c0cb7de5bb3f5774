import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { globalAgent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  type EmbeddedServer,
  startEmbeddedServer,
} from '../../src/database/embedded/embedded-server.js';
import { prepareDatabase } from '../support/prepare-database.js';
import { type Answer, type Call, DEMO_PASSWORD, send } from '../support/send.js';
import { type ServerProcess, startServerProcess, urlOf } from '../support/server-process.js';

/** How PostgreSQL is stopped: a fast shutdown, an immediate one, or kill -9. */
export type Ending = 'fast' | 'immediate' | 'killed';

const SIGNALS: Record<Ending, NodeJS.Signals> = {
  fast: 'SIGINT',
  immediate: 'SIGQUIT',
  killed: 'SIGKILL',
};

type Query = <T extends pg.QueryResultRow = pg.QueryResultRow>(
  text: string,
  values?: unknown[],
) => Promise<T[]>;

/** A dedicated PostgreSQL that can be stopped and restarted, with the built server on it. */
export interface Harness {
  /** DATABASE_URL. */
  url: string;
  connection: EmbeddedServer['connection'];
  /** Runs SQL as the superuser, on a connection of its own. */
  query: Query;
  /** Opens a superuser's connection to the server's database; it is closed with the harness. */
  connect(): Promise<pg.Client>;
  /** Like `query`, on a connection that the caller closes. */
  hold(text: string): Promise<pg.Client>;
  /** Starts the built server. */
  serve(env?: Record<string, string>, node?: string[]): Promise<ServerProcess>;
  /** The process id of the server that was started last, even while it starts. */
  lastServed(): number | undefined;
  endPostgres(how: Ending): Promise<void>;
  startPostgres(): Promise<void>;
  /** The process id of PostgreSQL, e.g. to suspend it. */
  pid(): number;
  /** The whole log of PostgreSQL. */
  databaseLog(): string;
  stop(): Promise<void>;
}

export interface HarnessOptions {
  /** Leaves the database without a schema; by default it has the demonstration portal. */
  empty?: boolean;
  /** The folder for its data. */
  folder?: string;
  /** Settings of PostgreSQL, e.g. `{ log_statement: 'all' }`; it runs with fsync, as by default. */
  settings?: Record<string, string>;
  /** Environment variables of every server. */
  env?: Record<string, string>;
}

/** Turns off the log lines of single requests. */
export const QUIET = { LOG_LEVEL: 'warn' };

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const { settings = {}, env: common = {} } = options;
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'process-platform-hardening-'));
  let postgres = await startEmbeddedServer({ folder, settings });
  const { connection } = postgres;
  if (!options.empty) await prepareDatabase(connection);
  const url = urlOf(connection);
  const servers = new Set<ChildProcess>();
  const clients = new Set<pg.Client>();
  let last: ChildProcess | undefined;
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ ...postgres.superuser, database: connection.database });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  return {
    url,
    connection,
    pid: () => postgres.pid,
    databaseLog: () => readFileSync(join(folder, 'postgres.log'), 'utf8'),
    query: async (text, values) => {
      const client = await connect();
      try {
        return (await client.query(text, values)).rows as never;
      } finally {
        await client.end();
      }
    },
    hold: async (text) => {
      const client = await connect();
      await client.query(text);
      return client;
    },
    connect: async () => {
      const client = await connect();
      clients.add(client);
      return client;
    },
    serve: (env = {}, node = []) =>
      startServerProcess(
        { DATABASE_URL: url, ...common, ...env },
        {
          node,
          launched: (child) => {
            last = child;
            servers.add(child);
          },
        },
      ),
    lastServed: () => last?.pid,
    endPostgres: async (how) => {
      process.kill(postgres.pid, SIGNALS[how]);
      await postgres.stop();
    },
    startPostgres: async () => {
      postgres = await startEmbeddedServer({ folder, settings });
    },
    stop: async () => {
      for (const child of servers) child.kill('SIGKILL');
      for (const client of clients) await client.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Makes one call; connections are kept alive unless the call has its own agent. */
export const call = (port: number, path: string, options: Call = {}): Promise<Answer> =>
  send(port, path, { agent: globalAgent, ...options });

export const AUTHENTICATION = '/api/v2/authentication';

/** Attempts to sign in. */
export const signIn = (
  port: number,
  login: string,
  password = DEMO_PASSWORD,
  more: Call = {},
): Promise<Answer> =>
  call(port, AUTHENTICATION, { method: 'POST', body: { login, password }, ...more });

/** Signs in and returns the token. */
export async function tokenOf(port: number, login: string, password?: string): Promise<string> {
  const { text, status } = await signIn(port, login, password);
  if (status !== 200) throw new Error(`${login} cannot sign in: ${text}`);
  return (JSON.parse(text) as { token: string }).token;
}
