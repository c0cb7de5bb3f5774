import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from 'simple-statistics';
import {
  createBenchFolder,
  removeBenchFolder,
  SYSADMIN_PASSWORD,
} from './support/bench-database.js';
import {
  type BenchServer,
  request,
  startBenchServer,
  SYSADMIN,
  tokenOf,
} from './support/bench-server.js';
import { EVERYWHERE, loadPortal, PERSON } from './support/portal-data.js';

/**
 * Measures the navigation over HTTP on the demonstration portal and on a large one. It alternates call by
 * call between them, so that other load slows both equally. ROUNDS=100 is quicker.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 300);
const WARM_UP = 30;
const DEMO_PASSWORD = 'Portal-Demo-2026';
const WORKPLACE = '/navigation/workplace';

/** One caller of one portal. */
interface Subject {
  name: string;
  server: BenchServer;
  token: string;
  /** Paths by the name of their content. */
  calls: Record<string, string>;
  times: Record<string, number[]>;
  bytes: Record<string, number>;
}

const get = ({ server, token }: Subject, path: string): Promise<string> =>
  request(server, path, { token });

/** The calls of a caller, for the category with most applications and its first process with rows. */
async function subject(name: string, server: BenchServer, token: string): Promise<Subject> {
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

/** Sets a user's password over HTTP as an administrator, and signs in as that user. */
async function signIn(server: BenchServer, login: string): Promise<string> {
  const { port, token } = server;
  const users = '/api/v2/directory/users';
  const [user] = JSON.parse(
    await request(server, `${users}?filters=login:eq:${login}`, { token }),
  ) as { id: string }[];
  const body = { currentPassword: null, password: SYSADMIN_PASSWORD };
  await request(server, `${users}/${user!.id}/password`, { method: 'PUT', token, body });
  return tokenOf(port, { login, password: SYSADMIN_PASSWORD });
}

const folders: string[] = [mkdtempSync(join(tmpdir(), 'process-platform-bench-'))];
const demonstration = await startBenchServer(folders[0]!, {
  login: { login: 'bruno.keller', password: DEMO_PASSWORD },
  env: { DEMO_DATA: 'true' },
});
let large: BenchServer | undefined;
try {
  const started = performance.now();
  folders.push(await createBenchFolder(loadPortal));
  large = await startBenchServer(folders[1]!, { login: SYSADMIN });
  console.log(`large portal loaded in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  const subjects = [
    await subject('demonstration', demonstration, demonstration.token),
    await subject('large', large, await signIn(large, PERSON)),
    await subject('large, named by every audience', large, await signIn(large, EVERYWHERE)),
  ];
  await measure(subjects);
  report(subjects);
} finally {
  await demonstration.stop();
  await large?.stop();
  folders.forEach(removeBenchFolder);
}
