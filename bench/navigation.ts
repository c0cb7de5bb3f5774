import { EVERYWHERE, loadPortal, PERSON } from './support/portal-data.js';
import type { Config } from '../src/config/config.js';
import type { Database } from '../src/database/database.js';
import { WorkplaceOverviewService } from '../src/navigation/workplace-overview.service.js';
import { WorkplaceService } from '../src/navigation/workplace.service.js';
import { PlanningDatabase } from './support/plans.js';
import { type PortalServer, startPortalServer } from './support/portal-server.js';

/**
 * The navigation answers over HTTP, on the demonstration portal and on a large one, in one run, call
 * by call in turn, so that a busy machine slows both alike. PLANS=1 prints the plans behind them on
 * the large one, KEEP=1 leaves it running until Ctrl-C.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 300);
const WARM_UP = 30;
const DEMO_PASSWORD = 'Portal-Demo-2026';
const WORKPLACE = '/navigation/workplace';

/** One caller of one portal. */
interface Subject {
  name: string;
  server: PortalServer;
  token: string;
  /** Paths by what they answer. */
  calls: Record<string, string>;
  times: Record<string, number[]>;
  bytes: Record<string, number>;
}

async function get({ server, token }: Subject, path: string): Promise<string> {
  const answer = await fetch(server.base + path, { headers: { 'X-AUTHENTICATION-KEY': token } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.text();
}

/** The calls of a caller: the category with most applications, and its first process with rows. */
async function subject(name: string, server: PortalServer, token: string): Promise<Subject> {
  const made: Subject = { name, server, token, calls: {}, times: {}, bytes: {} };
  const categories = JSON.parse(await get(made, WORKPLACE)) as {
    id: string;
    applications: { id: string; indicator: { count: number } | null }[];
  }[];
  const [largest] = [...categories].sort((a, b) => b.applications.length - a.applications.length);
  const applications = categories.flatMap((category) => category.applications);
  if (applications.some(({ indicator }) => indicator === null)) throw new Error('a counter failed');
  const [busiest] = [...applications].sort((a, b) => b.indicator!.count - a.indicator!.count);
  const tiles = new Set(applications.map(({ id }) => id)).size;
  console.log(
    `${name}: ${categories.length} categories, ${tiles} applications, ${applications.reduce((sum, one) => sum + one.indicator!.count, 0)} counted`,
  );
  made.calls = {
    categories: `${WORKPLACE}/categories`,
    apps: `${WORKPLACE}/apps?category=${largest!.id}`,
    indicator: `${WORKPLACE}/apps/indicator?applicationUri=${busiest!.id}`,
    workplace: WORKPLACE,
  };
  for (const call of Object.keys(made.calls)) made.times[call] = [];
  return made;
}

async function measure(subjects: Subject[]): Promise<void> {
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const one of subjects)
      for (const [call, path] of Object.entries(one.calls)) {
        const started = performance.now();
        const text = await get(one, path);
        if (round >= 0) one.times[call]!.push(performance.now() - started);
        one.bytes[call] = text.length;
      }
}

const quantile = (times: number[], part: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))]!;

function report(subjects: Subject[]): void {
  const [demonstration] = subjects;
  for (const call of Object.keys(demonstration!.calls))
    for (const { name, times, bytes } of subjects) {
      const median = quantile(times[call]!, 0.5);
      const ratio = median / quantile(demonstration!.times[call]!, 0.5);
      console.log(
        `${call.padEnd(12)}${name.padEnd(34)}p50 ${median.toFixed(2).padStart(7)} ms  p99 ${quantile(times[call]!, 0.99).toFixed(2).padStart(7)} ms  ×${ratio.toFixed(2).padStart(5)}  ${bytes[call]} bytes`,
      );
    }
}

/** The plans of all that a person's answers ask the database. */
async function explain({ client }: PortalServer, login: string, calls: Subject['calls']) {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM users WHERE login = $1', [
    login,
  ]);
  const viewer = { id: rows[0]!.id, administrator: false, processEngine: false };
  const database = new PlanningDatabase(client);
  const config = { env: { BASE_PATH: '' } } as Config;
  const service = new WorkplaceService(database as unknown as Database, config);
  const value = (call: string) => calls[call]!.split('=')[1]!;
  await service.categories(viewer);
  await service.applications(value('apps'), viewer);
  await service.indicator(value('indicator'), viewer);
  await new WorkplaceOverviewService(database as unknown as Database, config).load(viewer);
  for (const plan of database.plans) console.log(`\n${login}: ${plan}`);
}

const demonstration = await startPortalServer();
let large: PortalServer | undefined;
try {
  const started = performance.now();
  large = await startPortalServer(loadPortal);
  console.log(`large portal loaded in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  const subjects = [
    await subject(
      'demonstration',
      demonstration,
      await demonstration.signIn('bruno.keller', DEMO_PASSWORD),
    ),
    await subject('large', large, await large.signIn(PERSON)),
    await subject('large, named by every audience', large, await large.signIn(EVERYWHERE)),
  ];
  await measure(subjects);
  report(subjects);
  if (process.env.PLANS) await explain(large, PERSON, subjects[1]!.calls);
} finally {
  await demonstration.stop();
  if (process.env.KEEP) {
    console.log(`kept: ${large?.base}, socket ${large?.client.host}`);
    await new Promise((resolve) => process.once('SIGINT', resolve));
  }
  await large?.stop();
}
