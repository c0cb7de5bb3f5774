import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.js';

/** The program: HAPROXY_BIN, else Debian's. Undefined when neither exists. */
export const haproxyBin = (): string | undefined =>
  [process.env.HAPROXY_BIN, '/usr/sbin/haproxy'].find(
    (path) => path !== undefined && existsSync(path),
  );

/** A running HAProxy. */
export interface Proxy {
  child: ChildProcess;
  /** Its output, including its log. */
  printed(): string;
  stop(): Promise<void>;
}

/**
 * Starts HAProxy with a configuration and waits until it listens.
 * @param port a port that the configuration binds on 127.0.0.1
 */
export async function startHaproxy(bin: string, config: string, port: number): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'process-platform-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, config);
  const child = spawn(bin, ['-f', file, '-db'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const up = await until(() => answers(port), { within: 10_000 });
  if (up === undefined) throw new Error(`HAProxy does not start: ${printed}`);
  return {
    child,
    printed: () => printed,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    });
    socket.on('error', () => done(false));
  });
