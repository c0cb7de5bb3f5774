import { join } from 'node:path';
import { userInfo } from 'node:os';
import { type Config, loadConfig } from '../base/config/config.js';
import type { Reader } from '../database/database.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { DATA_FOLDER, openEmbeddedServer } from '../database/embedded/embedded-server.js';
import { refuseUnfinishedRestore } from '../database/unfinished-restore.js';
import type { AuditContext } from '../security/audit.service.js';

/**
 * Runs work on the database of this environment, with or without a running server.
 * @throws ConfigError when the environment is wrong; Error when the database does not start
 */
export async function withDatabase<T>(work: (config: Config) => Promise<T>): Promise<T> {
  const environment = loadConfig();
  if (environment.database) return work(environment);
  const embedded = await openEmbeddedServer(join(process.cwd(), DATA_FOLDER));
  try {
    return await work(environment.withDatabase(embedded.connection));
  } finally {
    await embedded.stop();
  }
}

/**
 * Runs work that needs tables but no module of the server.
 * @throws Error when the database is unreachable, has no tables yet, or a restore into it did not end
 */
export function withTables<T>(work: (config: Config) => Promise<T>): Promise<T> {
  return withDatabase(async (config) => {
    await DedicatedConnection.on(config, requireTables);
    return work(config);
  });
}

/**
 * Runs work that only reads tables, on one connection.
 * @throws Error as `withTables` does
 */
export function withReader<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
  return withDatabase((config) =>
    DedicatedConnection.on(config, async (reader) => {
      await requireTables(reader);
      return work(reader);
    }),
  );
}

/** The audit context of the person at the command line. */
export const commandLine = (): AuditContext => ({ actor: `command line (${userInfo().username})` });

async function requireTables(reader: Reader): Promise<void> {
  await refuseUnfinishedRestore(reader);
  const [row] = await reader.rows({ text: `SELECT to_regclass('parameters')`, values: [] });
  if (row?.[0] === null)
    throw new Error(
      'the database has no tables yet: start the server, or run process-platform migrate run',
    );
}
