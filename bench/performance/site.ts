import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { SESSION } from './statements.js';

/** A server process that said where it listens. */
export interface Started {
  port: number;
  pid: number;
  /** Milliseconds from the start of the process until it listened. */
  took: number;
  stop(): Promise<void>;
}

/** Starts a program of this build; its log goes nowhere, but it is written. */
export async function start(
  script: string,
  parameters: string[] = [],
  { cwd, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Started> {
  const started = performance.now();
  const main = join(import.meta.dirname, '..', '..', script);
  const child: ChildProcess = spawn(process.execPath, [main, ...parameters], {
    cwd,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const abandon = (): boolean => child.kill('SIGTERM');
  process.once('exit', abandon);
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const port = await new Promise<number>((done, fail) => {
    let printed = '';
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const [, found] = /listens on http:\/\/[^\s]*:(\d+)/.exec(printed) ?? [];
      if (found) done(Number(found));
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.once('exit', () => fail(new Error(`${script} ended: ${printed}`)));
  });
  const took = performance.now() - started;
  child.stdout!.removeAllListeners('data').resume();
  child.stderr!.removeAllListeners('data').resume();
  return {
    port,
    pid: child.pid!,
    took,
    stop: async () => {
      process.off('exit', abandon);
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** A database with the shipped server on it, and hand-written ones beside it. */
export interface Site {
  folder: string;
  server: Started;
  client: pg.Client;
  /** Of sysadmin. */
  token: string;
  plain: Started;
  best: Started;
  stop(): Promise<void>;
}

/** The server as it is shipped: all guards, logging on; everything in one folder. */
export const startServer = (folder: string, env: Record<string, string> = {}): Promise<Started> =>
  start('src/main.js', [], { cwd: folder, env: { PORT: '0', DEMO_DATA: 'false', ...env } });

/** @param folder holds `.data/`, made by createBenchFolder, or nothing yet */
export async function startSite(
  folder: string,
  { login, password }: { login: string; password: string },
  env: Record<string, string> = {},
): Promise<Site> {
  const server = await startServer(folder, env);
  const socket = join(folder, '.data', 'socket');
  const client = new pg.Client({
    host: socket,
    user: 'platform',
    database: 'platform',
    options: SESSION,
  });
  await client.connect();
  const token = await tokenOf(server.port, login, password);
  const { rows } = await client.query<{ id: string }>('SELECT id FROM users WHERE login = $1', [
    login,
  ]);
  const hand = (way: string): Promise<Started> =>
    start('bench/performance/plain-server.js', [socket, way, rows[0]!.id]);
  const [plain, best] = await Promise.all([hand('plain'), hand('best')]);
  return {
    folder,
    server,
    client,
    token,
    plain,
    best,
    stop: async () => {
      await Promise.all([plain.stop(), best.stop()]);
      await client.end();
      await server.stop();
    },
  };
}

export async function tokenOf(port: number, login: string, password: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v2/authentication`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ login, password }),
  });
  if (!answer.ok) throw new Error(`${login} cannot sign in: ${await answer.text()}`);
  return ((await answer.json()) as { token: string }).token;
}

/** What the benchmark compares must be the same, byte by byte. */
export async function checkSame(site: Site, other: Started, path: string): Promise<void> {
  const headers = { 'X-AUTHENTICATION-KEY': site.token };
  const [ours, theirs] = await Promise.all(
    [site.server, other].map(async ({ port }) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text(),
    ),
  );
  if (ours !== theirs) {
    const at = [...ours!].findIndex((letter, place) => letter !== theirs![place]);
    throw new Error(
      `${path} differs at ${at}: ${ours!.slice(at - 80, at + 120)} / ${theirs!.slice(at - 80, at + 120)}`,
    );
  }
}

export const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
