import { appendFileSync, closeSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedServer } from '../../../src/database/embedded/embedded-server.js';
import { freePort } from '../../../test/support/free-port.js';
import { startServerProcess } from '../../../test/support/server-process.js';
import { SYSADMIN_PASSWORD } from '../../support/bench-database.js';
import { databaseUrl, SYSADMIN, tokenOf } from '../../support/bench-server.js';
import { type Result, withoutGoal } from '../result.js';
import { dayOf } from './calls.js';
import { Client, type Measured } from './client.js';
import { startNeighbours } from './neighbours.js';
import { readPeople } from './portal.js';
import { live, NINE } from './profile.js';
import { type ProcessorTime, StatementCounts, Usage } from './usage.js';

/** The settings of docker-compose.yml for PostgreSQL. */
const SETTINGS = {
  shared_buffers: '256MB',
  effective_cache_size: '768MB',
  max_wal_size: '4GB',
  shared_preload_libraries: 'pg_stat_statements',
};

/** Processes of the server, and the heap of each in MB: half of the memory of a container of docker-compose.yml. */
const PROCESSES = 2;
const HEAP = 384;

/** Twelve hours, in minutes. */
const WORKING_DAY = 720;

/** Calls of each kind that are measured alone before the day. */
const ALONE = 100;

/** After this time all traces have come, in milliseconds. */
const EXPORT = 6_000;

/** People who are signed in when the day begins, and how many of them sign in at a time. */
const EARLY = 500;
const TOGETHER = 10;

const REPORT = 'bench-day.json';
const PROGRESS = 'bench-day.log';

/**
 * A working day of a portal, in `minutes`: people sign in at nine, read, search and decide, an engine pushes tasks, and mails tell of
 * them. Calls are sent when they are due, whatever has become of the others. The server has two processes, and traces one of 25 calls, so
 * that the statements of each kind of call are known.
 * @param rate how many times as many calls come at a moment as in twelve hours; the fewer minutes, the fewer people come, each with the calls of a whole day
 * @param folder made by createBenchFolder and loadPortal
 * @returns the 99th percentile of each kind of call; everything is in bench-day.json, and each half-hour in bench-day.log
 */
export async function day(
  folder: string,
  { minutes, rate }: { minutes: number; rate: number },
): Promise<Result[]> {
  const database = await startEmbeddedServer({ folder: join(folder, '.data'), settings: SETTINGS });
  const neighbours = await startNeighbours();
  const [port, metricsPort] = [await freePort(), await freePort()];
  const log = join(folder, 'server.log');
  const output = openSync(log, 'w');
  const env = {
    SYSADMIN_PASSWORD,
    DATABASE_URL: databaseUrl(folder),
    WEB_CONCURRENCY: String(PROCESSES),
    NODE_OPTIONS: `--max-old-space-size=${HEAP}`,
    TRUSTED_PROXIES: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    METRICS_PORT: String(metricsPort),
    ...neighbours.env,
  };
  const client = new pg.Client(database.connection);
  await client.connect();
  const share = (rate * minutes) / WORKING_DAY;
  await prepareDigests(client, share);
  const server = await startServerProcess(env, { cwd: folder, discard: true, logTo: output });
  const calls = new Client(port);
  const statements = await StatementCounts.begin(database);
  try {
    const token = await tokenOf(port, SYSADMIN);
    const people = await readPeople(client);
    const { kinds, streams, signIn } = await dayOf(
      { client, token },
      { calls, neighbours, people, share },
    );
    for (let at = 1; at <= EARLY; at += TOGETHER)
      await Promise.all(people.slice(-at - TOGETHER, -at).map((person) => signIn(person)));
    const usage = new Usage(server.pid, database, client);
    const costs: { kind: string; server: number; database: number }[] = [];
    // It says how much other programs slow the computer down: alone it takes 0.05 ms of the server.
    const constant = {
      name: 'a constant',
      start: (name: string) => calls.send(name, { path: '/api/v2', token }),
    };
    for (const { name, start } of [constant, ...kinds])
      costs.push({ kind: name, ...(await costOfOne(usage, () => start(name, performance.now()))) });
    await delay(EXPORT);
    for (const one of calls.measured.values()) one.reset();
    neighbours.statements.clear();
    await statements.reset();
    const memory = setInterval(() => usage.lookAtMemory(), 10_000);
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    const [disk, logged, metrics] = [
      await usage.disk(),
      statSync(log).size,
      await readMetrics(metricsPort),
    ];
    const before = usage.processorTime();
    const halfHours = new HalfHours(usage, calls);
    await switchDigests(client, true);
    await live(kinds, minutes * 60, (at) => {
      if (at > 0) halfHours.end({ mails: neighbours.mails, streams });
      calls.isBusiest = at === NINE;
    });
    halfHours.end({ mails: neighbours.mails, streams });
    clearInterval(memory);
    usage.lookAtMemory();
    await delay(EXPORT);
    const counted = await statements.read();
    const report = {
      date: new Date(),
      people: people.length,
      minutes,
      rate,
      processes: PROCESSES,
      costs,
      calls: callsOf(calls, neighbours.statements),
      processorTime: difference(usage.processorTime(), before),
      halfHours: halfHours.all,
      memory: usage.memory,
      disk: {
        ...difference(await usage.disk(), disk),
        log: Math.round((statSync(log).size - logged) / 1e6),
        whole: await usage.disk(),
      },
      statements: counted.classes,
      metrics: difference(await readMetrics(metricsPort), metrics),
      mails: neighbours.mails,
      streams,
      driverDelay: { p99: milliseconds(delays, 99, 1e6), max: delays.max / 1e6 },
    };
    writeFileSync(REPORT, `${JSON.stringify(report, null, 2)}\n`);
    appendFileSync(PROGRESS, `${JSON.stringify(counted.costly)}\n`);
    return report.calls.map(({ kind, p99, count, failed }) =>
      withoutGoal(kind, p99, 'ms, p99', `${count} calls, ${failed} failed`),
    );
  } finally {
    calls.close();
    await statements.end();
    await client.end();
    await server.stop();
    closeSync(output);
    neighbours.close();
    await database.stop();
  }
}

/** The processor time and the calls of each half-hour, also in a file while the day lasts. */
class HalfHours {
  readonly all: (ProcessorTime & { calls: number })[] = [];
  private last: ProcessorTime & { calls: number };

  constructor(
    private readonly usage: Usage,
    private readonly calls: Client,
  ) {
    rmSync(PROGRESS, { force: true });
    this.last = this.read();
  }

  end(more: object): void {
    const now = this.read();
    const halfHour = difference(now, this.last);
    this.last = now;
    this.all.push(halfHour);
    appendFileSync(PROGRESS, `${JSON.stringify({ date: new Date(), ...halfHour, ...more })}\n`);
  }

  private read() {
    const { usage, calls } = this;
    const sent = [...calls.measured.values()].reduce((sum, { all }) => sum + all.count, 0);
    return { ...usage.processorTime(), calls: sent };
  }
}

/** Of the people, the share of the day gets digests. */
async function prepareDigests(client: pg.Client, share: number): Promise<void> {
  await switchDigests(client, false);
  await client.query('DELETE FROM mail_settings');
  await client.query(
    'INSERT INTO mail_settings (user_id, digest, reminders) SELECT id, false, false FROM users WHERE id % 1000 >= $1',
    [Math.round(share * 1_000)],
  );
}

/** Digests begin with the day, as at seven, and those of former days do not count. */
const switchDigests = async (client: pg.Client, isOn: boolean): Promise<void> => {
  await client.query(
    `INSERT INTO parameters (key, value) VALUES ('mail.digest', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [String(isOn)],
  );
  await client.query(
    'UPDATE task_mail_rounds SET digest_day = NULL, after_user = NULL, next_round = now()',
  );
};

/** The processor time of one of ALONE calls in milliseconds, one after another and after as many. */
async function costOfOne(usage: Usage, start: () => unknown) {
  const all = async () => {
    for (let at = 0; at < ALONE; at++) await start();
  };
  await all();
  const { server, database } = await usage.costOf(all);
  const ofOne = (time: number) => Number((time / ALONE).toFixed(3));
  return { server: ofOne(server), database: ofOne(database) };
}

const milliseconds = (
  histogram: Pick<RecordableHistogram, 'percentile'>,
  percentile: number,
  unit = 1_000,
): number => Number((histogram.percentile(percentile) / unit).toFixed(1));

const figuresOf = (histogram: RecordableHistogram) => ({
  count: histogram.count,
  p50: milliseconds(histogram, 50),
  p99: milliseconds(histogram, 99),
});

function callsOf(calls: Client, statements: Map<string, number>) {
  const traced = new Map<string, number[]>();
  for (const [id, count] of statements) {
    const kind = calls.kindOf(id);
    traced.set(kind, [...(traced.get(kind) ?? []), count]);
  }
  return [...calls.measured].map(([kind, { all, busiest, statuses }]: [string, Measured]) => {
    const ofKind = traced.get(kind) ?? [];
    const failed = Object.entries(statuses).reduce(
      (sum, [status, count]) => sum + (/^2/.test(status) ? 0 : count),
      0,
    );
    return {
      kind,
      ...figuresOf(all),
      max: Number((all.max / 1_000).toFixed(1)),
      failed,
      statuses,
      busiest: figuresOf(busiest),
      traced: ofKind.length,
      reached: ofKind.filter((count) => count > 0).length,
      statements: ofKind.reduce((sum, count) => sum + count, 0),
    };
  });
}

/** Of each number, how much larger it is than before. */
function difference<T extends object>(now: T, before: T): T {
  const former = before as Record<string, number>;
  const entries = Object.entries(now as Record<string, number>).map(([name, value]) => [
    name,
    Number((value - former[name]!).toFixed(2)),
  ]);
  return Object.fromEntries(entries) as T;
}

/** The counters of the server that say what was answered from memory. */
async function readMetrics(
  port: number,
): Promise<Record<'hits' | 'misses' | 'journalReads', number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const valueOf = (name: string): number =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return {
    hits: valueOf('platform_navigation_lookups_total\\{result="hit"\\}'),
    misses: valueOf('platform_navigation_lookups_total\\{result="miss"\\}'),
    journalReads: valueOf('platform_journal_reads_total\\{result="done"\\}'),
  };
}
