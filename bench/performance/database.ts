import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { compareByTurns, CONNECTIONS, load, type Run } from './load.js';
import { PAGE as PAGE_PATH, requests, type Turns } from './reads.js';
import { rate } from './result.js';
import type { Site } from './site.js';
import { PAGE } from './statements.js';

/** A finding without a goal. */
export interface Note {
  work: string;
  figure: string;
}

/** The page of users beside what PostgreSQL alone does with the same prepared statement. */
export async function databaseLimit(site: Site, { seconds, pairs }: Turns): Promise<Note> {
  const program = findPgbench();
  const [ours, other] = [
    () => load(site.server.port, requests([PAGE_PATH], site.token), { seconds }),
    () => (program ? Promise.resolve(pgbench(program, site, seconds)) : plainLoop(site, seconds)),
  ];
  const { ours: server, other: alone } = await compareByTurns({ ours, other }, pairs);
  const way = program ? 'pgbench' : 'a plain loop of pg';
  return {
    work: 'page of 50 users beside PostgreSQL alone',
    figure: `${rate(server.rate)} against ${rate(alone.rate)} a second by ${way}, ${CONNECTIONS} connections`,
  };
}

/** Debian keeps it with its version of PostgreSQL, outside the path. */
function findPgbench(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file));
}

function pgbench(program: string, { folder }: Site, seconds: number): Run {
  const script = join(folder, 'page.sql');
  writeFileSync(script, `${PAGE.replace('$1', '51').replace('$2', '0')};\n`);
  const { stdout, stderr } = spawnSync(
    program,
    [
      ...['--no-vacuum', '--protocol=prepared', `--client=${CONNECTIONS}`, '--jobs=2'],
      ...[`--time=${seconds}`, `--file=${script}`, '-h', join(folder, '.data', 'socket')],
      ...['-U', 'platform', 'platform'],
    ],
    { encoding: 'utf8' },
  );
  const [, found] = /tps = ([\d.]+)/.exec(stdout) ?? [];
  if (found === undefined) throw new Error(`pgbench: ${stderr}`);
  return { rate: Number(found), p50: NaN, p99: NaN };
}

async function plainLoop({ folder }: Site, seconds: number): Promise<Run> {
  const host = join(folder, '.data', 'socket');
  const deadline = performance.now() + seconds * 1_000;
  let done = 0;
  const ask = async (): Promise<void> => {
    const client = new pg.Client({ host, user: 'platform', database: 'platform' });
    await client.connect();
    for (; performance.now() < deadline; done++)
      await client.query({ name: 'page', text: PAGE, values: [51, 0], rowMode: 'array' });
    await client.end();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  return { rate: done / seconds, p50: NaN, p99: NaN };
}

/** An idle session tells what it did after so many milliseconds at the latest. */
const TOLD_WITHIN = 11_000;
const ASKED = 200;

/** What one request asks of the database: statements, or transactions of several. */
export async function transactionsARequest(
  { server, client, token }: Site,
  paths: Record<string, string>,
): Promise<Note[]> {
  const count = async (): Promise<number> => {
    await delay(TOLD_WITHIN);
    const { rows } = await client.query<{ n: number }>(
      `SELECT (xact_commit + xact_rollback)::int AS n FROM pg_stat_database WHERE datname = current_database()`,
    );
    return rows[0]!.n;
  };
  const idle = -(await count()) + (await count());
  const notes: Note[] = [];
  for (const [work, path] of Object.entries(paths)) {
    const before = await count();
    await load(server.port, requests([path], token), { amount: ASKED });
    const made = (await count()) - before - idle;
    notes.push({ work: `database, ${work}`, figure: `${(made / ASKED).toFixed(1)} a request` });
  }
  return notes;
}
