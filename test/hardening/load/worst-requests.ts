import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from 'simple-statistics';
import sharp from 'sharp';
import { call, signIn, startHarness, tokenOf } from '../harness.js';
import { measure, type ReportRow, rounds, type Section } from '../report-row.js';
import { type Call, DEMO_PASSWORD } from '../../support/send.js';
import type { ServerProcess } from '../../support/server-process.js';

/**
 * Section E: the effect of one ordinary person on others with the most expensive known requests, sixty per
 * minute.
 */
const REQUESTS = 60;

/** A named request of the person. */
type Worst = Call & { name: string; path: string; file?: Buffer };

const USERS = '/api/v2/directory/users';
const MIB = 2 ** 20;

/** A patch that blocked a process for more than a second in an earlier version. */
function quadraticPatch(): object[] {
  const value = { x: Array.from({ length: 990 }, () => []), b: {} };
  const operations: object[] = [{ op: 'add', path: '/description', value }];
  for (let at = 0; at < 5; at++)
    operations.push({ op: 'copy', from: '/description/x', path: `/description/x/${at}` });
  operations.push({ op: 'copy', from: '/description/x', path: '/description/b/c' });
  const [y, z] = ['/description/b/y', '/description/b/z'];
  operations.push({ op: 'add', path: z, value: 1 });
  while (operations.length < 100)
    operations.push(
      operations.length % 2 ? { op: 'move', from: y, path: z } : { op: 'move', from: z, path: y },
    );
  return operations;
}

/** Test operations on a large list; each compares the whole list. */
const largeTests = (): object[] =>
  Array.from({ length: 100 }, () => ({ op: 'test', path: '', value: Array(90).fill('x') }));

const picture = (side: number, options: { progressive: boolean; sixteen: boolean }) => {
  const plain = sharp({
    create: {
      width: side,
      height: side,
      channels: 4,
      background: { r: 9, g: 90, b: 200, alpha: 1 },
    },
  });
  return (options.sixteen ? plain.toColourspace('rgb16') : plain)
    .png({ progressive: options.progressive, compressionLevel: 9, adaptiveFiltering: false })
    .toBuffer();
};

async function worstRequests(id: string): Promise<Worst[]> {
  const own = `${USERS}/${id}`;
  const filters = Array(20).fill('filters=manager.lastName:gte:x').join('&');
  const png = { method: 'PUT', path: `${own}/photo`, headers: { 'Content-Type': 'image/png' } };
  return [
    { name: 'patch of the own row', method: 'PATCH', path: own, body: quadraticPatch() },
    {
      name: 'patch of a row of others',
      method: 'PATCH',
      path: '/api/v2/directory/organizations/2',
      body: quadraticPatch(),
    },
    { name: 'large tests', method: 'PATCH', path: own, body: largeTests() },
    {
      ...png,
      name: 'interlaced photo',
      file: await picture(7050, { progressive: true, sixteen: true }),
    },
    {
      ...png,
      name: 'large photo',
      file: await picture(7000, { progressive: false, sixteen: false }),
    },
    {
      name: 'password used before',
      method: 'PUT',
      path: `${own}/password`,
      body: { currentPassword: DEMO_PASSWORD, password: DEMO_PASSWORD },
    },
    {
      name: 'confirmation',
      method: 'POST',
      path: '/api/v2/authentication/confirmation',
      body: { password: DEMO_PASSWORD },
    },
    {
      name: 'twenty dotted filters, counted',
      path: `${USERS}?filterMode=or&${filters}`,
      headers: { Prefer: 'count=exact' },
    },
    {
      name: 'five hundred rows for people',
      path: `${USERS}?range=0-500&responseMode=user&sorter=-lastName,firstName,email,title`,
      headers: { Prefer: 'count=exact' },
    },
    {
      name: 'long text',
      method: 'PATCH',
      path: own,
      body: [{ op: 'replace', path: '/description', value: '漢'.repeat(2000) }],
    },
  ];
}

/** The resident memory of a process, in bytes. */
const residentOf = ({ child }: ServerProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) * 1024;

/** Calls like other people until stopped, and collects the durations of reads and of sign-ins. */
function askMeanwhile(port: number, token: string) {
  const durations = { reads: [] as number[], signIns: [] as number[] };
  let isStopped = false;
  const repeat = async (
    into: number[],
    ask: () => Promise<{ duration: number }>,
    pause: number,
  ) => {
    while (!isStopped) {
      into.push((await ask()).duration);
      await delay(pause);
    }
  };
  const running = Promise.all([
    repeat(durations.reads, () => call(port, `${USERS}?range=0-20&sorter=lastName`, { token }), 50),
    repeat(durations.signIns, () => signIn(port, 'chloe.lefevre'), 250),
  ]);
  return {
    stop: async () => {
      isStopped = true;
      await running;
      return { reads: median(durations.reads), signIns: median(durations.signIns) };
    },
  };
}

/** The longest block of the event loop since the last call, in milliseconds. */
async function blockedBy(server: ServerProcess): Promise<number> {
  const before = server.printed().length;
  server.child.kill('SIGUSR2');
  for (let tries = 0; tries < 200; tries++) {
    const found = /blocked (-?[\d.]+)/.exec(server.printed().slice(before));
    if (found) return Number(found[1]);
    await delay(10);
  }
  throw new Error('the server does not tell of its event loop');
}

const send = (port: number, token: string, { name: _, file, ...options }: Worst) =>
  file
    ? fetch(`http://127.0.0.1:${port}${options.path}`, {
        method: options.method,
        headers: { ...options.headers, 'X-AUTHENTICATION-KEY': token },
        body: new Uint8Array(file),
      }).then((answer) => answer.arrayBuffer())
    : call(port, options.path, { ...options, token });

export const worst: Section = async ({ scale }, report) => {
  const harness = await startHarness();
  const watch = ['--import', new URL('../preload/watch-event-loop.js', import.meta.url).href];
  const server = await harness.serve({ LOG_LEVEL: 'silent' }, watch);
  const { port } = server;
  try {
    const person = await tokenOf(port, 'bruno.keller');
    const other = await tokenOf(port, 'alice.martin');
    const { text } = await call(port, '/api/v2/authentication', { token: person });
    const { user } = JSON.parse(text) as { user: { id: string } };
    const requests = await worstRequests(user.id);
    const seconds = rounds(REQUESTS, scale);
    const quietly = askMeanwhile(port, other);
    await delay((seconds * 1000) / 3);
    const quiet = await quietly.stop();
    const before = residentOf(server);
    const blocked = new Map<string, number>();
    const added = new Map<string, number>();
    let most = before;
    // Alone first, so that only the request itself can block.
    for (const request of requests) {
      await blockedBy(server);
      const held = residentOf(server);
      let peak = held;
      const watching = setInterval(() => (peak = Math.max(peak, residentOf(server))), 5);
      await send(port, person, request);
      clearInterval(watching);
      peak = Math.max(peak, residentOf(server));
      blocked.set(request.name, await blockedBy(server));
      added.set(request.name, peak - held);
      most = Math.max(most, peak);
    }
    const sampling = setInterval(() => (most = Math.max(most, residentOf(server))), 20);
    const meanwhile = askMeanwhile(port, other);
    for (let at = 0; at < seconds; at++)
      await Promise.all([send(port, person, requests[at % requests.length]!), delay(1000)]);
    const loaded = await meanwhile.stop();
    clearInterval(sampling);
    const row = (id: string, goal: string, work: () => Pick<ReportRow, 'figure' | 'met'>) =>
      measure({ id, goal }, report, () => Promise.resolve(work()));
    const ratio = (name: 'reads' | 'signIns') => loaded[name] / quiet[name];
    const shown = (name: 'reads' | 'signIns') =>
      `${ratio(name).toFixed(2)}: ${quiet[name].toFixed(1)} ms quiet, ${loaded[name].toFixed(1)} ms meanwhile (medians)`;
    await row(
      'E1',
      "60 of the worst requests of one person in a minute: others' reads below 2 x",
      () => ({
        figure: shown('reads'),
        met: ratio('reads') < 2,
      }),
    );
    await row('E2', "the same: others' sign-ins below 3 x", () => ({
      figure: shown('signIns'),
      met: ratio('signIns') < 3,
    }));
    await row('E3', 'none of them blocks the event loop for more than 50 ms', () => ({
      figure: [...blocked].map(([name, time]) => `${name} ${time.toFixed(0)} ms`).join(', '),
      met: Math.max(...blocked.values()) <= 50,
    }));
    await row('E4', 'none of them adds more than 128 MiB to the process', () => ({
      figure:
        [...added].map(([name, bytes]) => `${name} ${(bytes / MIB).toFixed(0)} MiB`).join(', ') +
        `; all of them in a minute, with the sign-ins of others: ${((most - before) / MIB).toFixed(0)} MiB, from ${(before / MIB).toFixed(0)} MiB`,
      met: Math.max(...added.values()) <= 128 * MIB,
    }));
  } finally {
    await harness.stop();
  }
};
