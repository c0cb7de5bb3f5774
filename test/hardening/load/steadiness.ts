import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Harness, QUIET, startHarness, tokenOf } from '../harness.js';
import { measure, rounds, type Section } from '../report-row.js';
import { attempt, keepAlive, keepCalling, tally } from '../traffic.js';
import type { ServerProcess } from '../../support/server-process.js';

/** At SIGUSR2 the process collects garbage and prints its heap and the delay of its event loop. */
const PRELOAD = `data:text/javascript,${encodeURIComponent(`
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  process.on('SIGUSR2', () => {
    const late = { p99: delays.percentile(99) / 1e6, max: delays.max / 1e6 };
    global.gc();
    process.stderr.write('PROBE ' + JSON.stringify({ heap: process.memoryUsage().heapUsed, ...late }) + '\\n');
    setTimeout(() => delays.reset(), 50);
  });
`)}`;

/** D1, D2: memory, handles and the event loop over many mixed requests. */
export const steadiness: Section = async ({ scale }, report) => {
  const harness = await startHarness({ env: QUIET });
  try {
    const server = await harness.serve({}, ['--expose-gc', '--import', PRELOAD]);
    const token = await tokenOf(server.port, 'alice.martin');
    const warmUp = await requests(server, token, rounds(20_000, scale));
    const before = await look(harness, server);
    const samples: { count: number; rss: number }[] = [];
    let count = 0;
    const total = rounds(500_000, scale);
    let tallied = '';
    const step = Math.ceil(total / 20);
    while (count < total) {
      tallied = await requests(server, token, step);
      count += step;
      samples.push({ count, rss: rssOf(server) });
    }
    const after = await look(harness, server);
    await measure(
      {
        id: 'D1',
        goal: '500,000 mixed requests: RSS ≤1 MB per 100,000, heap ±5 %, handles and sessions ±5',
      },
      report,
      () => Promise.resolve(judge(before, after, samples, tallied)),
    );
    await measure(
      { id: 'D2', goal: 'the event loop during these is late p99 ≤50 ms, at most 250 ms' },
      report,
      () =>
        Promise.resolve({
          figure: `p99 ${after.p99.toFixed(1)} ms, at most ${after.max.toFixed(1)} ms (warm-up ${warmUp})`,
          met: after.p99 <= 50 && after.max <= 250,
        }),
    );
  } finally {
    await harness.stop();
  }
};

const PATHS = [
  '/api/v2/directory/users?range=0-25',
  '/api/v2/directory/users/me',
  '/api/v2/directory/groups?sorter=label',
  '/navigation/workplace',
  '/navigation/search/workplace?searchName=Users&searchField=quickSearch&query=al',
  '/api/v2/directory/users?filters=lastName:starts:M',
  '/nothing',
  '/api/v2/directory/users?range=x',
];

async function requests(server: ServerProcess, token: string, count: number): Promise<string> {
  const agent = keepAlive(16);
  let sent = 0;
  const one = async () => {
    const index = sent++;
    if (index % 50 === 49)
      return attempt(server.port, '/api/v2/content/documents', {
        method: 'POST',
        token,
        agent,
        body: { title: `Steady ${index}` },
      });
    return attempt(server.port, PATHS[index % PATHS.length]!, { token, agent });
  };
  const traffic = keepCalling(16, one);
  while (sent < count) await delay(20);
  await traffic.stop();
  agent.destroy();
  return tally(traffic.outcomes);
}

const rssOf = ({ child }: ServerProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024;

async function look(harness: Harness, server: ServerProcess) {
  await delay(500);
  server.child.kill('SIGUSR2');
  await delay(500);
  const probe = JSON.parse(/PROBE (.*)\n(?![^]*PROBE)/.exec(server.printed())![1]!) as {
    heap: number;
    p99: number;
    max: number;
  };
  const [{ sessions }] = (await harness.query(
    `SELECT count(*)::int AS sessions FROM pg_stat_activity WHERE application_name LIKE 'process-platform%'`,
  )) as [{ sessions: number }];
  return { ...probe, sessions, handles: readdirSync(`/proc/${server.child.pid}/fd`).length };
}

type Look = Awaited<ReturnType<typeof look>>;

function judge(
  before: Look,
  after: Look,
  samples: { count: number; rss: number }[],
  tallied: string,
) {
  const slope = slopeOf(samples) * 100_000;
  const heap = (100 * (after.heap - before.heap)) / before.heap;
  return {
    figure: `${samples.at(-1)!.count} requests: RSS ${slope.toFixed(1)} MB per 100,000 (${samples[0]!.rss.toFixed(0)} to ${samples.at(-1)!.rss.toFixed(0)} MB), heap ${heap.toFixed(1)} %, handles ${before.handles} to ${after.handles}, sessions ${before.sessions} to ${after.sessions}; last part ${tallied}`,
    met:
      slope <= 1 &&
      Math.abs(heap) <= 5 &&
      Math.abs(after.handles - before.handles) <= 5 &&
      Math.abs(after.sessions - before.sessions) <= 5,
  };
}

/** The slope of resident memory by least squares, in MB per request. */
function slopeOf(samples: { count: number; rss: number }[]): number {
  const n = samples.length;
  const meanX = samples.reduce((sum, { count }) => sum + count, 0) / n;
  const meanY = samples.reduce((sum, { rss }) => sum + rss, 0) / n;
  const above = samples.reduce((sum, { count, rss }) => sum + (count - meanX) * (rss - meanY), 0);
  const below = samples.reduce((sum, { count }) => sum + (count - meanX) ** 2, 0);
  return below === 0 ? 0 : above / below;
}
