import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import pg from 'pg';
import { median, quantile } from 'simple-statistics';
import { loadConfig } from '../../src/base/config/config.js';
import { Notifications } from '../../src/database/notifications.js';
import { ChangeReader } from '../../src/journal/change-reader.js';
import { type BenchServer, databaseUrl } from '../support/bench-server.js';
import type { Rounds } from './load.js';
import { atLeast, atMost, type Result } from './result.js';

const WORKPLACE = '/navigation/workplace';

/** Changes a second beside the reads of the journal. */
const WRITES = 1_000;

/**
 * What the journal saves the readers, and how long a read of it takes, on the demonstration portal
 * (docs/decisions/0032). The goals are those that were set before it was built.
 * @param open seconds that a writing transaction stays open beside the reads of the journal
 */
export async function journal(
  server: BenchServer,
  rounds: Rounds,
  open: number,
): Promise<Result[]> {
  return [await unchanged(server, rounds), await barrier(server, open)];
}

/** The whole workplace, asked with its ETag. */
async function unchanged({ port, token }: BenchServer, { seconds }: Rounds): Promise<Result> {
  const headers = { 'X-AUTHENTICATION-KEY': token };
  const answer = await fetch(`http://127.0.0.1:${port}${WORKPLACE}`, { headers });
  const known = { ...headers, 'If-None-Match': answer.headers.get('etag')! };
  const run = () =>
    autocannon({
      url: `http://127.0.0.1:${port}${WORKPLACE}`,
      connections: 16,
      duration: seconds,
      headers: known,
    });
  await run();
  const { requests, duration, latency, statusCodeStats = {} } = await run();
  const others = Object.keys(statusCodeStats).filter((status) => status !== '304');
  if (others.length > 0) throw new Error(`answers with ${others.join(', ')}`);
  const name = 'whole workplace that has not changed (304)';
  return atLeast(name, requests.total / duration, 7_000, 'a second', `p99 ${latency.p99} ms`);
}

/** Reads of the journal beside many writers and a writing transaction that stays open. */
async function barrier(server: BenchServer, seconds: number): Promise<Result> {
  const url = databaseUrl(server.folder);
  const config = loadConfig({ LOG_LEVEL: 'silent', DATABASE_URL: url });
  const open = new pg.Client({ connectionString: url });
  await open.connect();
  await open.query(`BEGIN; UPDATE news SET title = title WHERE id = (SELECT min(id) FROM news)`);
  const connection = new Notifications(config);
  await connection.onModuleInit();
  const reader = new ChangeReader(connection);
  const times: number[] = [];
  const started = performance.now();
  const until = started + 1_000 * seconds;
  const read = async () => {
    while (performance.now() < until) {
      const asked = performance.now();
      await reader.read();
      times.push(performance.now() - asked);
    }
  };
  const [written] = await Promise.all([writeUntil(server, until), read()]);
  const rate = (written * 1_000) / (performance.now() - started);
  connection.onApplicationShutdown();
  await open.query('ROLLBACK');
  await open.end();
  await server.client.query(`DELETE FROM tasks WHERE title = 'Written'`);
  const work = `p50 ${median(times).toFixed(2)} ms of ${times.length}; open for ${seconds} s, ${rate.toFixed(0)} writes a second`;
  return atMost(
    'a read of the journal, beside writers and an open transaction',
    quantile(times, 0.99),
    2,
    'ms, p99',
    work,
  );
}

/**
 * Writes WRITES new tasks a second, each in a transaction of its own. Updates of the same rows would become slow while
 * the transaction is open, since nothing removes their old versions.
 * @returns how many
 */
async function writeUntil({ client }: BenchServer, until: number): Promise<number> {
  const started = performance.now();
  let written = 0;
  for (; performance.now() < until; written++) {
    await client.query({
      name: 'write-task',
      text: `INSERT INTO tasks (title, application_id, assignee_id)
        SELECT 'Written', a.id, u.id FROM (SELECT min(id) AS id FROM applications) a, (SELECT min(id) AS id FROM users) u`,
    });
    const ahead = (written * 1_000) / WRITES - (performance.now() - started);
    if (ahead > 1) await delay(ahead);
  }
  return written;
}
