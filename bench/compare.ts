import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from 'simple-statistics';
import { startServerProcess } from '../test/support/server-process.js';
import { processorTime } from './performance/costs.js';
import { compareAlternately, gets, load, type Requests, type Rounds } from './performance/load.js';
import * as workloads from './performance/workloads.js';
import { createBenchFolder, removeBenchFolder } from './support/bench-database.js';
import {
  type BenchServer,
  type Login,
  residentMegabytes,
  startBenchServer,
  SYSADMIN,
} from './support/bench-server.js';
import { DOCUMENTS, loadData } from './support/load-data.js';
import { printTable } from './support/table.js';

type Both<T> = Record<'old' | 'new', T>;

/** A line of the comparison: a ratio of at least 1 means that this build is as good as the old one. */
interface Ratio {
  work: string;
  unit: string;
  old: number;
  new: number;
  /** Ratio of the medians: new to old for rates, old to new for times and memory. */
  ratio: number;
  /** The smallest and the largest ratio of a pair. */
  spread: [number, number];
  /** Milliseconds of processor time of a call, server and PostgreSQL together; other load hardly changes it. */
  cost?: Both<number>;
}

/** A line with a ratio below this is marked. */
const LEAST = 0.95;
const FILE = 'compare-report.json';
const DEMONSTRATION: Login = { login: 'alice.martin', password: 'Portal-Demo-2026' };
/** Number of server starts to measure; each takes a second. */
const STARTS = 3;

export interface CompareOptions extends Rounds {
  /** The checkout of the old build, with its own `dist/` and `node_modules/`. */
  against: string;
  users: number;
  requests: number;
  /** Only workloads whose name contains one of these words are measured; by default all. */
  only?: string[] | undefined;
}

/** Runs an old build and this one alternately on the same data, and prints how they compare. */
export async function compareBuilds(options: CompareOptions): Promise<void> {
  const builds: Both<string> = { old: options.against, new: '.' };
  const ratios: Ratio[] = [];
  const folders: string[] = [];
  const report = (line: Ratio): void => {
    ratios.push(line);
    const { cost } = line;
    const processor = cost ? `; processor time ${(cost.old / cost.new).toFixed(2)}` : '';
    process.stdout.write(
      `${line.ratio.toFixed(2)}  ${line.work}: ${amount(line.old)} to ${amount(line.new)} ${line.unit}${processor}\n`,
    );
  };
  try {
    const portal = await inBoth(() =>
      Promise.resolve(mkdtempSync(join(tmpdir(), 'process-platform-bench-'))),
    );
    folders.push(portal.old, portal.new);
    await onBoth(portal, builds, DEMONSTRATION, async (servers) => {
      await rates(servers, await portalWork(servers), options, report);
    });
    const large = await inBoth((side) =>
      createBenchFolder(
        (client) => loadData(client, { users: options.users, documents: DOCUMENTS }),
        builds[side],
      ),
    );
    folders.push(large.old, large.new);
    report(await starts(large, builds));
    await onBoth(large, builds, SYSADMIN, async (servers) => {
      await rates(servers, await largeWork(servers, options.users), options, report);
      report(await memory(servers, options.requests));
    });
  } finally {
    folders.forEach(removeBenchFolder);
  }
  const { against: _, ...shown } = options;
  writeFileSync(FILE, `${JSON.stringify({ date: new Date(), ...shown, ratios }, null, 2)}\n`);
  printRatios(ratios);
}

async function inBoth<T>(work: (side: 'old' | 'new') => Promise<T>): Promise<Both<T>> {
  return { old: await work('old'), new: await work('new') };
}

async function onBoth(
  folders: Both<string>,
  builds: Both<string>,
  login: Login,
  work: (servers: Both<BenchServer>) => Promise<void>,
): Promise<void> {
  const env: Record<string, string> = { DEMO_DATA: String(login === DEMONSTRATION) };
  const servers = await inBoth((side) =>
    startBenchServer(folders[side], { login, env, build: builds[side] }),
  );
  try {
    await work(servers);
  } finally {
    await servers.old.stop();
    await servers.new.stop();
  }
}

interface Work {
  work: string;
  requests: Both<Requests>;
  connections?: number;
}

async function portalWork(servers: Both<BenchServer>): Promise<Work[]> {
  const reads = await inBoth((side) => workloads.navigationReads(servers[side]));
  const passwords = await inBoth((side) => workloads.passwordSignIns(servers[side]));
  const keys = await inBoth((side) => workloads.keySignIns(servers[side]));
  return [
    ...Object.keys(reads.new).map((work) => ({
      work,
      requests: { old: reads.old[work]!, new: reads.new[work]! },
    })),
    { work: 'sign-in by password', requests: passwords },
    ...keys.new.map(({ work, connections, requests }, at) => ({
      work: `${work}, ${connections} connections`,
      requests: { old: keys.old[at]!.requests, new: requests },
      connections,
    })),
  ];
}

async function largeWork(servers: Both<BenchServer>, users: number): Promise<Work[]> {
  const made = async (
    work: string,
    make: (server: BenchServer) => Requests | Promise<Requests>,
    connections?: number,
  ): Promise<Work> => ({
    work,
    requests: await inBoth(async (side) => make(servers[side])),
    ...(connections === undefined ? {} : { connections }),
  });
  const single = (work: string, path: string, headers: Record<string, string> = {}) =>
    made(
      work,
      ({ token }) =>
        gets([path], token).map((one) => ({ ...one, headers: { ...one.headers, ...headers } })),
      1,
    );
  return Promise.all([
    made('page of 50 users', workloads.pages),
    made('a constant', workloads.constant),
    made('one user, detailed', workloads.singleUsers),
    made('search, page of 20', workloads.searches),
    ...Object.entries(workloads.LIST_READS).map(([work, path]) =>
      made(work, ({ token }) => gets([path], token)),
    ),
    ...workloads.FILTERS.map((query) => single(query, `${workloads.PAGE}&${query}`)),
    ...Object.entries(workloads.COUNTS).map(([work, path]) =>
      single(`exact count ${work}`, path, workloads.COUNT),
    ),
    ...Object.entries(workloads.deepPages(users)).map(([work, path]) => single(work, path)),
    made('POST of a user', workloads.userPosts),
    made('PATCH of a user', workloads.userPatches),
  ]);
}

async function rates(
  servers: Both<BenchServer>,
  works: Work[],
  { seconds, pairs, only }: CompareOptions,
  report: (line: Ratio) => void,
): Promise<void> {
  for (const { work, requests, connections } of works) {
    if (only && !only.some((word) => work.includes(word))) continue;
    const spent: Both<number[]> = { old: [], new: [] };
    const run = (side: 'old' | 'new') => async () => {
      const before = processorTime(servers[side]);
      const result = await load(servers[side].port, requests[side], { seconds, connections });
      const after = processorTime(servers[side]);
      const used = after.server - before.server + after.database - before.database;
      spent[side].push((used / result.total) * 1_000);
      return result;
    };
    const { ours, other, ratios } = await compareAlternately(
      { ours: run('new'), other: run('old') },
      pairs,
    );
    report({
      work,
      unit: 'a second',
      old: other.rate,
      new: ours.rate,
      ratio: ours.rate / other.rate,
      spread: [Math.min(...ratios), Math.max(...ratios)],
      cost: { old: median(spent.old.slice(1)), new: median(spent.new.slice(1)) },
    });
  }
}

async function starts(folders: Both<string>, builds: Both<string>): Promise<Ratio> {
  const times: Both<number[]> = { old: [], new: [] };
  for (let pair = -1; pair < STARTS; pair++)
    for (const side of ['old', 'new'] as const) {
      const server = await startServerProcess(
        {},
        { cwd: folders[side], build: builds[side], discard: true },
      );
      if (pair >= 0) times[side].push(server.startTime / 1_000);
      await server.stop();
    }
  return ratioOf('start on the large database', 's', times);
}

/** Compares resident memory after the same requests. */
async function memory(servers: Both<BenchServer>, amount: number): Promise<Ratio> {
  const used = await inBoth(async (side) => {
    const server = servers[side];
    await load(server.port, workloads.mixedReads(server), { amount });
    return [residentMegabytes(server.pid)];
  });
  return ratioOf(`memory after ${amount.toLocaleString('en')} more requests`, 'MB', used);
}

function ratioOf(work: string, unit: string, values: Both<number[]>): Ratio {
  const ratios = values.new.map((value, at) => values.old[at]! / value);
  const [before, now] = [median(values.old), median(values.new)];
  return {
    work,
    unit,
    old: before,
    new: now,
    ratio: before / now,
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

const amount = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);

function printRatios(ratios: Ratio[]): void {
  printTable(
    ['work', 'unit', 'old', 'new', 'ratio', 'pairs', 'ms of processor time', 'ratio', ''],
    ratios.map(({ work, unit, old, new: now, ratio, spread, cost }) => [
      work,
      unit,
      amount(old),
      amount(now),
      ratio.toFixed(2),
      spread.map((one) => one.toFixed(2)).join(' to '),
      cost ? `${cost.old.toFixed(2)} to ${cost.new.toFixed(2)}` : '',
      cost ? (cost.old / cost.new).toFixed(2) : '',
      ratio < LEAST ? 'WORSE' : '',
    ]),
  );
  const worse = ratios.filter(({ ratio }) => ratio < LEAST).length;
  process.stdout.write(`\n${worse} of ${ratios.length} below ${LEAST}; ${FILE}\n`);
}
