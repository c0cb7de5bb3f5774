import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.js';
import { startServerProcess } from '../test/support/server-process.js';
import { compareBuilds } from './compare.js';
import { type Cost, costs } from './performance/costs.js';
import { bridge } from './performance/bridge.js';
import { day } from './performance/day/day.js';
import { loadPortal } from './performance/day/portal.js';
import { deliveries } from './performance/deliveries.js';
import { feed, FEED_USERS } from './performance/feed.js';
import { growth, type Growth, resultOf } from './performance/growth.js';
import { gets, type Requests } from './performance/load.js';
import { type HandWritten, startPlainServers } from './performance/hand-written.js';
import { journal } from './performance/journal.js';
import { memory } from './performance/memory.js';
import { provisioning } from './performance/provisioning.js';
import { mainReads, navigationReads } from './performance/reads.js';
import { atMost, printResult, type Result } from './performance/result.js';
import { confinedReads } from './performance/rights.js';
import { streams } from './performance/streams.js';
import { suggestions } from './performance/suggestions.js';
import { LISTS, sweep } from './performance/sweep.js';
import * as workloads from './performance/workloads.js';
import { workers } from './performance/workers.js';
import { signIns, userWrites } from './performance/writes.js';
import { createBenchFolder, removeBenchFolder } from './support/bench-database.js';
import {
  type BenchServer,
  type Login,
  startBenchServer,
  SYSADMIN,
} from './support/bench-server.js';
import { DOCUMENTS, loadData, type Sizes } from './support/load-data.js';

/**
 * Compares the speed of the server with hand-written servers and with itself: `npm run bench`. It creates
 * databases with few users and with many, starts the built server and the others on them, and measures them
 * alternately. `--users 100000 --seconds 1 --requests 50000` is quicker; `--keep` keeps the large database,
 * `--folder` reuses it; `--only writes,reads` selects parts. `--only sweep` loads a database of its own: `--drawn 200`
 * draws fewer lists, `--lists users,audit` loads and sweeps only these, `--seed` repeats a run.
 * `--only day --users 50000 --minutes 60 --rate 4` lives a working day, in a database of its own, with four times the calls a second of a real one.
 * `--only growth --users 3000000 --tasks 10000000 --audit 5000000` reads at powers of ten up to these, `--folder` reuses their databases; `--only journal --open 600` reads the journal beside a
 * transaction that stays open for 600 seconds. `--against DIR` instead compares the build in another checkout with this one;
 * `--only page,POST` then selects the lines that contain one of these words.
 */
const { values: options } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    few: { type: 'string', default: '10000' },
    tasks: { type: 'string', default: '1000000' },
    audit: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '3' },
    pairs: { type: 'string', default: '5' },
    open: { type: 'string', default: '15' },
    minutes: { type: 'string', default: '3' },
    rate: { type: 'string', default: '4' },
    requests: { type: 'string', default: '500000' },
    drawn: { type: 'string', default: '2000' },
    lists: { type: 'string', default: Object.keys(LISTS).join() },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    folder: { type: 'string' },
    keep: { type: 'boolean', default: false },
    only: { type: 'string' },
    against: { type: 'string' },
  },
});
const users = Number(options.users);
const few = Number(options.few);
const requests = Number(options.requests);
const rounds = { seconds: Number(options.seconds), pairs: Number(options.pairs) };
const only = options.only?.split(',');

const FILE = 'bench-report.json';
const DEMONSTRATION: Login = { login: 'alice.martin', password: 'Portal-Demo-2026' };

/** The parts that do not share the database with many users. */
const PORTAL_PARTS = new Set([
  ...['portal', 'journal', 'deliveries', 'streams', 'bridge', 'growth', 'sweep', 'day'],
]);

/** The applications to which the tasks of the sweep belong. */
const SWEPT_TILES = 200;

const results: Result[] = [];
const prices: Cost[] = [];
let grown: Growth | undefined;
const folders: string[] = [];
const running: { stop(): Promise<void> }[] = [];

/** Runs a part of the report unless `--only` excludes it. */
async function part(name: string, work: () => Promise<Result[]>): Promise<void> {
  if (only && !only.includes(name)) return;
  process.stdout.write(`\n${name}\n`);
  for (const result of await work()) {
    printResult(result);
    results.push(result);
  }
}

/** Records the processor time of calls. It has no goal, because sizing is calculated from it. */
async function price(server: BenchServer, works: Record<string, Requests>): Promise<void> {
  for (const one of await costs(server, works, rounds)) {
    prices.push(one);
    process.stdout.write(
      `       ${one.work}: ${one.server} ms of the server, ${one.database} of PostgreSQL\n`,
    );
  }
}

interface Measured {
  server: BenchServer;
  plain: HandWritten;
  best: HandWritten;
}

/** The numbers of tasks to measure at: from few on, ten times as many at each step. */
function stepsTo(most: number): number[] {
  const steps: number[] = [];
  for (let rows = few; rows < most; rows *= 10) steps.push(rows);
  return [...steps, most];
}

async function startAll(
  folder: string,
  login: Login,
  env: Record<string, string> = {},
): Promise<Measured> {
  const server = await startBenchServer(folder, { login, env });
  const others = await startPlainServers(server, login);
  running.push(others.plain, others.best, server);
  return { server, ...others };
}

async function databaseWith(count: number, more: Partial<Sizes> = {}): Promise<string> {
  const folder = await createBenchFolder((client) =>
    loadData(client, { users: count, documents: DOCUMENTS, ...more }),
  );
  folders.push(folder);
  return folder;
}

async function measure(): Promise<void> {
  await part('portal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-bench-'));
    folders.push(folder);
    const env = { DEMO_DATA: 'true' };
    const first = await startServerProcess(env, { cwd: folder, discard: true });
    await first.stop();
    const portal = await startAll(folder, DEMONSTRATION, env);
    const start = first.startTime / 1_000;
    const made = [
      atMost('first start with demonstration data', start, 10, 's'),
      ...(await navigationReads(portal.server, portal.best, rounds)),
      ...(await signIns(portal.server, DEMONSTRATION.password, rounds)),
    ];
    await price(portal.server, {
      ...(await workloads.navigationReads(portal.server)),
      'signing in with a password': await workloads.passwordSignIns(portal.server),
    });
    await stopAll();
    return made;
  });
  await part('journal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-bench-'));
    folders.push(folder);
    const env = { DEMO_DATA: 'true' };
    const portal = await startBenchServer(folder, { login: DEMONSTRATION, env });
    running.push(portal);
    const made = await journal(portal, rounds, Number(options.open));
    await stopAll();
    return made;
  });
  await part('deliveries', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-bench-'));
    folders.push(folder);
    const env = { DEMO_DATA: 'true', SECRETS_KEY: 'a-key-of-the-bench-with-32-characters' };
    const portal = await startBenchServer(folder, { login: DEMONSTRATION, env });
    running.push(portal);
    const made = await deliveries(portal);
    await stopAll();
    return made;
  });
  await part('streams', async () => {
    const folder = await createBenchFolder(() => Promise.resolve());
    folders.push(folder);
    const metricsPort = await freePort();
    const env = { METRICS_PORT: String(metricsPort) };
    const server = await startBenchServer(folder, { login: SYSADMIN, env });
    running.push(server);
    const made = await streams(server, metricsPort);
    await stopAll();
    return made;
  });
  await part('bridge', async () => {
    const folder = await createBenchFolder(() => Promise.resolve());
    folders.push(folder);
    const server = await startBenchServer(folder, { login: SYSADMIN });
    running.push(server);
    const made = await bridge(server);
    await stopAll();
    return made;
  });
  await part('growth', async () => {
    const audit = Number(options.audit);
    const steps = stepsTo(Number(options.tasks));
    const kept = options.folder?.split(',') ?? [];
    const servers: BenchServer[] = [];
    for (const [at, tasks] of steps.entries()) {
      const lines = Math.min(tasks, audit);
      const folder =
        kept[at] ??
        (await databaseWith(Math.min(tasks, users), { tiles: SWEPT_TILES, tasks, audit: lines }));
      const server = await startBenchServer(folder, { login: SYSADMIN });
      servers.push(server);
      running.push(server);
    }
    const reads = await growth(servers);
    grown = { date: new Date(), steps, users, audit, reads };
    await stopAll();
    return reads.map(resultOf);
  });
  await part('sweep', async () => {
    const lists = options.lists.split(',');
    const rowsOf = (name: string, others: number): number =>
      lists.includes(name) ? users : others;
    const folder =
      options.folder ??
      (await databaseWith(rowsOf('users', few), {
        documents: rowsOf('documents', DOCUMENTS),
        tasks: rowsOf('tasks', 0),
        tiles: SWEPT_TILES,
        audit: rowsOf('audit', 0),
      }));
    const server = await startBenchServer(folder, { login: SYSADMIN });
    running.push(server);
    const [seed, drawn] = [Number(options.seed), Number(options.drawn)];
    const made = await sweep(server, { lists, seed, drawn });
    await stopAll();
    return made;
  });
  // Only on demand: it takes as long as it says.
  if (only?.includes('day'))
    await part('day', async () => {
      const folder =
        options.folder ?? (await createBenchFolder((client) => loadPortal(client, users)));
      if (options.folder === undefined) folders.push(folder);
      return day(folder, { minutes: Number(options.minutes), rate: Number(options.rate) });
    });
  if (only?.every((name) => PORTAL_PARTS.has(name))) return;
  const large = await startAll(options.folder ?? (await databaseWith(users)), SYSADMIN);
  const { server } = large;
  await part('start', () =>
    Promise.resolve([atMost(`start on ${users} users`, server.startTime / 1_000, 2, 's')]),
  );
  await part('reads', () => mainReads(server, large, rounds));
  await part('rights', () => confinedReads(server, rounds));
  await part('suggestions', () => suggestions(server, rounds));
  await part('costs', async () => {
    await price(server, {
      'the session behind a token': workloads.session(server),
      'a page of 50 users by name': gets(
        [workloads.LIST_READS['page by last name']!],
        server.token,
      ),
      'one user, detailed': await workloads.singleUsers(server),
      'a search for a common word': workloads.searches(server),
      'a search for a rare word': workloads.rareSearch(server),
      'creating a user': workloads.userPosts(server),
    });
    await workloads.removeWritten(server);
    return [];
  });
  await part('feed', async () => {
    const one = await startBenchServer(await databaseWith(FEED_USERS), { login: SYSADMIN });
    running.push(one);
    return feed(one);
  });
  await part('writes', () => userWrites(server, large.best, rounds));
  await part('provisioning', () => provisioning(server, rounds));
  await part('workers', async () => [await workers(server, rounds)]);
  await part('memory', () => memory(server, requests));
}

async function stopAll(): Promise<void> {
  for (const one of running.splice(0)) await one.stop();
}

async function report(): Promise<void> {
  try {
    await measure();
  } finally {
    await stopAll();
    if (options.keep) process.stdout.write(`kept: ${folders.join(', ')}\n`);
    else folders.forEach(removeBenchFolder);
  }
  const made = { date: new Date(), users, few, rounds, results, costs: prices, growth: grown };
  writeFileSync(FILE, `${JSON.stringify(made, null, 2)}\n`);
  const met = results.filter((result) => result.met).length;
  process.stdout.write(`\n${met} of ${results.length} goals met; ${FILE}\n`);
}

const { against } = options;
if (against === undefined) await report();
else await compareBuilds({ against, users, requests, only, ...rounds });
