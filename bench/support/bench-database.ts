import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedServer } from '../../src/database/embedded/embedded-server.js';
import { startServerProcess } from '../../test/support/server-process.js';

export const SYSADMIN_PASSWORD = 'Sysadmin-Bench-2026';

/** Loaded data may be lost, so loading need not wait for the disk; measuring uses the default settings. */
const LOADING = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '8GB',
  // Indexes are then built without the log.
  wal_level: 'minimal',
  max_wal_senders: '0',
  maintenance_work_mem: '512MB',
  autovacuum: 'off',
};

/**
 * Creates a folder in which a server can start: its `.data/` contains a migrated and loaded database.
 * No process of it is running afterwards.
 * @param build the checkout whose server migrates the database; by default this one
 */
export async function createBenchFolder(
  load: (client: pg.Client) => Promise<void>,
  build?: string,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'process-platform-bench-'));
  try {
    const server = await startServerProcess({ SYSADMIN_PASSWORD }, { cwd: folder, build });
    await server.stop();
    await inDatabase(folder, load, LOADING);
    return folder;
  } catch (error) {
    removeBenchFolder(folder);
    throw error;
  }
}

export const removeBenchFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true });

/** Runs work on the PostgreSQL of a folder, which it starts and stops. */
export async function inDatabase(
  folder: string,
  work: (client: pg.Client) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  const server = await startEmbeddedServer({ folder: join(folder, '.data'), settings });
  const client = new pg.Client(server.connection);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
    await server.stop();
  }
}
