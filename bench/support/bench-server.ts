import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type ServerProcess, startServerProcess } from '../../test/support/server-process.js';
import { SESSION } from '../performance/statements.js';
import { SYSADMIN_PASSWORD } from './bench-database.js';

export interface Login {
  login: string;
  password: string;
}

export const SYSADMIN: Login = { login: 'sysadmin', password: SYSADMIN_PASSWORD };

/** The built server with all its guards and its log, on the embedded database of a folder. */
export interface BenchServer extends ServerProcess {
  folder: string;
  /** A separate session with the settings of the server's own. */
  client: pg.Client;
  /** The token of the login that started it. */
  token: string;
}

/**
 * Starts the built server in a folder and signs in.
 * @param folder made by createBenchFolder, or empty for the demonstration portal
 * @param build the checkout whose server is started; by default this one
 */
export async function startBenchServer(
  folder: string,
  {
    login,
    env = {},
    build,
  }: { login: Login; env?: Record<string, string>; build?: string | undefined },
): Promise<BenchServer> {
  const server = await startServerProcess(
    { SYSADMIN_PASSWORD, ...env },
    { cwd: folder, build, discard: true },
  );
  const client = new pg.Client({
    host: join(folder, '.data', 'socket'),
    user: 'platform',
    database: 'platform',
    options: SESSION,
  });
  await client.connect();
  const token = await tokenOf(server.port, login);
  return {
    ...server,
    folder,
    client,
    token,
    stop: async () => {
      await client.end();
      await server.stop();
    },
  };
}

/** DATABASE_URL of the embedded database of a folder, for a second server on it. */
export const databaseUrl = (folder: string): string =>
  `postgresql://platform@localhost/platform?host=${encodeURIComponent(join(folder, '.data', 'socket'))}`;

/** @throws Error with the answer when its status is not a success */
export async function request(
  { port }: { port: number },
  path: string,
  { method = 'GET', token, body }: { method?: string; token?: string; body?: unknown } = {},
): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { 'X-AUTHENTICATION-KEY': token }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text;
}

export async function tokenOf(port: number, { login, password }: Login): Promise<string> {
  const body = { login, password };
  const text = await request({ port }, '/api/v2/authentication', { method: 'POST', body });
  return (JSON.parse(text) as { token: string }).token;
}

/** A random password that the rules accept. */
export const newPassword = (): string => `Aa1!${randomBytes(12).toString('hex')}`;

/** Resident memory of a process in megabytes. */
export const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
