import { Agent } from 'node:http';
import pg from 'pg';
import { makeUser, openDoors, settle } from './prepare.js';
import { areaUnderCurve } from './statistics.js';
import { type Harness, signIn, startHarness, tokenOf } from '../harness.js';
import type { Section } from '../report-row.js';
import type { ServerProcess } from '../../support/server-process.js';

const ANSWER_EARLY = new URL('../preload/answer-early.js', import.meta.url).href;

/** Number of requests of each kind, and the bounds of three standard deviations for this number. */
const REQUESTS = 500;
const BOUND = 0.055;

/** Two kinds of rejected attempts that must take the same time. */
interface Pair {
  name: string;
  a: [login: string, password: string];
  b: [login: string, password: string];
}

const PAIRS: Pair[] = [
  { name: 'known and unknown', a: ['known', 'wrong'], b: ['unknown', 'wrong'] },
  { name: 'open and locked', a: ['open', 'wrong'], b: ['locked', 'wrong'] },
  {
    name: 'password and API key',
    a: ['known.too', 'wrong'],
    b: ['known.too', `ppk_${'x'.repeat(43)}`],
  },
];

/** B2: the time of an error reveals nothing, and a positive control shows that the measurement would notice. */
export const timing: Section = async ({ scale }, report) => {
  const requests = Math.max(50, Math.round(REQUESTS * scale));
  const bound = BOUND * Math.sqrt(REQUESTS / requests);
  const harness = await startHarness();
  await openDoors(harness);
  let server = await harness.serve();
  await settle();
  const admin = await tokenOf(server.port, 'alice.martin');
  for (const login of ['known', 'known.too', 'open', 'locked'])
    await makeUser(server.port, admin, login);
  for (const state of ['cold', 'warm']) {
    if (state === 'cold') {
      await server.stop();
      server = await harness.serve();
    }
    // All pairs together, each on one connection: a disturbance affects both kinds of a pair.
    const areas = await Promise.all(PAIRS.map((pair) => measure(harness, server, pair, requests)));
    report({
      id: 'B2',
      goal: `refusals cannot be told apart by time, ${state}: AUC within 0.5 ± ${bound.toFixed(3)} for ${requests} and ${requests}`,
      figure: PAIRS.map(({ name }, at) => `${name} ${areas[at]!.toFixed(3)}`).join(', '),
      met: areas.every((area) => Math.abs(area - 0.5) <= bound),
    });
  }
  await server.stop();
  const early = await harness.serve({}, ['--import', ANSWER_EARLY]);
  const area = await measure(harness, early, PAIRS[0]!, Math.min(100, requests));
  report({
    id: 'B2',
    goal: 'positive control, a server that answers early for an unknown login: AUC above 0.9 (or below 0.1)',
    figure: `known and unknown ${area.toFixed(3)}`,
    met: Math.abs(area - 0.5) > 0.4,
  });
  await harness.stop();
};

async function measure(
  harness: Harness,
  server: ServerProcess,
  { a, b }: Pair,
  requests: number,
): Promise<number> {
  const client = await harness.connect();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const durations: [number[], number[]] = [[], []];
  for (let at = 0; at < 2 * requests; at++) {
    const kind = (at + Math.floor(at / 2)) % 2;
    const [login, password] = kind === 0 ? a : b;
    await setLock(client, a[0], login === 'locked');
    if (login === 'locked') await setLock(client, 'locked', true);
    const { status, duration } = await signIn(server.port, login, password, { agent });
    if (status !== 401) throw new Error(`answered ${status}`);
    durations[kind as 0 | 1].push(duration);
  }
  agent.destroy();
  return areaUnderCurve(...durations);
}

/** Resets an account before each attempt: an open one has no failures, a locked one is locked. */
async function setLock(client: pg.Client, login: string, locked: boolean): Promise<void> {
  await client.query(
    `INSERT INTO sign_ins (user_id, failures, locked_until)
      SELECT id, $2::integer, CASE WHEN $2 > 0 THEN now() + interval '1 hour' END FROM users WHERE login = $1
      ON CONFLICT (user_id) DO UPDATE SET failures = excluded.failures, locked_until = excluded.locked_until`,
    [login, locked ? 10 : 0],
  );
}
