import { setTimeout as delay } from 'node:timers/promises';
import { keepProbing, type Probe } from './probing.js';
import { type Harness, QUIET, startHarness, tokenOf } from '../harness.js';
import { measure, rounds, type Section } from '../report-row.js';
import { attempt, keepAlive, keepCalling, quantileOf, tally } from '../traffic.js';
import type { ServerProcess } from '../../support/server-process.js';
import { until } from '../../support/until.js';

const USERS = '/api/v2/directory/users';
const DOCUMENTS = '/api/v2/content/documents';

/** C5, C13: no free connections, conflicting transactions. */
export const exhaustion: Section = async ({ scale }, report) => {
  const harness = await startHarness({ env: QUIET });
  try {
    const server = await harness.serve();
    const token = await tokenOf(server.port, 'alice.martin');
    await measure(
      {
        id: 'C5',
        goal: '300 callers, users locked: 503 ≤2.5 s, 404/400/401/403 and liveness ≤100 ms, recovery ≤1 s',
      },
      report,
      () => exhaust(harness, server, token, rounds(5, scale)),
    );
    await measure(
      {
        id: 'C13',
        goal: '1,000 conflicting PATCHes (test, replace) of one counter: it adds up, conflicts are 409 or 503',
      },
      report,
      () => conflict(server, token, rounds(1000, scale)),
    );
  } finally {
    await harness.stop();
  }
};

async function exhaust(harness: Harness, server: ServerProcess, token: string, count: number) {
  const refused: number[] = [];
  const pure: number[] = [];
  const wrong: string[] = [];
  const recoveries: number[] = [];
  let tallied = '';
  for (let round = 0; round < count; round++) {
    const agent = keepAlive(300);
    // Tokens are cached from their first use on.
    await attempt(server.port, '/api/v2/authentication', { token });
    const lock = await harness.hold('BEGIN; LOCK TABLE users');
    const callers = keepCalling(300, () => attempt(server.port, USERS, { token, agent }), 200);
    const probing = keepProbing({ port: server.port, probes: pureRefusals(token), pause: 50 });
    await delay(5_000);
    for (const probes of await probing.stop()) {
      const given = probes.map(({ status }) => status).join();
      if (given !== '200,404,400,401,403') wrong.push(given);
      pure.push(...probes.map(({ duration }) => duration));
    }
    await lock.end();
    const freed = performance.now();
    const seen = callers.outcomes.length;
    const back = await until(
      () => Promise.resolve(callers.outcomes.slice(seen).some(({ status }) => status === 200)),
      { within: 10_000 },
    );
    recoveries.push(back === undefined ? Infinity : performance.now() - freed);
    await callers.stop();
    agent.destroy();
    const no = callers.outcomes.filter(({ status }) => status !== 200);
    refused.push(...no.map(({ duration }) => duration));
    tallied = tally(callers.outcomes);
  }
  const [slowestRefusal, slowestPure] = [quantileOf(refused, 1), quantileOf(pure, 1)];
  const back = Math.max(...recoveries);
  return {
    figure: `${count} rounds of 5 s; refusals p50 ${Math.round(quantileOf(refused, 0.5))} ms, slowest ${Math.round(slowestRefusal)} ms; ${pure.length} answers without a connection p99 ${Math.round(quantileOf(pure, 0.99))} ms, slowest ${Math.round(slowestPure)} ms, ${wrong.length} wrong ${wrong[0] ?? ''}; back after ${Math.round(back)} ms; last round ${tallied}`,
    met: slowestRefusal <= 2_500 && slowestPure <= 100 && wrong.length === 0 && back <= 1_000,
  };
}

/** Calls that need no connection: liveness, and the errors 404, 400, 401 and 403. */
const pureRefusals = (token: string): Probe[] => [
  { path: '/health/live' },
  { path: '/nothing' },
  { path: `${USERS}?range=x`, token },
  { path: USERS },
  { path: USERS, from: '127.0.0.9' },
];

/** Each caller reads the counter, tests the value and replaces it: no increment may be lost. */
async function conflict(server: ServerProcess, token: string, total: number) {
  const created = await attempt(server.port, DOCUMENTS, {
    method: 'POST',
    token,
    body: { title: '0' },
  });
  const { id } = JSON.parse(created.answer!.text) as { id: string };
  const path = `${DOCUMENTS}/${id}`;
  const read = async () =>
    Number(
      (JSON.parse((await attempt(server.port, path, { token })).answer!.text) as { title: string })
        .title,
    );
  let left = total;
  const counts: Record<string, number> = {};
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const value = await read();
      const { status } = await attempt(server.port, path, {
        method: 'PATCH',
        token,
        headers: { 'Content-Type': 'application/json-patch+json' },
        body: [
          { op: 'test', path: '/title', value: String(value) },
          { op: 'replace', path: '/title', value: String(value + 1) },
        ],
      });
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(200, total) }, worker));
  const sum = await read();
  const others = Object.keys(counts).filter((status) => !['200', '409', '503'].includes(status));
  return {
    figure: `${total} PATCHes by 200 at once: ${Object.entries(counts)
      .map(([status, count]) => `${status}×${count}`)
      .join(' ')}; the counter says ${sum}`,
    met: sum === (counts[200] ?? 0) && sum > 0 && others.length === 0,
  };
}
