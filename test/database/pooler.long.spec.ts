import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster, type Node, postgresBin } from '../support/debian-postgres.js';
import { freePort } from '../support/free-port.js';
import { prepareDatabase } from '../support/prepare-database.js';
import { launchServer } from '../support/server-process.js';
import { until } from '../support/until.js';

const bin = postgresBin();
const canRun = bin !== undefined && process.getuid?.() === 0 && isInstalled();
if (!canRun)
  process.stderr.write(
    '\nSKIPPED: PgBouncer (Debian: pgbouncer), PostgreSQL and root are needed\n\n',
  );

/** Makes PgBouncer accept what it then drops. */
const IGNORE =
  'ignore_startup_parameters=options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';

(canRun ? describe : describe.skip)('a database behind PgBouncer', () => {
  let cluster: Cluster;
  let node: Node;
  const poolers: ChildProcess[] = [];
  beforeAll(async () => {
    cluster = new Cluster(bin!);
    node = await cluster.start(cluster.initialize('data'));
    await node.query('CREATE DATABASE platform');
    await prepareDatabase({ url: urlAt(node.port) });
  }, 180_000);
  afterAll(async () => {
    for (const pooler of poolers) pooler.kill('SIGKILL');
    await cluster.stop();
  });

  it.each(['session', 'transaction'].flatMap((mode) => ['', IGNORE].map((more) => [mode, more])))(
    'is refused in mode %s with "%s", because the settings of a session are dropped',
    async (mode, more) => {
      const port = await freePort();
      const file = cluster.path(`pgbouncer-${port}.ini`);
      writeFileSync(
        file,
        `[databases]
platform = host=127.0.0.1 port=${node.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
${more}
`,
      );
      const pooler = spawn('pgbouncer', ['-u', 'postgres', file], { stdio: 'pipe' });
      poolers.push(pooler);
      let printed = '';
      pooler.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      await until(() => Promise.resolve(printed.includes('process up')));
      const server = launchServer({ DATABASE_URL: urlAt(port), DEMO_DATA: 'false' });
      // A server that starts must not keep the test waiting.
      void server.listening.then(() => server.child.kill('SIGKILL')).catch(() => undefined);
      expect(await server.ended).toBe(1);
      expect(server.messages()).toMatch(
        /DATABASE_URL must lead to PostgreSQL itself, not to a pooler such as PgBouncer/,
      );
    },
    60_000,
  );
});

const urlAt = (port: number): string => `postgresql://postgres@127.0.0.1:${port}/platform`;

function isInstalled(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
