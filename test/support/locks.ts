import { expect } from '@jest/globals';
import { eventually } from './eventually.js';
import type { TestServer } from './test-server.js';

/** A server whose database a test changes beside it, on one connection. */
type Held = Pick<TestServer, 'database'>;

/** Begins a transaction, in which the test sees what other connections do. */
export const beginTransaction = async ({ database }: Held): Promise<void> => {
  await database.query(`BEGIN; SET LOCAL stats_fetch_consistency = 'none'`);
};

/** Whether a statement waits for a lock, in the database of a server. */
export async function waitsForLock({ database }: Held): Promise<boolean> {
  const waiting = await database.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}

/** Resolves when a statement waits for a lock that the transaction of the test has. */
export const untilWaitsForLock = (server: Held): Promise<void> =>
  eventually(async () => expect(await waitsForLock(server)).toBe(true));
