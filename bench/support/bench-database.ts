import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrations } from '../../migrations/index.js';
import { loadConfig } from '../../src/config/config.js';
import { setFirstSysadminPassword } from '../../src/credentials/sysadmin-password.js';
import {
  type EmbeddedServer,
  startEmbeddedServer,
} from '../../src/database/embedded/embedded-server.js';
import { migrate } from '../../src/database/migrate.js';
import { loadData, type Sizes } from './load-data.js';

export const SYSADMIN_PASSWORD = 'Sysadmin-Bench-2026';

/** Loading may be lost, so it need not wait for the disk; measuring uses the settings as shipped. */
const LOADING = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '8GB',
  maintenance_work_mem: '512MB',
  autovacuum: 'off',
};

/**
 * Makes a folder that a server can be started in: its `.data/` holds a migrated database with as
 * many rows as asked for. Nothing of it is running afterwards.
 */
export async function createBenchFolder(sizes: Sizes): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'process-platform-bench-'));
  try {
    await inDatabase(folder, (client) => loadData(client, sizes), LOADING);
    return folder;
  } catch (error) {
    removeBenchFolder(folder);
    throw error;
  }
}

export const removeBenchFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true });

/** Starts the folder's PostgreSQL, migrates, and stops it when the work is done. */
export async function inDatabase(
  folder: string,
  work: (client: pg.Client) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  const server = await startEmbeddedServer({ folder: join(folder, '.data'), settings });
  try {
    const config = loadConfig({ SYSADMIN_PASSWORD }).withDatabase(server.connection);
    await migrate(config, { migrations, demonstration: [] }, async () => {
      await setFirstSysadminPassword(config);
    });
    await withClient(server, work);
  } finally {
    await server.stop();
  }
}

async function withClient(
  { connection }: EmbeddedServer,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
