import { setTimeout as delay } from 'node:timers/promises';
import { type Ending, type Harness, QUIET, startHarness, tokenOf } from '../harness.js';
import { measure, rounds, type Section } from '../report-row.js';
import { attempt, compare, keepCalling, keepWriting, type Outcome, tally } from '../traffic.js';
import type { ServerProcess } from '../../support/server-process.js';
import { until } from '../../support/until.js';

const USERS = '/api/v2/directory/users?range=0-10';

/** C1, C2, C4, C6: the server or its database ends, hangs, or accepts no writes. */
export const crash: Section = async ({ scale }, report) => {
  const harness = await startHarness({ env: QUIET });
  try {
    await measure(
      {
        id: 'C1',
        goal: 'kill -9 of the server, 16 writers: 0 acknowledged lost, 0 half-written, ready ≤3 s',
      },
      report,
      () => killServer(harness, rounds(20, scale)),
    );
    const server = await harness.serve();
    const token = await tokenOf(server.port, 'alice.martin');
    for (const how of ['fast', 'immediate', 'killed', 'one backend terminated'] as const)
      await measure(
        {
          id: 'C2',
          goal: `PostgreSQL ${how}: alive, only 503 and each ≤5 s, first 200 ≤1 s after it is back, 0 lost`,
        },
        report,
        () => endDatabase(harness, server, token, how, rounds(5, scale)),
      );
    await measure(
      { id: 'C4', goal: 'read-only sessions in the pool: ≤1 failed write each, all gone ≤1 s' },
      report,
      () => readOnlySessions(harness, server, token, rounds(5, scale)),
    );
    await measure(
      {
        id: 'C6',
        goal: 'PostgreSQL hangs (SIGSTOP, no reset): ≤6 s a request, not ready, alive, works again',
      },
      report,
      () => hang(harness, server, token, rounds(3, scale)),
    );
  } finally {
    await harness.stop();
  }
};

const slowest = (outcomes: Outcome[]): number =>
  Math.max(0, ...outcomes.map(({ duration }) => duration));
const ms = (value: number | undefined): string =>
  value === undefined ? 'never' : `${Math.round(value)} ms`;

async function killServer(harness: Harness, count: number) {
  let server = await harness.serve();
  let token = await tokenOf(server.port, 'alice.martin');
  const writers = keepWriting(() => ({ port: server.port, token }), 16);
  const starts: number[] = [];
  for (let round = 0; round < count; round++) {
    await delay(2_000 + Math.random() * 6_000);
    server.child.kill('SIGKILL');
    const started = performance.now();
    server = await harness.serve();
    await until(async () => (await attempt(server.port, '/health/ready')).status === 200, {
      within: 10_000,
    });
    starts.push(performance.now() - started);
    token = await tokenOf(server.port, 'alice.martin');
  }
  await delay(500);
  await writers.stop();
  await server.stop();
  const { lost, partial, unacknowledged } = await compare(harness.query, writers.journal);
  return {
    figure: `${count} rounds, ${writers.journal.length} acknowledged, ${lost} lost, ${partial} half-written, ${unacknowledged} present without acknowledgement; ready after at most ${ms(Math.max(...starts))}; ${tally(writers.outcomes)}`,
    met: lost === 0 && partial === 0 && Math.max(...starts) <= 3_000,
  };
}

async function endDatabase(
  harness: Harness,
  server: ServerProcess,
  token: string,
  how: Ending | 'one backend terminated',
  count: number,
) {
  const read = () => attempt(server.port, USERS, { token });
  const readers = keepCalling(8, read);
  const writers = keepWriting(() => ({ port: server.port, token }), 8);
  const recoveries: number[] = [];
  for (let round = 0; round < count; round++) {
    await delay(500);
    if (how === 'one backend terminated')
      await harness.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'process-platform' LIMIT 1`,
      );
    else {
      await harness.endPostgres(how);
      await delay(1_000);
      await harness.startPostgres();
    }
    const back = await until(async () => (await read()).status === 200, { within: 10_000 });
    recoveries.push(back ?? Infinity);
  }
  await delay(300);
  await Promise.all([readers.stop(), writers.stop()]);
  const outcomes = [...readers.outcomes, ...writers.outcomes];
  const { lost, partial } = await compare(harness.query, writers.journal.slice());
  const wrong = outcomes.filter(({ status }) => ![200, 201, 503].includes(status)).length;
  const refused = outcomes.filter(({ status }) => status === 503);
  return {
    figure: `${count} rounds, ${writers.journal.length} acknowledged, ${lost} lost, ${partial} half-written; ${tally(outcomes)}, slowest refusal ${ms(slowest(refused))}, back after at most ${ms(Math.max(...recoveries))}`,
    met:
      server.isAlive() &&
      wrong === 0 &&
      lost === 0 &&
      partial === 0 &&
      slowest(refused) <= 5_000 &&
      Math.max(...recoveries) <= 1_000,
  };
}

/** A role's setting applies from its next connection on, which allows sessions that stay read-only. */
async function readOnlySessions(
  harness: Harness,
  server: ServerProcess,
  token: string,
  count: number,
) {
  const figures: string[] = [];
  let met = true;
  for (let round = 0; round < count; round++) {
    await harness.query('ALTER ROLE platform SET default_transaction_read_only = on');
    await harness.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'process-platform'`,
    );
    await delay(300);
    await Promise.all(Array.from({ length: 64 }, () => attempt(server.port, USERS, { token })));
    const [{ sessions }] = (await harness.query(
      `SELECT count(*)::int AS sessions FROM pg_stat_activity WHERE application_name = 'process-platform'`,
    )) as [{ sessions: number }];
    await harness.query('ALTER ROLE platform RESET default_transaction_read_only');
    const started = performance.now();
    const writers = keepWriting(() => ({ port: server.port, token }), 16);
    await delay(2_000);
    await writers.stop();
    const failed = writers.outcomes.filter(({ status }) => status !== 201);
    const last = Math.max(0, ...failed.map(({ at, duration }) => at + duration - started));
    figures.push(
      `${failed.length} of ${writers.outcomes.length} writes failed on ${sessions} sessions, the last after ${ms(last)}`,
    );
    met &&= failed.length <= sessions && last <= 1_000;
  }
  return { figure: figures.join('; '), met };
}

async function hang(harness: Harness, server: ServerProcess, token: string, count: number) {
  const outcomes: Outcome[] = [];
  const probes: string[] = [];
  const recoveries: number[] = [];
  for (let round = 0; round < count; round++) {
    await Promise.all(Array.from({ length: 32 }, () => attempt(server.port, USERS, { token })));
    const backends = await harness.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    const pids = [harness.pid(), ...backends.map(({ pid }) => pid)];
    pids.forEach((pid) => process.kill(pid, 'SIGSTOP'));
    const callers = keepCalling(32, () => attempt(server.port, USERS, { token }));
    await delay(3_000);
    const ready = await attempt(server.port, '/health/ready');
    const live = await attempt(server.port, '/health/live');
    probes.push(`${ready.status}/${live.status}`);
    await delay(4_000);
    pids.forEach((pid) => process.kill(pid, 'SIGCONT'));
    const back = await until(
      async () => (await attempt(server.port, USERS, { token })).status === 200,
      { within: 15_000 },
    );
    recoveries.push(back ?? Infinity);
    await callers.stop();
    outcomes.push(...callers.outcomes);
  }
  const slow = slowest(outcomes.filter(({ status }) => status !== 200));
  return {
    figure: `${count} rounds: ${tally(outcomes)}, slowest ${ms(slow)}, ready/live ${probes.join(' ')}, back after at most ${ms(Math.max(...recoveries))} (by stopping the processes; netns with iptables is not here)`,
    met:
      slow <= 6_000 &&
      probes.every((probe) => probe === '503/200') &&
      outcomes.every(({ status }) => status === 200 || status === 503),
  };
}
