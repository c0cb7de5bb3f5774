import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { urlOf } from './server-process.js';
import { startTestServer, type TestServer } from './test-server.js';

/** The outcome of a command. */
export interface CommandResult {
  code: number | null;
  out: string;
  error: string;
}

/** Runs the built command line in a separate process. */
export function runCommand(
  args: string[],
  {
    input = '',
    env = {},
    cwd = process.cwd(),
    closesOutput = false,
  }: {
    input?: string;
    env?: Record<string, string>;
    cwd?: string;
    /** The reader of standard output has gone before the command writes. */
    closesOutput?: boolean;
  } = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [resolve('dist/src/cli.js'), ...args], {
    cwd,
    env: { ...process.env, ...env },
  });
  const result: CommandResult = { code: null, out: '', error: '' };
  child.stdout.on('data', (chunk: Buffer) => (result.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (result.error += chunk.toString()));
  if (closesOutput) child.stdout.destroy();
  child.stdin.end(input);
  return new Promise((done) => child.on('close', (code) => done({ ...result, code })));
}

/** A server, and the command line on its database, for the tests of a file. */
export interface ServedCommandLine {
  server: TestServer;
  run: (args: string[], options?: Parameters<typeof runCommand>[1]) => Promise<CommandResult>;
}

/** Starts the server before the tests of a file, and stops it after them. */
export function useCommandLine(): ServedCommandLine {
  const served = {
    run: (args, { env = {}, ...options } = {}) => {
      const DATABASE_URL = urlOf(served.server.database.connection);
      return runCommand(args, { ...options, env: { DATABASE_URL, ...env } });
    },
  } as ServedCommandLine;
  beforeAll(async () => {
    served.server = await startTestServer();
  });
  afterAll(() => served.server.close());
  return served;
}
