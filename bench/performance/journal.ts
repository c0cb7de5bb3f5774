import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import pg from 'pg';
import { median, quantile } from 'simple-statistics';
import { loadConfig } from '../../src/config/config.js';
import { Notifications } from '../../src/database/notifications.js';
import { ChangeReader } from '../../src/journal/change-reader.js';
import { startServerProcess } from '../../test/support/server-process.js';
import { addUsers } from '../../test/support/many-users.js';
import { type BenchServer, databaseUrl } from '../support/bench-server.js';
import { arriving } from './arriving.js';
import { compareAlternately, load, type Requests, type Rounds } from './load.js';
import { processorTime } from './costs.js';
import { atLeast, atMost, ratioResult, type Result } from './result.js';
import { removeWritten, userPosts } from './workloads.js';

const WORKPLACE = '/navigation/workplace';
const PEOPLE = 10_000;

/** Single calls whose median is compared. */
const CALLS = 200;

/** Calls and changes a second of the mix. */
const MIX = { calls: 2_000, changes: 200 };

/** Changes a second beside the reads of the journal. */
const WRITES = 1_000;

/** Users of a file that the command line imports. */
const IMPORTED = 100_000;

/** A file of this size is imported with the journal and without it, alternately. */
const IMPORTS = 3;

/**
 * What the journal costs the writers and what it saves the readers, on the demonstration portal
 * (docs/decisions/0032). The goals are those that were set before it was built.
 * @param open seconds that a writing transaction stays open beside the reads of the journal
 */
export async function journal(
  server: BenchServer,
  rounds: Rounds,
  open: number,
): Promise<Result[]> {
  return [
    await unchanged(server, rounds),
    await cold(server),
    ...(await writesWithout(server, rounds)),
    await barrier(server, open),
    ...(await mix(server, rounds)),
  ];
}

/** The whole workplace, asked with its ETag. */
async function unchanged({ port, token }: BenchServer, { seconds }: Rounds): Promise<Result> {
  const headers = { 'X-AUTHENTICATION-KEY': token };
  const answer = await fetch(`http://127.0.0.1:${port}${WORKPLACE}`, { headers });
  const known = { ...headers, 'If-None-Match': answer.headers.get('etag')! };
  const run = () =>
    autocannon({
      url: `http://127.0.0.1:${port}${WORKPLACE}`,
      connections: 16,
      duration: seconds,
      headers: known,
    });
  await run();
  const { requests, duration, latency, statusCodeStats = {} } = await run();
  const others = Object.keys(statusCodeStats).filter((status) => status !== '304');
  if (others.length > 0) throw new Error(`answers with ${others.join(', ')}`);
  const name = 'whole workplace that has not changed (304)';
  return atLeast(name, requests.total / duration, 7_000, 'a second', `p99 ${latency.p99} ms`);
}

/** A call after everything in memory has been forgotten, beside the same call without memory. */
async function cold(server: BenchServer): Promise<Result> {
  const without = await startServerProcess(
    { DATABASE_URL: databaseUrl(server.folder), NAVIGATION_MEMORY: '0' },
    { discard: true },
  );
  const timed = async (port: number): Promise<number> => {
    await server.client.query('UPDATE views SET label = label');
    const started = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}${WORKPLACE}`, {
      headers: { 'X-AUTHENTICATION-KEY': server.token },
    });
    await answer.arrayBuffer();
    return performance.now() - started;
  };
  try {
    const times = { ours: [] as number[], without: [] as number[] };
    for (let call = -20; call < CALLS; call++) {
      const [ours, other] = [await timed(server.port), await timed(without.port)];
      if (call < 0) continue;
      times.ours.push(ours);
      times.without.push(other);
    }
    const [ours, other] = [median(times.ours), median(times.without)];
    const more = `${ours.toFixed(2)} ms against ${other.toFixed(2)} ms`;
    return atMost(
      'whole workplace, nothing in memory',
      ours / other,
      1.3,
      'of without memory',
      more,
    );
  } finally {
    await without.stop();
  }
}

/** Writes with the triggers of the journal and without them, alternately. */
async function writesWithout(server: BenchServer, { seconds, pairs }: Rounds): Promise<Result[]> {
  const { client, port } = server;
  const journaling = (table: string, action: 'ENABLE' | 'DISABLE') =>
    client.query(
      ['insert', 'update', 'delete']
        .map((event) => `ALTER TABLE ${table} ${action} TRIGGER ${table}_record_${event}`)
        .join('; '),
    );
  const compare = async (table: string, requests: Requests) => {
    const run = async (action: 'ENABLE' | 'DISABLE') => {
      await journaling(table, action);
      return load(port, requests, { seconds, spread: true });
    };
    const comparison = await compareAlternately(
      { ours: () => run('ENABLE'), other: () => run('DISABLE') },
      pairs,
    );
    await journaling(table, 'ENABLE');
    return comparison;
  };
  const patches = await taskPatches(server);
  const name = 'the same without the journal';
  const results = [
    ratioResult('PATCH of a task, journaled', name, 0.9, await compare('tasks', patches)),
    ratioResult('POST of a user, journaled', name, 0.9, await compare('users', userPosts(server))),
  ];
  await removeWritten(server);
  const writers = (connections: number) => () =>
    load(port, patches, { seconds, connections, spread: true });
  const many = await compareAlternately({ ours: writers(64), other: writers(16) }, pairs);
  results.push(ratioResult('PATCH of a task by 64 writers', 'by 16', 0.8, many));
  results.push(await imports(server, journaling));
  return results;
}

let changed = 0;

async function taskPatches({ client, token }: BenchServer): Promise<Requests> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM tasks ORDER BY id LIMIT 300');
  return rows.map(({ id }) => ({
    method: 'PATCH',
    path: `/api/v2/process/tasks/${id}`,
    headers: { 'X-AUTHENTICATION-KEY': token, 'Content-Type': 'application/json' },
    setupRequest: (asked) => ({
      ...asked,
      body: JSON.stringify([{ op: 'replace', path: '/priority', value: ++changed % 1_000 }]),
    }),
  }));
}

/** Imports of a file by the command line. */
async function imports(
  server: BenchServer,
  journaling: (table: string, action: 'ENABLE' | 'DISABLE') => Promise<unknown>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'process-platform-bench-'));
  const file = join(folder, 'users.csv');
  const line = (_: unknown, n: number) =>
    `imported.${n},First ${n},Last ${n},${n}@company.example,2`;
  const lines = Array.from({ length: IMPORTED }, line);
  writeFileSync(file, ['login,firstName,lastName,email,status', ...lines, ''].join('\n'));
  const env = { ...process.env, DATABASE_URL: databaseUrl(server.folder) };
  const run = async (action: 'ENABLE' | 'DISABLE'): Promise<number> => {
    await journaling('users', action);
    const started = performance.now();
    await promisify(execFile)(process.execPath, ['dist/src/cli.js', 'import', 'users', file], {
      env,
    });
    const duration = performance.now() - started;
    await server.client.query(`DELETE FROM users WHERE login LIKE 'imported.%'`);
    await server.client.query('VACUUM users');
    return duration;
  };
  const pairs: { ours: number; other: number }[] = [];
  for (let pair = 0; pair < IMPORTS; pair++)
    pairs.push({ ours: await run('ENABLE'), other: await run('DISABLE') });
  await journaling('users', 'ENABLE');
  rmSync(folder, { recursive: true });
  const seconds = (side: 'ours' | 'other') =>
    (median(pairs.map((pair) => pair[side])) / 1_000).toFixed(1);
  return atMost(
    `import of ${IMPORTED.toLocaleString('en')} users, journaled`,
    median(pairs.map(({ ours, other }) => ours / other)),
    1.15,
    'of the time without',
    `${seconds('ours')} s against ${seconds('other')} s`,
  );
}

/** Reads of the journal beside many writers and a writing transaction that stays open. */
async function barrier(server: BenchServer, seconds: number): Promise<Result> {
  const url = databaseUrl(server.folder);
  const config = loadConfig({ LOG_LEVEL: 'silent', DATABASE_URL: url });
  const open = new pg.Client({ connectionString: url });
  await open.connect();
  await open.query(`BEGIN; UPDATE news SET title = title WHERE id = (SELECT min(id) FROM news)`);
  const connection = new Notifications(config);
  await connection.onModuleInit();
  const reader = new ChangeReader(connection);
  const times: number[] = [];
  const started = performance.now();
  const until = started + 1_000 * seconds;
  const read = async () => {
    while (performance.now() < until) {
      const asked = performance.now();
      await reader.read();
      times.push(performance.now() - asked);
    }
  };
  const [written] = await Promise.all([writeUntil(server, until), read()]);
  const rate = (written * 1_000) / (performance.now() - started);
  connection.onApplicationShutdown();
  await open.query('ROLLBACK');
  await open.end();
  await server.client.query(`DELETE FROM tasks WHERE title = 'Written'`);
  const work = `p50 ${median(times).toFixed(2)} ms of ${times.length}; open for ${seconds} s, ${rate.toFixed(0)} writes a second`;
  return atMost(
    'a read of the journal, beside writers and an open transaction',
    quantile(times, 0.99),
    2,
    'ms, p99',
    work,
  );
}

/**
 * Writes WRITES new tasks a second, each in a transaction of its own. Updates of the same rows would become slow while
 * the transaction is open, since nothing removes their old versions.
 * @returns how many
 */
async function writeUntil({ client }: BenchServer, until: number): Promise<number> {
  const started = performance.now();
  let written = 0;
  for (; performance.now() < until; written++) {
    await client.query({
      name: 'write-task',
      text: `INSERT INTO tasks (title, application_id, assignee_id)
        SELECT 'Written', a.id, u.id FROM (SELECT min(id) AS id FROM applications) a, (SELECT min(id) AS id FROM users) u`,
    });
    const ahead = (written * 1_000) / WRITES - (performance.now() - started);
    if (ahead > 1) await delay(ahead);
  }
  return written;
}

/** 10,000 people look at their workplace, while tasks change: half for one person, half for a group of 20. */
async function mix(server: BenchServer, { seconds }: Rounds): Promise<Result[]> {
  const { client, port } = server;
  // One in three is active.
  await addUsers((text) => client.query(text), 3 * PEOPLE);
  const { rows: people } = await client.query<{ id: string }>(
    'SELECT id FROM users WHERE status = 1 ORDER BY id DESC LIMIT $1',
    [PEOPLE],
  );
  const tokens = people.map(() => randomBytes(32).toString('base64url'));
  await client.query(
    `INSERT INTO tokens (user_id, hash, address, expiration)
     SELECT id, hash, '127.0.0.1', now() + interval '1 hour' FROM unnest($1::bigint[], $2::bytea[]) AS t (id, hash)`,
    [
      people.map(({ id }) => id),
      tokens.map((token) => createHash('sha256').update(token).digest()),
    ],
  );
  const { rows: groups } = await client.query<{ id: string }>(
    `INSERT INTO groups (label) VALUES ('Twenty') RETURNING id`,
  );
  const group = groups[0]!.id;
  await client.query(
    'INSERT INTO group_members SELECT $1, id FROM unnest($2::bigint[]) AS u (id)',
    [group, people.slice(0, 20).map(({ id }) => id)],
  );
  // Otherwise autovacuum would do it meanwhile, and take one of two processors for a second.
  await client.query('VACUUM ANALYZE');
  const requests: Requests = tokens.map((token) => ({
    method: 'GET',
    path: WORKPLACE,
    headers: { 'X-AUTHENTICATION-KEY': token },
  }));
  const duration = Math.max(10, seconds * 5);
  await lookOnce(port, requests);
  let changing = true;
  const changer = (async () => {
    const started = performance.now();
    for (let done = 0; changing; done++) {
      const owner = done % 2 === 0 ? people[done % people.length]!.id : null;
      await client.query({
        name: 'give-task',
        text: 'UPDATE tasks SET assignee_id = $1, group_id = $2 WHERE id = $3',
        values: [owner, owner === null ? group : null, 1 + (done % 300)],
      });
      const ahead = (done * 1_000) / MIX.changes - (performance.now() - started);
      if (ahead > 1) await delay(ahead);
    }
  })();
  const before = await transactions(client);
  const used = processorTime(server);
  const durations = await arriving(port, requests, { rate: MIX.calls, seconds: duration });
  const usedAfter = processorTime(server);
  const after = await transactions(client);
  changing = false;
  await changer;
  const statements = (after - before - MIX.changes * duration) / durations.length;
  const work = `${MIX.calls} calls a second of ${PEOPLE} people, beside ${MIX.changes} changes`;
  const spread = [0.5, 0.9, 1].map((part) => quantile(durations, part).toFixed(1)).join(', ');
  const cost = (part: 'server' | 'database'): string =>
    (((usedAfter[part] - used[part]) * 1_000) / durations.length).toFixed(2);
  return [
    atMost(
      work,
      statements,
      0.5,
      'statements a call',
      `a call takes ${cost('server')} ms of the server, ${cost('database')} of PostgreSQL`,
    ),
    atMost(work, quantile(durations, 0.99), 20, 'ms, p99', `p50, p90, most: ${spread} ms`),
  ];
}

/** Everybody looks once, each on one of the connections. */
async function lookOnce(port: number, requests: Requests): Promise<void> {
  const connections = 20;
  const share = requests.length / connections;
  let opened = 0;
  await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    amount: requests.length,
    setupClient: (one) => {
      one.setRequests(requests.slice(opened * share, (opened + 1) * share));
      opened++;
    },
  });
}

/** Statements outside transactions count as one each. Their number reaches the statistics within a second. */
async function transactions(client: pg.Client): Promise<number> {
  await delay(1_500);
  const { rows } = await client.query<{ count: number }>(
    'SELECT xact_commit::float8 AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]!.count;
}
