import type { ClientConfig } from 'pg';
import type { Config } from '../base/config/config.js';
import { urlsOfHosts } from '../base/config/database-url.js';
import type { EvictingClientConfig } from './evicting-client.js';
import './pg-types.js';
import { PrimaryFinder } from './primary-finder.js';

/** Limits of one statement in milliseconds, so that no statement occupies the database for longer. */
const STATEMENT_TIMEOUT = 5_000;
export const LOCK_TIMEOUT = 2_000;
const IDLE_IN_TRANSACTION_TIMEOUT = 10_000;

/** Client-side limit for a database that hangs: longer than it needs to enforce its own limits. */
const ANSWER_TIMEOUT = STATEMENT_TIMEOUT + 500;

/** Connections of one process; more would only queue inside PostgreSQL. */
export const POOL_SIZE = 16;

/** Connections for statements whose cost depends on the values. The others are for short work and long reads. */
export const SEARCHES_AT_ONCE = POOL_SIZE / 2;

/** Connections for slow searches. More of them would slow each other down and delay short work. */
export const LONG_READS_AT_ONCE = 4;

/** Connections of one process: its pool, and one for notifications. */
export const CONNECTIONS_OF_PROCESS = POOL_SIZE + 1;

/** Connections beside those of the processes: of the command line, imports, and PostgreSQL's own reserve. */
export const SPARE_CONNECTIONS = 20;

/** The `max_connections` of the embedded database for these processes. */
export const connectionsFor = (processes: number): number =>
  Math.max(100, processes * CONNECTIONS_OF_PROCESS + SPARE_CONNECTIONS);

/** Longest wait for a new connection, in milliseconds. */
export const CONNECT_TIMEOUT = 2_000;

const COMMON = {
  application_name: 'process-platform',
  connectionTimeoutMillis: CONNECT_TIMEOUT,
};

/** With several hosts, every client connects to the primary. */
function addressOf(url: string): ClientConfig {
  const hosts = urlsOfHosts(url).map((connectionString) => ({ connectionString, ...COMMON }));
  const [{ connectionString }] = hosts as [(typeof hosts)[0]];
  return hosts.length === 1
    ? { connectionString }
    : { connectionString, stream: new PrimaryFinder(hosts).socket };
}

/** The options of every client of the database. */
export function clientOptions(config: Config): ClientConfig {
  const { database } = config;
  if (!database) throw new Error('no database was configured or started');
  return {
    ...('url' in database ? addressOf(database.url) : database),
    ...COMMON,
    // jit is off, because compiling a plan takes longer than any statement of this server may. Parallel workers are
    // off, because starting them costs more than they save, and the other processors serve other requests. work_mem is
    // raised, because with too little of it a bitmap scan keeps only pages and rechecks all their rows.
    // random_page_cost is lowered, because the default is for spinning disks and prefers the whole table to a grown
    // index. platform.vendor is set, because the keys of server parameters contain it, and lists filter and sort by
    // them.
    options: `-c timezone=UTC -c datestyle=ISO -c bytea_output=hex -c jit=off -c max_parallel_workers_per_gather=0 -c work_mem=16MB -c random_page_cost=1.1 -c platform.vendor=${config.env.VENDOR}`,
  };
}

/** The limits for clients that serve requests; migrations and listeners have none. */
export const requestLimits: EvictingClientConfig = {
  statement_timeout: STATEMENT_TIMEOUT,
  answerTimeout: ANSWER_TIMEOUT,
  lock_timeout: LOCK_TIMEOUT,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
};
