import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { BenchServer, Login } from '../support/bench-server.js';
import { request } from '../support/bench-server.js';

/** A hand-written server in a process of its own. */
export interface HandWritten {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** Starts a server program of this benchmark, which prints its address like the server. */
export async function startHandWritten(
  program: string,
  parameters: string[] = [],
): Promise<HandWritten> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...parameters], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const port = await new Promise<number>((done, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const [, found] = /listens on http:\/\/\S*:(\d+)/.exec(chunk.toString()) ?? [];
      if (found) done(Number(found));
    });
    child.once('exit', () => fail(new Error(`${program} ended`)));
  });
  return {
    port,
    pid: child.pid!,
    stop: async () => {
      process.off('exit', kill);
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Starts both variants of plain-server.ts on the database of a server. */
export async function startPlainServers(
  { folder, client }: BenchServer,
  { login }: Login,
): Promise<{ plain: HandWritten; best: HandWritten }> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM users WHERE login = $1', [
    login,
  ]);
  const socket = join(folder, '.data', 'socket');
  const [plain, best] = await Promise.all(
    ['plain', 'best'].map((way) => startHandWritten('plain-server.js', [socket, way, rows[0]!.id])),
  );
  return { plain: plain!, best: best! };
}

/** @throws Error when the two answers differ in any byte: only equal answers are comparable */
export async function checkSame(
  server: BenchServer,
  other: HandWritten,
  path: string,
): Promise<void> {
  const { token } = server;
  const [ours, theirs] = [
    await request(server, path, { token }),
    await request(other, path, { token }),
  ];
  if (ours === theirs) return;
  const at = [...ours].findIndex((letter, place) => letter !== theirs[place]);
  const around = (text: string): string => text.slice(Math.max(0, at - 80), at + 120);
  throw new Error(`${path} differs at ${at}: ${around(ours)} / ${around(theirs)}`);
}
