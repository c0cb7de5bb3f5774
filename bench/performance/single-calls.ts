import { setTimeout as delay } from 'node:timers/promises';
import { median, quantile } from 'simple-statistics';
import type { BenchServer } from '../support/bench-server.js';
import { atMost, type Result } from './result.js';
import { COUNT, COUNTS, deepPages as deepPaths } from './workloads.js';

const CALLS = 20;
/** Maximum wait for autovacuum, in seconds. */
const PATIENCE = 300;

/** Measures the milliseconds of single calls and compares their median with a goal. */
async function timed(
  { port, token }: BenchServer,
  { work, path, goal }: { work: string; path: string; goal: number },
  headers: Record<string, string> = {},
): Promise<Result> {
  const times: number[] = [];
  for (let call = -2; call < CALLS; call++) {
    const started = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'X-AUTHENTICATION-KEY': token, ...headers },
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    if (call >= 0) times.push(performance.now() - started);
  }
  return atMost(work, median(times), goal, 'ms', `p99 ${quantile(times, 0.99).toFixed(1)} ms`);
}

/** Measures exact counts: of everything, of an indexed filter, of a common substring. */
export async function counts(server: BenchServer): Promise<Result[]> {
  const results: Result[] = [];
  for (const [what, path] of Object.entries(COUNTS)) {
    const goal = what.endsWith('substring') ? 300 : 150;
    results.push(await timed(server, { work: `exact count ${what}`, path, goal }, COUNT));
  }
  return results;
}

/** Measures deep pages by every kind of sorter: after a vacuum, after changes of a tenth of the rows, and vacuumed again. */
export async function deepPages(server: BenchServer, users: number): Promise<Result[]> {
  const pages = async (when: string): Promise<Result[]> => {
    const results: Result[] = [];
    for (const [work, path] of Object.entries(deepPaths(users)))
      results.push(await timed(server, { work: `${work}${when}`, path, goal: 150 }));
    return results;
  };
  const clean = await pages('');
  await server.client.query(
    `UPDATE users SET user_function = coalesce(user_function, '') || '.' WHERE id % 10 = 3`,
  );
  const changed = performance.now();
  const dirty = await pages(', right after a tenth changed');
  await untilVacuumed(server, changed);
  return [...clean, ...dirty, ...(await pages(', once autovacuum had run'))];
}

/** Waits until autovacuum has run after a given time of performance.now(). */
async function untilVacuumed({ client }: BenchServer, moment: number): Promise<void> {
  for (;;) {
    const since = (performance.now() - moment) / 1_000;
    const { rowCount } = await client.query(
      `SELECT FROM pg_stat_user_tables WHERE relname = 'users' AND last_autovacuum > now() - make_interval(secs => $1)`,
      [since],
    );
    if (rowCount) return;
    if (since > PATIENCE) throw new Error('autovacuum does not run');
    await delay(250);
  }
}
