import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { progress } from '../../../src/command-line/progress.js';
import { makeUser, openDoors, setParameter, settle } from './prepare.js';
import { quantile } from 'simple-statistics';
import { type Harness, signIn, startHarness, tokenOf } from '../harness.js';
import type { ReportRow, Section } from '../report-row.js';
import type { ServerProcess } from '../../support/server-process.js';

const COUNT_HASHES = new URL('../preload/count-hashes.js', import.meta.url).href;
const INSTANCES = 4;
const DAY = 86_400;

type Report = (row: ReportRow) => void;

/** B3 to B6: guessing costs the guesser, and not the owner of the account. */
export const guesses: Section = async ({ scale }, report) => {
  const harness = await startHarness();
  const servers = await Promise.all(
    Array.from({ length: INSTANCES }, () => harness.serve({}, ['--import', COUNT_HASHES])),
  );
  await openDoors(harness);
  await settle();
  const admin = await tokenOf(servers[0]!.port, 'alice.martin');
  await parallel(harness, servers, admin, report);
  await consecutive(harness, admin, report);
  await ownerGetsIn(servers, admin, report);
  await unknownLogins(harness, servers[0]!, Math.round(1_000_000 * scale), report);
  await harness.stop();
};

async function parallel(
  harness: Harness,
  servers: ServerProcess[],
  admin: string,
  report: Report,
): Promise<void> {
  const id = await makeUser(servers[0]!.port, admin, 'guessed');
  const before = await evaluations(servers);
  const wrong = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      signIn(servers[at % INSTANCES]!.port, 'guessed', 'wrong'),
    ),
  );
  const hashes = (await evaluations(servers)) - before;
  const refused = wrong.filter(({ status }) => status === 401).length;
  const rows = await harness.query<{ failures: number }>(
    'SELECT failures FROM sign_ins WHERE user_id = $1',
    [id],
  );
  await makeUser(servers[0]!.port, admin, 'hurried');
  const right = await Promise.all(
    Array.from({ length: 50 }, (_, at) => signIn(servers[at % INSTANCES]!.port, 'hurried')),
  );
  const accepted = right.filter(({ status }) => status === 200).length;
  report({
    id: 'B3',
    goal: `200 parallel wrong passwords on ${INSTANCES} instances: at most 10 evaluations; 50 right ones: 50 × 200`,
    figure: `${hashes} evaluations of argon2, ${refused} × 401, ${rows[0]?.failures} failures counted; right ones: ${right
      .map(({ status }) => status)
      .sort()
      .join(' ')}`,
    met: hashes <= 10 && refused === 200 && accepted === 50,
  });
}

/** The number of passwords that all instances have evaluated. */
async function evaluations(servers: ServerProcess[]): Promise<number> {
  const counts = servers.map(async (server) => {
    const { length } = server.printed();
    server.child.kill('SIGUSR2');
    for (;;) {
      const found = /evaluations (\d+)\n/.exec(server.printed().slice(length));
      if (found) return Number(found[1]);
      await delay(5);
    }
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/**
 * Counts the failures that fit into 24 hours when the guesser tries as soon as a lock ends. Moving the end of
 * the lock in the database makes time pass; the server is restarted in between.
 */
async function consecutive(harness: Harness, admin: string, report: Report): Promise<void> {
  const found: string[] = [];
  let worst = 0;
  for (const [failures, duration] of [
    [10, 900],
    [50, 30],
    [3, 30],
  ]) {
    await setParameter(harness, 'security.Lock.failures', String(failures));
    await setParameter(harness, 'security.Lock.duration', String(duration));
    let server = await harness.serve();
    const login = `patient.${failures}.${duration}`;
    const id = await makeUser(server.port, admin, login);
    let [elapsed, count] = [0, 0];
    for (; elapsed < DAY; count++) {
      await signIn(server.port, login, 'wrong');
      const rows = await harness.query<{ wait: string | null; failures: number }>(
        `SELECT extract(epoch FROM locked_until - now()) AS wait, failures FROM sign_ins WHERE user_id = $1`,
        [id],
      );
      if (rows[0]!.failures !== count + 1) throw new Error('a failure was not counted');
      elapsed += Number(rows[0]!.wait ?? 0);
      await harness.query(
        `UPDATE sign_ins SET locked_until = now() - interval '1 second' WHERE user_id = $1 AND locked_until IS NOT NULL`,
        [id],
      );
      if (count === failures) {
        await server.stop();
        server = await harness.serve();
      }
    }
    worst = Math.max(worst, count);
    const success = await signIn(server.port, login);
    const rows = await harness.query<{ failures: number }>(
      'SELECT failures FROM sign_ins WHERE user_id = $1',
      [id],
    );
    found.push(
      `${failures} failures and ${duration} s: ${count} in 24 h, then ${success.status} and ${rows[0]!.failures} failures left`,
    );
    await server.stop();
  }
  await setParameter(harness, 'security.Lock.failures', '10');
  await setParameter(harness, 'security.Lock.duration', '900');
  await settle();
  report({
    id: 'B4',
    goal: 'at most 100 consecutive failures of an account in 24 h; a success resets; survives a restart',
    figure: found.join('; '),
    met: worst <= 100,
  });
}

async function ownerGetsIn(servers: ServerProcess[], admin: string, report: Report): Promise<void> {
  const { port } = servers[0]!;
  await makeUser(port, admin, 'owner');
  await signIn(port, 'owner', undefined, { from: '127.0.0.5' });
  let attacking = true;
  const attack = async (): Promise<number> => {
    let tries = 0;
    for (; attacking; tries++) await signIn(port, 'owner', 'wrong', { from: '127.0.0.6' });
    return tries;
  };
  const attackers = Array.from({ length: 8 }, attack);
  await delay(2_000);
  const answers: number[] = [];
  for (let time = 0; time < 20; time++)
    answers.push((await signIn(port, 'owner', undefined, { from: '127.0.0.5' })).status);
  const elsewhere = (await signIn(port, 'owner', undefined, { from: '127.0.0.7' })).status;
  attacking = false;
  const tries = (await Promise.all(attackers)).reduce((sum, count) => sum + count, 0);
  const accepted = answers.filter((status) => status === 200).length;
  report({
    id: 'B5',
    goal: 'the owner still signs in from an address of an earlier success during an attack from another',
    figure: `${accepted} of 20 sign-ins of the owner accepted during ${tries} guesses; from a new address ${elsewhere}`,
    met: accepted === 20 && elsewhere === 401,
  });
}

async function unknownLogins(
  harness: Harness,
  server: ServerProcess,
  count: number,
  report: Report,
): Promise<void> {
  await setParameter(harness, 'security.Throttle.failures', '300');
  await settle();
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const statuses = new Map<number, number>();
  const run = async (total: number): Promise<void> => {
    let left = total;
    const bar = progress('random logins', total);
    const work = async (): Promise<void> => {
      while (left-- > 0) {
        if (left % 10_000 === 0) bar.update(total - left);
        const login = `u${Math.random().toString(36).slice(2)}`;
        const from = `127.0.1.${1 + (left % 4)}`;
        const { status } = await signIn(server.port, login, 'wrong', { agent, from });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 64 }, work));
    bar.end();
  };
  // Warm up first: growth from here on depends on the number of logins.
  await run(20_000);
  const samples: number[] = [];
  const sampling = setInterval(() => samples.push(residentMegabytes(server.child.pid!)), 200);
  await run(count);
  clearInterval(sampling);
  // The heap fluctuates between collections, so this compares the medians of the first and the last tenth.
  const tenth = Math.ceil(samples.length / 10);
  const [first, last] = [
    quantile(samples.slice(0, tenth), 0.5),
    quantile(samples.slice(-tenth), 0.5),
  ];
  const growth = last - first;
  agent.destroy();
  const rows: string[] = [];
  for (const table of ['address_attempts', 'sign_ins', 'known_addresses', 'audit']) {
    const [found] = await harness.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
    rows.push(`${table} ${found!.n}`);
  }
  const largest = Math.max(...rows.map((text) => Number(text.split(' ')[1])));
  report({
    id: 'B6',
    goal: `${count} random logins: tables of at most 100,000 rows, memory grows by at most 20 MB`,
    figure: `rows: ${rows.join(', ')}; RSS ${growth.toFixed(1)} MB more (median of the first tenth ${first.toFixed(0)}, of the last ${last.toFixed(0)}; all between ${Math.min(...samples).toFixed(0)} and ${Math.max(...samples).toFixed(0)}); answers ${[...statuses].map(([status, n]) => `${n} × ${status}`).join(', ')}`,
    met: largest <= 100_000 && growth <= 20,
  });
}

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
