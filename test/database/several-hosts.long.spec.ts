import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signIn, tokenOf } from '../hardening/harness.js';
import { Cluster, type Node, postgresBin } from '../support/debian-postgres.js';
import { eventually } from '../support/eventually.js';
import { prepareDatabase } from '../support/prepare-database.js';
import { send } from '../support/send.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';

const bin = postgresBin();
if (bin === undefined)
  process.stderr.write('\nSKIPPED: no pg_basebackup on this machine (set POSTGRES_BIN)\n\n');

(bin === undefined ? describe.skip : describe)('a DATABASE_URL with several hosts', () => {
  let cluster: Cluster;
  let primary: Node;
  let standby: Node;
  let server: ServerProcess;
  beforeAll(async () => {
    cluster = new Cluster(bin!);
    primary = await cluster.start(cluster.initialize('primary'));
    await primary.query('CREATE DATABASE platform');
    await prepareDatabase({ url: `postgresql://postgres@127.0.0.1:${primary.port}/platform` });
    const data = cluster.path('standby');
    const source = `host=127.0.0.1 port=${primary.port} user=postgres`;
    cluster.run('pg_basebackup', ['-D', data, '-R', '-d', source, '-c', 'fast']);
    standby = await cluster.start(data);
    const hosts = ['127.0.0.1:1', `127.0.0.1:${standby.port}`, `127.0.0.1:${primary.port}`];
    server = await startServerProcess({
      DATABASE_URL: `postgresql://postgres@${hosts.join(',')}/platform?target_session_attrs=read-write`,
    });
  }, 180_000);
  afterAll(async () => {
    server?.child.kill('SIGKILL');
    await cluster.stop();
  });

  const sessionsOf = async (node: Node) => {
    const sessions = `SELECT count(*)::int FROM pg_stat_activity WHERE application_name LIKE 'process-platform%'`;
    return (await node.query<{ count: number }>(sessions))[0]!.count;
  };
  const write = (token: string, title: string) =>
    send(server.port, '/api/v2/content/documents', { method: 'POST', token, body: { title } });

  it('uses the primary, wherever it stands in the list', async () => {
    const token = await tokenOf(server.port, 'alice.martin');
    expect((await write(token, 'Before')).status).toBe(201);
    await eventually(async () => expect(await sessionsOf(standby)).toBe(0));
  });

  it('follows the primary to a standby that was promoted', async () => {
    const token = await tokenOf(server.port, 'alice.martin');
    await primary.end('SIGINT');
    expect((await signIn(server.port, 'alice.martin')).status).toBe(503);
    cluster.run('pg_ctl', ['promote', '-D', standby.data, '-w']);
    await eventually(async () => expect((await write(token, 'After')).status).toBe(201));
    expect(await sessionsOf(standby)).toBeGreaterThan(1);
  });
});

(bin === undefined ? describe.skip : describe)('a DATABASE_URL that leads to a standby', () => {
  it('is served by no connection of the pool, because a standby may be behind', async () => {
    const cluster = new Cluster(bin!);
    let server: ServerProcess | undefined;
    try {
      const primary = await cluster.start(cluster.initialize('primary'));
      await primary.query('CREATE DATABASE platform');
      const url = `postgresql://postgres@127.0.0.1:${primary.port}/platform`;
      await prepareDatabase({ url });
      server = await startServerProcess({ DATABASE_URL: url });
      const token = await tokenOf(server.port, 'alice.martin');
      await primary.end('SIGQUIT');
      cluster.run('/bin/touch', [`${primary.data}/standby.signal`]);
      await cluster.start(primary.data, {}, primary.port);
      const answer = await send(server.port, '/api/v2/directory/users?range=0-1', { token });
      expect(answer.status).toBe(503);
    } finally {
      server?.child.kill('SIGKILL');
      await cluster.stop();
    }
  }, 180_000);
});
