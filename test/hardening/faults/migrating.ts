import { setTimeout as delay } from 'node:timers/promises';
import { functions, migrations } from '../../../migrations/index.js';
import { loadConfig } from '../../../src/base/config/config.js';
import { migrate, planMigrations } from '../../../src/database/migrate.js';
import { type Harness, QUIET, startHarness, tokenOf } from '../harness.js';
import { measure, rounds, type Section } from '../report-row.js';
import { attempt, keepCalling, keepWriting, tally } from '../traffic.js';
import { LATER } from '../../support/later-migrations.js';
import { configOf, keepUsingTasks, makeFormer } from '../../support/former-tasks.js';
import { SYSADMIN_PASSWORD } from '../../support/prepare-database.js';
import type { ServerProcess } from '../../support/server-process.js';

/** C7, C16: servers that start together, and a schema that changes under a running one. */
export const migrating: Section = async ({ scale }, report) => {
  const harness = await startHarness({ env: QUIET });
  try {
    await measure(
      {
        id: 'C7',
        goal: '4 servers start at once, on nothing and on half a schema: all start, each migration once',
      },
      report,
      () => startTogether(harness, rounds(20, scale)),
    );
    await measure(
      { id: 'C7', goal: 'kill -9 of one of 4 while it migrates: the others start ≤5 s later' },
      report,
      () => killWhileMigrating(harness, rounds(10, scale)),
    );
    await measure(
      {
        id: 'C16',
        goal: 'the schema is extended and column types change under a running server: 0 errors',
      },
      report,
      () => extend(harness, rounds(20, scale)),
    );
    await measure(
      {
        id: 'C16',
        goal: 'all migrations of tables in use, on 200,000 tasks, beside a reader and a writer: no call over 500 ms, none refused',
      },
      report,
      () => migrateBeside(harness, rounds(200_000, scale)),
    );
  } finally {
    await harness.stop();
  }
};

let made = 0;
async function newDatabase(harness: Harness): Promise<{ name: string; url: string }> {
  const name = `together_${++made}`;
  await harness.query(`CREATE DATABASE ${name} OWNER platform`);
  return { name, url: harness.url.replace('/platform?', `/${name}?`) };
}

const serveOn = (harness: Harness, url: string): Promise<ServerProcess> =>
  harness.serve({ DATABASE_URL: url, SYSADMIN_PASSWORD });

/** Whether a database has each migration exactly once, according to the server's own records. */
async function isMigratedOnce(url: string): Promise<boolean> {
  const { default: pg } = await import('pg');
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
  await client.end();
  return (
    JSON.stringify(rows.map(({ name }) => name)) ===
    JSON.stringify(migrations.map(({ name }) => name))
  );
}

async function startTogether(harness: Harness, count: number) {
  let started = 0;
  let once = 0;
  for (let round = 0; round < count; round++) {
    const { url } = await newDatabase(harness);
    if (round % 2 === 1) await migrateSome(url, 1 + (round % (migrations.length - 1)));
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => serveOn(harness, url)));
    const up = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    started += up.length;
    if (await isMigratedOnce(url)) once++;
    await Promise.all(up.map((instance) => instance.stop()));
  }
  return {
    figure: `${count} rounds: ${started} of ${count * 4} started, each migration once in ${once}`,
    met: started === count * 4 && once === count,
  };
}

const migrateSome = (url: string, count: number): Promise<unknown> =>
  migrate(loadConfig({ DATABASE_URL: url, DEMO_DATA: 'false' }), {
    migrations: migrations.slice(0, count),
    functions: [],
    demonstration: [],
  });

async function killWhileMigrating(harness: Harness, count: number) {
  const times: number[] = [];
  let midway = 0;
  let once = 0;
  for (let round = 0; round < count; round++) {
    const { name, url } = await newDatabase(harness);
    const others: Promise<ServerProcess>[] = [];
    const first = serveOn(harness, url).catch(() => undefined);
    const holder = await holderOf(harness, name);
    for (let index = 0; index < 3; index++) others.push(serveOn(harness, url));
    await delay(Math.random() * 300);
    if (await isHeld(harness, name)) midway++;
    process.kill(holder, 'SIGKILL');
    const killed = performance.now();
    const up = await Promise.all(others);
    times.push(performance.now() - killed);
    if (await isMigratedOnce(url)) once++;
    await Promise.all(up.map((instance) => instance.stop()));
    await first;
  }
  const slowest = Math.max(...times);
  return {
    figure: `${count} rounds, ${midway} killed while migrating: the other 3 listen after at most ${Math.round(slowest)} ms, each migration once in ${once}`,
    met: slowest <= 5_000 && once === count,
  };
}

/** The process id of the server that holds the migration lock. */
async function holderOf(harness: Harness, name: string): Promise<number> {
  for (;;) {
    if (await isHeld(harness, name)) {
      const pid = harness.lastServed();
      if (pid !== undefined) return pid;
    }
    await delay(5);
  }
}

async function isHeld(harness: Harness, name: string): Promise<boolean> {
  const [{ held }] = (await harness.query(
    `SELECT count(*)::int AS held FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE l.locktype = 'advisory' AND l.granted AND d.datname = '${name}'`,
  )) as [{ held: number }];
  return held > 0;
}

/** Migrates to a later version while a reader and a writer use the tasks. */
export async function migrateBeside(harness: Harness, tasks: number) {
  const { url } = await newDatabase(harness);
  await makeFormer({ url }, tasks);
  const config = configOf({ url });
  const later = { migrations: [...migrations, ...LATER], functions, demonstration: [] };
  const planned = await planMigrations(config, later);
  const stop = keepUsingTasks({ url });
  const started = performance.now();
  await migrate(config, later);
  const seconds = (performance.now() - started) / 1_000;
  const { slowest, count, refused } = await stop();
  const estimate = planned.reduce((sum, { seconds }) => sum + seconds, 0);
  const callers = Object.entries(slowest).map(
    ([caller, time]) => `slowest of ${count[caller]} calls of the ${caller} ${Math.round(time)} ms`,
  );
  return {
    figure: `${tasks} tasks migrated in ${seconds.toFixed(1)} s (planned ${estimate} s): ${callers.join(', ')}, ${refused.length} refused`,
    met: refused.length === 0 && Object.values(slowest).every((time) => time <= 500),
  };
}

/** Extends the schema like an upgrade: an additional column, an additional index, a wider type. */
async function extend(harness: Harness, count: number) {
  const server = await harness.serve();
  const token = await tokenOf(server.port, 'alice.martin');
  const paths = ['/api/v2/directory/groups', '/api/v2/directory/users?range=0-10'];
  let next = 0;
  const readers = keepCalling(8, () =>
    attempt(server.port, paths[next++ % paths.length]!, { token }),
  );
  const writers = keepWriting(() => ({ port: server.port, token }), 4);
  for (let round = 0; round < count; round++) {
    await harness.query(`ALTER TABLE users ADD COLUMN extended_${round} text`);
    await harness.query(
      `ALTER TABLE groups ALTER COLUMN description TYPE ${round % 2 ? 'text' : 'varchar(4000)'}`,
    );
    await harness.query(`CREATE INDEX extended_${round}_idx ON users (extended_${round})`);
    await delay(250);
  }
  await Promise.all([readers.stop(), writers.stop()]);
  const outcomes = [...readers.outcomes, ...writers.outcomes];
  return {
    figure: `${count} extensions: ${tally(outcomes)}`,
    met: outcomes.every(({ status }) => status === 200 || status === 201),
  };
}
