import { appendFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { startServerProcess } from '../support/server-process.js';
import { DEMO_PASSWORD, send } from '../support/test-server.js';
import { Cluster, postgresBin } from '../support/debian-postgres.js';
import { prepareDatabase } from '../support/prepare-database.js';
import { until } from '../support/until.js';

/** Follows the recovery of docs/backup.md with the host's PostgreSQL. */

const bin = postgresBin();
if (bin === undefined)
  process.stderr.write('\nSKIPPED: no pg_basebackup on this machine (set POSTGRES_BIN)\n\n');

(bin === undefined ? describe.skip : describe)('recovery to a moment', () => {
  it('restores all writes before a moment, and none after it', async () => {
    const cluster = new Cluster(bin!);
    try {
      const wal = cluster.path('wal');
      const base = cluster.path('base');
      cluster.run('/bin/mkdir', [wal]);
      const data = cluster.initialize('data');
      const node = await cluster.start(data, {
        archive_mode: 'on',
        archive_command: `test ! -f ${wal}/%f && cp %p ${wal}/%f`,
      });
      await node.query('CREATE DATABASE platform');
      const urlOf = (port: number) => `postgresql://postgres@127.0.0.1:${port}/platform`;
      await prepareDatabase({ url: urlOf(node.port) });
      cluster.run('pg_basebackup', [
        `--pgdata=${base}`,
        '--checkpoint=fast',
        '--wal-method=stream',
        `--dbname=host=127.0.0.1 port=${node.port} user=postgres`,
      ]);
      const server = await startServerProcess({ DATABASE_URL: urlOf(node.port) });
      const token = await tokenOf(server.port);
      const create = async (title: string) => {
        const path = '/api/v2/content/documents';
        const { status } = await send(server.port, path, {
          method: 'POST',
          token,
          body: { title },
        });
        expect(status).toBe(201);
      };
      await create('Before the moment');
      await delay(200);
      const [{ moment }] = (await node.query('SELECT clock_timestamp()::text AS moment')) as [
        { moment: string },
      ];
      await delay(200);
      await create('After the moment');
      await server.stop();
      await node.query('SELECT pg_switch_wal()', 'platform');
      await node.end('SIGINT');

      appendFileSync(
        `${base}/postgresql.auto.conf`,
        `restore_command = 'cp ${wal}/%f %p'\nrecovery_target_time = '${moment}'\nrecovery_target_action = 'promote'\n`,
      );
      writeFileSync(`${base}/recovery.signal`, '');
      const recovered = await cluster.start(base);
      const isPromoted = async () => {
        const [row] = await recovered.query<{ recovering: boolean }>(
          'SELECT pg_is_in_recovery() AS recovering',
        );
        return row?.recovering === false;
      };
      expect(await until(isPromoted, { within: 20_000 })).toBeDefined();
      const again = await startServerProcess({ DATABASE_URL: urlOf(recovered.port) });
      const documents = await send(
        again.port,
        '/api/v2/content/documents?filters=title:ends:the%20moment',
        { token: await tokenOf(again.port) },
      );
      expect(documents.body.map(({ title }: { title: string }) => title)).toEqual([
        'Before the moment',
      ]);
      await again.stop();
    } finally {
      await cluster.stop();
    }
  }, 240_000);
});

async function tokenOf(port: number): Promise<string> {
  const body = { login: 'alice.martin', password: DEMO_PASSWORD };
  const { body: answer } = await send(port, '/api/v2/authentication', { method: 'POST', body });
  return (answer as { token: string }).token;
}
