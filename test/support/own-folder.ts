import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { processesIn } from '../../src/database/embedded/processes.js';
import { eventually } from './eventually.js';
import { type LaunchedServer, launchServer } from './server-process.js';

/** A folder of its own for each test, where `npm start` keeps its embedded database. */
export interface OwnFolder {
  path(): string;
  /** Launches the built server, in the folder unless another one is named. It is killed after the test. */
  start(env?: Record<string, string>, cwd?: string): LaunchedServer;
}

/** The folder of the tests of a file. Only its owner may enter it, as PostgreSQL demands. */
export function useOwnFolder(): OwnFolder {
  let folder: string;
  const servers: LaunchedServer[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'process-platform-life-'));
    chmodSync(folder, 0o700);
  });
  afterEach(async () => {
    for (const { child } of servers.splice(0)) child.kill('SIGKILL');
    await noDatabaseIn(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    path: () => folder,
    start: (env = {}, cwd = folder) => {
      const server = launchServer({ LOG_LEVEL: 'silent', ...env }, { cwd });
      servers.push(server);
      return server;
    },
  };
}

/** The processes that work in the embedded database of a folder. */
export const databaseIn = (folder: string): number[] =>
  processesIn(join(folder, '.data', 'postgres'));

/** Waits until no process works in the embedded database of a folder. */
export const noDatabaseIn = (folder: string): Promise<void> =>
  eventually(() => expect(databaseIn(folder)).toEqual([]));

/** The URL that a server prints once it is ready. */
export async function ready(server: LaunchedServer): Promise<string> {
  await server.listening;
  return /listens on (\S+)/.exec(server.messages())![1]!;
}

/** Waits until a server calls itself ready. A busy one may not for a moment. */
export const expectUp = (url: string): Promise<void> =>
  eventually(async () => expect((await fetch(`${url}/health/ready`)).status).toBe(200));
