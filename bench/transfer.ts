import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { FIRST_NAMES, FUNCTIONS, LAST_NAMES } from './support/words.js';
import { printTable } from './support/table.js';

/**
 * How long import, export, backup and restore take, and how much memory the process needs, each as
 * the command line does it on an embedded database as shipped: `npm run bench:transfer`. Option:
 * `--users 100000`; a tenth of them is imported first, to compare the memory.
 */
const { values } = parseArgs({ options: { users: { type: 'string', default: '100000' } } });
const users = Number(values.users);

const ORGANIZATIONS = 500;
const GROUPS = 200;

const folder = mkdtempSync(join(tmpdir(), 'process-platform-transfer-'));
const elsewhere = mkdtempSync(join(tmpdir(), 'process-platform-transfer-'));
const lines: string[][] = [];

async function writeRows(name: string, head: string, count: number, row: (n: number) => string) {
  const file = createWriteStream(join(folder, name));
  file.write(`${head}\n`);
  for (let n = 1; n <= count; n++) if (!file.write(`${row(n)}\n`)) await once(file, 'drain');
  file.end();
  await finished(file);
}

const pick = (words: string[], n: number): string => words[(n * 7919) % words.length]!;

const user = (prefix: string) => (n: number) =>
  [
    `${prefix}${n}`,
    pick(FIRST_NAMES, n),
    pick(LAST_NAMES, n * 3 + 1),
    `${prefix}${n}@company.example`,
    `+49 30 ${1_000_000 + n}`,
    pick(FUNCTIONS, n),
    `ORG-${1 + (n % ORGANIZATIONS)}`,
    n % 10 === 1 ? '' : `${prefix}${n - ((n - 1) % 10)}`,
    `G-${1 + (n % GROUPS)};G-${1 + ((n * 7) % GROUPS)}`,
  ].join(',');

const HEAD = 'login,firstName,lastName,email,phoneNumber,userFunction,organization,manager,groups';

/** Runs a command as a process of its own; measures its time, processor time and highest memory. */
async function run(step: string, args: string[], cwd = folder): Promise<void> {
  const started = performance.now();
  const child = spawn(process.execPath, [resolve('dist/src/cli.js'), ...args], {
    cwd,
    env: { ...process.env, DATABASE_URL: '', DEMO_DATA: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let peak = 0;
  let cpu = 0;
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      cpu = (Number(stat[11]) + Number(stat[12])) / 100;
    } catch {
      // It has just ended.
    }
  }, 50);
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const code = await new Promise((done) => child.on('close', done));
  clearInterval(timer);
  if (code !== 0) throw new Error(`${step} failed: ${printed.slice(-2000)}`);
  const seconds = (performance.now() - started) / 1000;
  lines.push([step, seconds.toFixed(1), cpu.toFixed(1), (peak / 1024).toFixed(0)]);
  process.stderr.write(`${step}: ${seconds.toFixed(1)} s\n${printed.slice(0, 600)}\n`);
}

try {
  await writeRows(
    'organizations.csv',
    'reference,label,parent',
    ORGANIZATIONS,
    (n) => `ORG-${n},Organization ${n},${n === 1 ? '' : `ORG-${Math.ceil(n / 10)}`}`,
  );
  await writeRows('groups.csv', 'reference,label', GROUPS, (n) => `G-${n},Group ${n}`);
  await writeRows('few.csv', HEAD, users / 10, user('few'));
  await writeRows('users.csv', HEAD, users, user('user'));
  await run('migrate', ['migrate', 'run']);
  await run(`import of ${ORGANIZATIONS} organizations`, [
    'import',
    'organizations',
    'organizations.csv',
  ]);
  await run(`import of ${GROUPS} groups`, ['import', 'groups', 'groups.csv']);
  await run(`import of ${users / 10} users`, ['import', 'users', 'few.csv']);
  await run(`import of ${users} users`, ['import', 'users', 'users.csv']);
  await run(`the same again, unchanged`, ['import', 'users', 'users.csv']);
  await run(`export of ${Math.round(users * 1.1)} users`, ['export', 'users', 'exported.csv']);
  await run('backup', ['backup', 'backup.gz']);
  await run('restore', ['restore', join(folder, 'backup.gz')], elsewhere);
  const megabytes = (statSync(join(folder, 'backup.gz')).size / 1_048_576).toFixed(1);
  printTable(['step', 'seconds', 'processor seconds', 'highest memory (MiB)'], lines);
  process.stdout.write(`\nThe backup has ${megabytes} MiB.\n`);
} finally {
  for (const one of [folder, elsewhere]) rmSync(one, { recursive: true, force: true });
}
