import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** The options of a launched server; all have defaults. */
export interface LaunchOptions {
  /** The checkout whose `dist/` runs; this one by default. */
  build?: string;
  /** A program below `dist/` and its arguments. */
  program?: string[];
  /** Options of Node itself, e.g. `['--import', 'file:///…']`. */
  node?: string[];
  /** The working directory, where the embedded database keeps `.data/`. */
  cwd?: string;
  /** Starts a separate process group, as a terminal does. */
  detached?: boolean;
  /** A file descriptor for the log. */
  logTo?: number;
  /** Discards the server's output once it listens, for runs that log a line per request. */
  discard?: boolean;
  /** Called with the process immediately after the launch, before it listens. */
  launched?: (child: ChildProcess) => void;
}

/** A server process that may not listen yet, or never will. */
export interface LaunchedServer {
  child: ChildProcess;
  pid: number;
  /** The port, once the server reports that it listens. Rejects when the process ends first. */
  listening: Promise<number>;
  /** The exit code; null after a signal. */
  ended: Promise<number | null>;
  isAlive(): boolean;
  /** Standard output: the log. */
  log(): string;
  /** Standard error: messages for people. */
  messages(): string;
  /** Both outputs, in the order of arrival. */
  printed(): string;
  /** Sends SIGTERM unless the process has ended; resolves once it has ended. */
  stop(): Promise<void>;
}

/** A server process that listens. */
export interface ServerProcess extends LaunchedServer {
  port: number;
  /** Milliseconds from the launch until it listened. */
  startTime: number;
}

/** The DATABASE_URL of a database behind a socket in a folder. */
export const urlOf = ({ host, user, database }: { host: string; user: string; database: string }) =>
  `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;

/** A text buffer that joins its parts only when it is read. */
class Transcript {
  private chunks: string[] = [];

  add(chunk: Buffer): void {
    this.chunks.push(chunk.toString());
  }

  text = (): string => {
    this.chunks = [this.chunks.join('')];
    return this.chunks[0]!;
  };
}

/**
 * Launches the built server and returns immediately, for tests of servers that do not start.
 * @param env the whole environment, except PATH and a free port
 */
export function launchServer(
  env: Record<string, string>,
  { build = '.', program = ['src/main.js'], node = [], ...options }: LaunchOptions = {},
): LaunchedServer {
  const [script, ...args] = program;
  const { cwd, detached, logTo, discard = false } = options;
  const child = spawn(process.execPath, [...node, resolve(build, 'dist', script!), ...args], {
    cwd,
    detached,
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', logTo ?? 'pipe', 'pipe'],
  });
  options.launched?.(child);
  // An aborted test or measurement leaves no server behind.
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<number | null>((done) =>
    child.once('exit', (code) => {
      process.off('exit', kill);
      done(code);
    }),
  );
  const [log, messages, both] = [new Transcript(), new Transcript(), new Transcript()];
  const listening = new Promise<number>((done, fail) => {
    let isKnown = false;
    const readInto = (transcript: Transcript) => (chunk: Buffer) => {
      if (isKnown && discard) return;
      transcript.add(chunk);
      both.add(chunk);
      if (isKnown) return;
      const [, port] = /listens on https?:\/\/\S*:(\d+)/.exec(both.text()) ?? [];
      isKnown = port !== undefined;
      if (isKnown) done(Number(port));
    };
    child.stdout?.on('data', readInto(log));
    child.stderr?.on('data', readInto(messages));
    child.once('exit', () => fail(new Error(`the server ended: ${both.text()}`)));
  });
  // Some callers await only the end of the process.
  listening.catch(() => undefined);
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    child,
    pid: child.pid!,
    listening,
    ended,
    isAlive,
    log: log.text,
    messages: messages.text,
    printed: both.text,
    stop: async () => {
      if (isAlive()) child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * Launches the built server on the loopback interface, without demonstration data, and waits until it listens.
 * @throws Error with the server's output when it ends first
 */
export async function startServerProcess(
  env: Record<string, string>,
  options: LaunchOptions = {},
): Promise<ServerProcess> {
  const started = performance.now();
  const server = launchServer({ HOST: '127.0.0.1', DEMO_DATA: 'false', ...env }, options);
  const port = await server.listening;
  return { ...server, port, startTime: performance.now() - started };
}
