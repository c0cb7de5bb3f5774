import type { ClientConfig } from 'pg';
import type { Config } from '../config/config.js';
import type { EvictingClientConfig } from './evicting-client.js';
import './pg-types.js';

/** Limits of one statement, in milliseconds: nothing may occupy the database for longer. */
const STATEMENT_TIMEOUT = 5_000;
export const LOCK_TIMEOUT = 2_000;
const IDLE_IN_TRANSACTION_TIMEOUT = 10_000;

/** For a database that hangs and does not even refuse: longer than it would need to refuse itself. */
const ANSWER_TIMEOUT = STATEMENT_TIMEOUT + 500;

/** Connections of one process; more only queue inside PostgreSQL. */
export const POOL_SIZE = 16;

/** How many a PostgreSQL has to allow for so many processes, their listeners, and the command line. */
export const connectionsFor = (processes: number): number =>
  Math.max(100, processes * (POOL_SIZE + 1) + 20);

/** Longest wait for a new connection, in milliseconds. */
export const CONNECT_TIMEOUT = 2_000;

/** How any client of this server reaches the database. */
export function clientOptions(config: Config): ClientConfig {
  const { database } = config;
  if (!database) throw new Error('no database was configured or started');
  const address = 'url' in database ? { connectionString: database.url } : database;
  return {
    ...address,
    application_name: 'process-platform',
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    // Compiling a plan (jit) takes longer than any statement of this server may, and starting workers
    // (parallel) longer than what they save; the other processors have other requests.
    // Without room for all the places that an index finds, whole pages are read and tested again.
    // By the default, which is for disks that turn, an index that grew is passed by for the whole table.
    // The vendor is in the keys of server parameters, which lists filter and sort by.
    options: `-c timezone=UTC -c datestyle=ISO -c bytea_output=hex -c jit=off -c max_parallel_workers_per_gather=0 -c work_mem=16MB -c random_page_cost=1.1 -c platform.vendor=${config.env.VENDOR}`,
  };
}

/** The limits for clients that serve requests; migrations and listeners go without. */
export const requestLimits: EvictingClientConfig = {
  statement_timeout: STATEMENT_TIMEOUT,
  answerTimeout: ANSWER_TIMEOUT,
  lock_timeout: LOCK_TIMEOUT,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
};
