import { connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { demoMigrations } from '../../migrations/demo/index.js';
import { functions, migrations } from '../../migrations/index.js';
import { loadConfig } from '../../src/base/config/config.js';
import { migrate } from '../../src/database/migrate.js';
import { startServerProcess, urlOf } from '../support/server-process.js';
import { createTestDatabase } from '../support/test-database.js';
import { DEMO_PASSWORD, send } from '../support/test-server.js';
import { Cluster, type Node, postgresBin } from '../support/debian-postgres.js';

const plan = { migrations, functions, demonstration: demoMigrations };
const migrateAt = (url: string) => migrate(loadConfig({ DATABASE_URL: url }), plan);

const bin = postgresBin();
if (bin === undefined)
  process.stderr.write(
    '\nSKIPPED: no other PostgreSQL on this machine (set POSTGRES_BIN to the folder of its programs)\n\n',
  );

(bin === undefined ? describe.skip : describe)('the PostgreSQL of this machine', () => {
  let cluster: Cluster;
  let node: Node;
  beforeAll(async () => {
    cluster = new Cluster(bin!);
    node = await cluster.start(cluster.initialize('data'));
    await node.query('CREATE ROLE platform LOGIN');
    await node.query('CREATE DATABASE platform OWNER platform');
  }, 180_000);
  afterAll(() => cluster.stop());

  it('is new enough, is migrated by a role without rights over others, and serves', async () => {
    const url = `postgresql://platform@127.0.0.1:${node.port}/platform`;
    const server = await startServerProcess({ DATABASE_URL: url, DEMO_DATA: 'true' });
    try {
      const body = { login: 'chloe.lefevre', password: DEMO_PASSWORD };
      const signedIn = await send(server.port, '/api/v2/authentication', { method: 'POST', body });
      expect(signedIn.status).toBe(200);
      const { token } = signedIn.body as { token: string };
      const users = await send(
        server.port,
        '/api/v2/directory/users?sorter=lastName&filters=title:contains:CHLOE%20lefevre',
        { token },
      );
      expect(users.body).toEqual([expect.objectContaining({ lastName: 'Lefèvre' })]);
      const found = await send(
        server.port,
        '/navigation/search/workplace?searchName=workplace_searchUsers&searchField=quickSearch&query=LEFEVRE%20chl',
        { token },
      );
      expect(found.body).toMatchObject({ type: 'success', data: [{ login: 'chloe.lefevre' }] });
      const tiles = await send(server.port, '/navigation/workplace/categories', { token });
      expect(tiles.body.length).toBeGreaterThan(0);
    } finally {
      await server.stop();
    }
  }, 180_000);
});

describe('a database that cannot be used', () => {
  it('is refused when it is not in UTF-8, before anything is made in it', async () => {
    const database = await createTestDatabase({ empty: true, encoding: 'LATIN1' });
    try {
      await expect(migrateAt(urlOf(database.connection))).rejects.toThrow(
        'the database must be in UTF8, it is in LATIN1',
      );
      expect(await database.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).toEqual(
        [],
      );
    } finally {
      await database.drop();
    }
  });

  it('is refused when PostgreSQL is older than 15', async () => {
    const database = await createTestDatabase({ empty: true });
    const { version } = (
      await database.query<{ version: string }>(
        `SELECT current_setting('server_version_num') AS version`,
      )
    )[0]!;
    const proxy = await saying(database.connection.host, version, '140021');
    try {
      const { port } = proxy.address() as { port: number };
      const { user, database: name } = database.connection;
      await expect(migrateAt(`postgresql://${user}@127.0.0.1:${port}/${name}`)).rejects.toThrow(
        'PostgreSQL 15 or newer is needed',
      );
    } finally {
      proxy.close();
      await database.drop();
    }
  });
});

/** A proxy of the database that replaces one text in its answers by another of the same length. */
async function saying(host: string, text: string, instead: string): Promise<Server> {
  const proxy = createServer((client) => {
    const server = connect(`${host}/.s.PGSQL.5432`);
    client.pipe(server);
    server.on('data', (chunk) =>
      client.write(Buffer.from(chunk.toString('latin1').replaceAll(text, instead), 'latin1')),
    );
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  return proxy;
}
