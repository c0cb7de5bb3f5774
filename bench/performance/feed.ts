import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from 'simple-statistics';
import { type BenchServer, request } from '../support/bench-server.js';
import { atMost, type Result } from './result.js';

const PATH = '/api/v2/changes?kinds=users';

/** Repetitions of the page, and changes that the consumer waits for. */
const PAGES = 60;
const CHANGES = 200;

/** Objects of the page. */
const PAGE = 500;

/** Users of the database on which the feed is measured. */
export const FEED_USERS = 100_000;

interface Page {
  changes: unknown[];
  next: string;
  upToDate: boolean;
}

const textOfPage = (server: BenchServer, parameters: string): Promise<string> =>
  request(server, `${PATH}${parameters}`, { token: server.token });

const page = async (server: BenchServer, parameters: string): Promise<Page> =>
  JSON.parse(await textOfPage(server, parameters)) as Page;

/** Lists everything as NDJSON. */
async function list(server: BenchServer): Promise<{ lines: number; next: string }> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${PATH}`, {
    headers: { 'X-AUTHENTICATION-KEY': server.token, Accept: 'application/x-ndjson' },
  });
  let lines = 0;
  for await (const line of createInterface({ input: Readable.fromWeb(answer.body!) })) {
    if (line.startsWith('{"next"')) return { lines, next: (JSON.parse(line) as Page).next };
    lines++;
  }
  throw new Error(`the listing ended after ${lines} lines`);
}

const change = (server: BenchServer, count: number): Promise<unknown> =>
  server.client.query(
    `UPDATE users SET revision = revision + 1 WHERE id IN (SELECT id FROM users WHERE NOT sysadmin ORDER BY id LIMIT ${count})`,
  );

/** Measures the change feed: from the commit to a consumer that waits, a page, and a listing. */
export async function feed(server: BenchServer): Promise<Result[]> {
  const started = performance.now();
  const { lines, next } = await list(server);
  const seconds = (performance.now() - started) / 1_000;
  let after = next;
  const times: number[] = [];
  for (let n = 0; n < PAGES; n++) {
    await change(server, PAGE);
    const started = performance.now();
    const text = await textOfPage(server, `&limit=${PAGE}&after=${after}`);
    // Without the consumer's own parsing.
    times.push(performance.now() - started);
    const { changes, next: following } = JSON.parse(text) as Page;
    if (changes.length !== PAGE) throw new Error(`a page of ${changes.length} changes`);
    after = (await page(server, `&limit=1000&after=${following}`)).next;
  }
  const latencies: number[] = [];
  for (let n = 0; n < CHANGES; n++) {
    const waiting = page(server, `&wait=30&after=${after}`);
    await delay(30 + 20 * Math.random());
    await change(server, 1);
    const committed = performance.now();
    after = (await waiting).next;
    latencies.push(performance.now() - committed);
  }
  const p99 = (values: number[]): string => `p99 ${quantile(values, 0.99).toFixed(1)} ms`;
  return [
    atMost('change feed: a page of 500 users', quantile(times, 0.5), 20, 'ms', p99(times)),
    atMost(
      'change feed: from the commit to a consumer that waits, p99',
      quantile(latencies, 0.99),
      100,
      'ms',
      `median ${quantile(latencies, 0.5).toFixed(1)} ms`,
    ),
    atMost(`change feed: a listing of ${lines} users`, seconds, 30, 's'),
  ];
}
