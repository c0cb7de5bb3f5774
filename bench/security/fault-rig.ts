import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { demoMigrations } from '../../migrations/demo/index.js';
import { migrations } from '../../migrations/index.js';
import { type DatabaseConnection, loadConfig } from '../../src/config/config.js';
import { setFirstSysadminPassword } from '../../src/credentials/sysadmin-password.js';
import {
  type EmbeddedServer,
  startEmbeddedServer,
} from '../../src/database/embedded/embedded-server.js';
import { migrate } from '../../src/database/migrate.js';
import { type Instance, startInstance, SYSADMIN_PASSWORD } from './rig.js';

/** How PostgreSQL is made to end: its two ways of stopping at once, and kill -9. */
export type Ending = 'fast' | 'immediate' | 'killed';

const SIGNALS: Record<Ending, NodeJS.Signals> = {
  fast: 'SIGINT',
  immediate: 'SIGQUIT',
  killed: 'SIGKILL',
};

/** A PostgreSQL of its own that can be ended and started again, and servers on it. */
export interface FaultRig {
  /** DATABASE_URL. */
  url: string;
  /** As the superuser, on a connection of its own. */
  query: <T extends pg.QueryResultRow = pg.QueryResultRow>(
    text: string,
    values?: unknown[],
  ) => Promise<T[]>;
  /** As `query`, with the connection left open until `end`. */
  hold(text: string): Promise<pg.Client>;
  serve(env?: Record<string, string>, node?: string[]): Promise<Instance>;
  /** Process id of the server that was started last, also while it starts. */
  lastServed(): number | undefined;
  endPostgres(how: Ending): Promise<void>;
  startPostgres(): Promise<void>;
  /** Process id of PostgreSQL, e.g. to stop it without ending it. */
  pid(): number;
  stop(): Promise<void>;
}

/**
 * @param options.empty leaves the database without a schema
 * @param options.folder where its data is to be
 */
export async function startFaultRig(
  options: { empty?: boolean; folder?: string } = {},
): Promise<FaultRig> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'process-platform-faults-'));
  let postgres: EmbeddedServer = await startEmbeddedServer({ folder });
  if (!options.empty) await prepareDatabase(postgres.connection);
  const instances = new Set<ChildProcess>();
  let last: ChildProcess | undefined;
  const url = urlOf(postgres.connection);
  const connect = async (): Promise<pg.Client> => {
    const { superuser, connection } = postgres;
    const client = new pg.Client({ ...superuser, database: connection.database });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  return {
    url,
    pid: () => postgres.pid,
    query: async (text, values) => {
      const client = await connect();
      try {
        return (await client.query(text, values)).rows as never;
      } finally {
        await client.end();
      }
    },
    hold: async (text) => {
      const client = await connect();
      await client.query(text);
      return client;
    },
    serve: async (env = {}, node = []) => {
      const all = { DATABASE_URL: url, LOG_LEVEL: 'warn', ...env };
      return startInstance(all, node, {
        spawned: (child) => {
          last = child;
          instances.add(child);
        },
      });
    },
    lastServed: () => last?.pid,
    endPostgres: async (how) => {
      process.kill(postgres.pid, SIGNALS[how]);
      await postgres.stop();
    },
    startPostgres: async () => {
      postgres = await startEmbeddedServer({ folder });
    },
    stop: async () => {
      for (const child of instances) child.kill('SIGKILL');
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const urlOf = ({ host, user, database }: EmbeddedServer['connection']): string =>
  `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;

/** Schema, demonstration portal and the password of sysadmin. */
export async function prepareDatabase(connection: DatabaseConnection): Promise<void> {
  const config = loadConfig({ DEMO_DATA: 'true', SYSADMIN_PASSWORD }).withDatabase(connection);
  await migrate(config, { migrations, demonstration: demoMigrations }, async () => {
    await setFirstSysadminPassword(config);
  });
}

/** Asks again until it holds; how long that took in milliseconds, or undefined when it never did. */
export async function until(
  holds: () => Promise<boolean>,
  { within, every = 10 }: { within: number; every?: number },
): Promise<number | undefined> {
  const started = performance.now();
  while (performance.now() - started < within) {
    if (await holds().catch(() => false)) return performance.now() - started;
    await delay(every);
  }
  return undefined;
}

/** Whether a process lives. */
export function isAlive({ child }: Instance): boolean {
  return child.exitCode === null && child.signalCode === null;
}
