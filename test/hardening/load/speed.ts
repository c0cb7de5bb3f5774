import { setTimeout as delay } from 'node:timers/promises';
import { type Harness, QUIET, signIn, startHarness, tokenOf } from '../harness.js';
import { measure, rounds, type Section } from '../report-row.js';
import { attempt, keepAlive, keepCalling, type Outcome, quantileOf, tally } from '../traffic.js';
import { addUsers } from '../../support/many-users.js';
import type { ServerProcess } from '../../support/server-process.js';

const USERS = '/api/v2/directory/users';
const SEARCH = '/navigation/search/workplace?searchName=Users&searchField=quickSearch&query=';

/** D3, D4, D5: sign-ins beside reads, reads of many users, the most expensive requests allowed. */
export const speed: Section = async ({ scale }, report) => {
  const harness = await startHarness({ env: QUIET });
  try {
    const count = rounds(100_000, Math.max(scale, 0.1));
    await addUsers((text) => harness.query(text), count);
    const server = await harness.serve();
    const token = await tokenOf(server.port, 'alice.martin');
    const seconds = Math.max(4, 20 * scale);
    await measure(
      {
        id: 'D3',
        goal: 'sign-ins with a password ≥60/s, p99 ≤400 ms, beside reads with p99 ≤150 ms',
      },
      report,
      () => signIns(harness, server, token, seconds),
    );
    await measure(
      {
        id: 'D4',
        goal: 'page of 50 of 100,000 users ≥400/s and p99 ≤100 ms; last page p99 ≤300 ms; search p99 ≤100 ms',
      },
      report,
      () => reads(server, token, count, seconds),
    );
    await measure(
      { id: 'D5', goal: 'the worst calls allowed: each ≤5 s; 20 at once leave reads p99 ≤1 s' },
      report,
      () => worst(server, token, count, seconds),
    );
  } finally {
    await harness.stop();
  }
};

const durations = (outcomes: Outcome[]): number[] => outcomes.map(({ duration }) => duration);
const p99 = (outcomes: Outcome[]): number => quantileOf(durations(outcomes), 0.99);

async function run(callers: number, seconds: number, one: () => Promise<Outcome>) {
  const traffic = keepCalling(callers, one);
  await delay(seconds * 1_000);
  await traffic.stop();
  return traffic.outcomes;
}

async function signIns(harness: Harness, server: ServerProcess, token: string, seconds: number) {
  const logins = await harness.query<{ login: string }>(
    `SELECT login FROM users JOIN passwords ON user_id = id WHERE NOT sysadmin AND status = 1 ORDER BY id LIMIT 100`,
  );
  let next = 0;
  const agent = keepAlive(32);
  const [entered, read] = await Promise.all([
    run(16, seconds, async () => {
      const at = performance.now();
      const { login } = logins[next++ % logins.length]!;
      const { status, duration } = await signIn(server.port, login, undefined, { agent });
      return { status, duration, at };
    }),
    run(2, seconds, () => attempt(server.port, `${USERS}?range=0-10`, { token, agent })),
  ]);
  agent.destroy();
  const perSecond = entered.filter(({ status }) => status === 200).length / seconds;
  return {
    figure: `${perSecond.toFixed(0)} sign-ins/s (${tally(entered)}), p99 ${p99(entered).toFixed(0)} ms; reads beside them p99 ${p99(read).toFixed(0)} ms (${tally(read)})`,
    met: perSecond >= 60 && p99(entered) <= 400 && p99(read) <= 150,
  };
}

async function reads(server: ServerProcess, token: string, count: number, seconds: number) {
  const agent = keepAlive(16);
  const get = (path: string) => () => attempt(server.port, path, { token, agent });
  await run(8, 2, get(`${USERS}?range=0-50`));
  const page = await run(8, seconds, get(`${USERS}?range=0-50`));
  const last = await run(2, seconds / 2, get(`${USERS}?range=${count - 50}-50&sorter=lastName`));
  const words = ['alice', 'last3', 'first12', 'many.77', 'function 3'];
  let next = 0;
  const search = await run(4, seconds / 2, () =>
    get(`${SEARCH}${encodeURIComponent(words[next++ % words.length]!)}`)(),
  );
  agent.destroy();
  const perSecond = page.length / seconds;
  const others = [...page, ...last, ...search].filter(({ status }) => status !== 200);
  return {
    figure: `${count} users: ${perSecond.toFixed(0)} pages/s, p99 ${p99(page).toFixed(0)} ms; last page p99 ${p99(last).toFixed(0)} ms; search p99 ${p99(search).toFixed(0)} ms${others.length > 0 ? `; ${tally(others)}` : ''}`,
    met:
      perSecond >= 400 &&
      p99(page) <= 100 &&
      p99(last) <= 300 &&
      p99(search) <= 100 &&
      others.length === 0,
  };
}

/** Paths within the limits that no index speeds up. */
function worstPaths(count: number): string[] {
  const many = Array.from({ length: 20 }, (_, n) => `filters=description:contains:x${n}`).join('&');
  return [
    `${USERS}?${many}&filterMode=or&responseMode=user`,
    `${USERS}?range=${count - 500}-500&sorter=-title,-nickName,phoneNumber`,
    `${USERS}?filters=email:contains:e&filters=title:contains:a&filters=login:contains:9&sorter=-email`,
    `${SEARCH}${encodeURIComponent('a e i o u 1 2 3 4 5 6 7 8 9')}`,
    `${SEARCH}e`,
  ];
}

async function worst(server: ServerProcess, token: string, count: number, seconds: number) {
  const agent = keepAlive(64);
  const get = (path: string) => attempt(server.port, path, { token, agent });
  const alone: Outcome[] = [];
  for (const path of worstPaths(count)) alone.push(await get(path));
  let next = 0;
  const paths = worstPaths(count);
  const [heavy, normal] = await Promise.all([
    run(20, seconds, () => get(paths[next++ % paths.length]!)),
    run(4, seconds, () => get(`${USERS}?range=0-10`)),
  ]);
  agent.destroy();
  const slowest = Math.max(...durations(alone));
  const failed = normal.filter(({ status }) => status !== 200);
  return {
    figure: `${count} users: alone ${alone.map(({ status, duration }) => `${status} ${duration.toFixed(0)} ms`).join(', ')}; 20 at once ${tally(heavy)}, slowest ${Math.max(...durations(heavy)).toFixed(0)} ms; reads beside them p99 ${p99(normal).toFixed(0)} ms (${tally(normal)})`,
    met:
      slowest <= 5_000 &&
      Math.max(...durations(heavy)) <= 6_000 &&
      p99(normal) <= 1_000 &&
      failed.length === 0,
  };
}
