import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, openSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Harness, QUIET, signIn, startHarness, tokenOf } from '../harness.js';
import { measure, type Section } from '../report-row.js';
import { attempt, keepCalling, type Outcome, tally } from '../traffic.js';
import { startServerProcess } from '../../support/server-process.js';
import { until } from '../../support/until.js';

const USERS = '/api/v2/directory/users?range=0-10';
const DOCUMENTS = '/api/v2/content/documents';
const NOT_ROOT = 'skipped: only root can mount a small disk';

const DISK = {
  id: 'C8',
  goal: 'disk of PostgreSQL full: writes 503, reads 200, no crash; writes ≤2 s after it is freed',
};
const LOG = { id: 'C8', goal: 'disk of the log full: calls go on, the process lives' };

/** C8, C15: a full disk, a log without a reader, attempts to forge log lines. */
export const disk: Section = async (_scale, report) => {
  if (process.getuid?.() === 0) {
    await measure(DISK, report, () => onSmallDisk(256, fillDatabase));
    await measure(LOG, report, () => onSmallDisk(1, fillLog));
  } else for (const row of [DISK, LOG]) report({ ...row, figure: NOT_ROOT, met: true });
  await measure(
    {
      id: 'C15',
      goal: 'standard output closed, 1 MB in a line, CR/LF in a login: alive, one line is one JSON',
    },
    report,
    poisonLog,
  );
};

async function onSmallDisk<T>(megabytes: number, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'process-platform-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]);
  try {
    return await work(folder);
  } finally {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fills the disk except for a few pages. */
function fill(folder: string): string {
  const file = join(folder, 'filler');
  writeFileSync(file, '');
  const { bavail, bsize } = statfsSync(folder);
  appendFileSync(file, Buffer.alloc(Math.max(0, (bavail - 2) * bsize)));
  return file;
}

async function fillDatabase(folder: string) {
  const harness = await startHarness({ folder: join(folder, 'data'), env: QUIET });
  try {
    const server = await harness.serve();
    const token = await tokenOf(server.port, 'alice.martin');
    const write = (): Promise<Outcome> =>
      attempt(server.port, DOCUMENTS, {
        method: 'POST',
        token,
        body: { title: 'x'.repeat(150), description: 'y'.repeat(1_000) },
      });
    const filler = fill(folder);
    const writers = keepCalling(4, write, 50);
    const full = await until(
      () => Promise.resolve(writers.outcomes.some(({ status }) => status !== 201)),
      { within: 20_000 },
    );
    await delay(1_000);
    const reads = await Promise.all(
      [1, 2, 3, 4, 5].map(() => attempt(server.port, USERS, { token })),
    );
    rmSync(filler);
    const freed = performance.now();
    const seen = writers.outcomes.length;
    const back = await until(
      () => Promise.resolve(writers.outcomes.slice(seen).some(({ status }) => status === 201)),
      { within: 10_000 },
    );
    await writers.stop();
    const wrong = writers.outcomes.filter(({ status }) => status !== 201 && status !== 503);
    return {
      figure: `writes ${tally(writers.outcomes)}, reads while full ${tally(reads)}, writes back after ${Math.round(back ?? performance.now() - freed)} ms`,
      met:
        full !== undefined &&
        server.isAlive() &&
        wrong.length === 0 &&
        reads.every(({ status }) => status === 200) &&
        back !== undefined &&
        back <= 2_000,
    };
  } finally {
    await harness.stop();
  }
}

async function fillLog(folder: string) {
  return withServer(async (harness) => {
    const output = openSync(join(folder, 'log'), 'a');
    const server = await startServerProcess(
      { DATABASE_URL: harness.url, LOG_LEVEL: 'info' },
      { logTo: output },
    );
    const token = await tokenOf(server.port, 'alice.martin');
    fill(folder);
    const calls = keepCalling(8, () => attempt(server.port, USERS, { token }));
    await delay(3_000);
    await calls.stop();
    const alive = server.isAlive();
    await server.stop();
    return {
      figure: `${tally(calls.outcomes)}; process ${alive ? 'alive' : 'ended'}`,
      met: alive && calls.outcomes.every(({ status }) => status === 200),
    };
  });
}

async function poisonLog() {
  return withServer(async (harness) => {
    const server = await harness.serve({ LOG_LEVEL: 'info' });
    await signIn(server.port, 'a\r\n{"level":30,"forged":true}\r\n');
    await rawRequest(server.port, `/x${'%0d%0a'.repeat(5)}${'y'.repeat(12_000)}`);
    await attempt(server.port, '/nothing', { headers: { 'X-Request-Id': 'forged","level":"60' } });
    const token = await tokenOf(server.port, 'alice.martin');
    await delay(100);
    const lines = server
      .printed()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const bad = lines.filter((line) => !isJson(line)).length;
    const forged = lines.filter((line) => line.startsWith('{"level":30,"forged"')).length;
    server.child.stdout!.destroy();
    const calls = keepCalling(4, () => attempt(server.port, USERS, { token }));
    await delay(1_000);
    await calls.stop();
    const alive = server.isAlive();
    return {
      figure: `${lines.length} lines, ${bad} no JSON, ${forged} forged; with standard output closed ${tally(calls.outcomes)}, process ${alive ? 'alive' : 'ended'}; the longest line a request can make has 16 KiB, which Node limits`,
      met:
        alive && bad === 0 && forged === 0 && calls.outcomes.every(({ status }) => status === 200),
    };
  });
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function rawRequest(port: number, path: string): Promise<void> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    );
    socket.resume();
    socket.on('close', () => done());
    socket.on('error', () => done());
  });
}

async function withServer<T>(work: (harness: Harness) => Promise<T>): Promise<T> {
  const harness = await startHarness({ env: QUIET });
  try {
    return await work(harness);
  } finally {
    await harness.stop();
  }
}
