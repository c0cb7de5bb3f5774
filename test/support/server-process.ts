import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** A server in a process of its own, as it is shipped. */
export interface ServerProcess {
  port: number;
  pid: number;
  /** Everything that it printed. */
  printed(): string;
  stop(): Promise<void>;
}

/** DATABASE_URL of a database behind a socket in a folder. */
export const urlOf = ({ host, user, database }: { host: string; user: string; database: string }) =>
  `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;

/** Starts the built server and waits until it listens. */
export async function startServerProcess(
  env: Record<string, string>,
  [script = 'dist/src/main.js', ...args]: string[] = [],
  cwd?: string,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [resolve(script), ...args], {
    cwd,
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DEMO_DATA: 'false', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const ended = new Promise<void>((done) => child.on('exit', () => done()));
  const port = await new Promise<number>((done, fail) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const [, found] = /listens on https?:\/\/[^\s]*:(\d+)/.exec(printed) ?? [];
      if (found) done(Number(found));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', () => fail(new Error(`the server ended: ${printed}`)));
  });
  return {
    port,
    pid: child.pid!,
    printed: () => printed,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
