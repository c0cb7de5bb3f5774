import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { demoMigrations } from '../../migrations/demo/index.js';
import { functions, migrations } from '../../migrations/index.js';
import { loadConfig } from '../../src/base/config/config.js';
import { migrate, MigrationError } from '../../src/database/migrate.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { schemaChanges } from '../support/schema-changes.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const plan = { migrations, functions, demonstration: demoMigrations };

describe('the schema', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('matches the entities of the code', async () => {
    expect(server.app.get(DataSource).entityMetadatas.length).toBeGreaterThan(10);
    const changes = await schemaChanges(server);
    // The worker may have loaded the resources of test/example-resource or test/notes before.
    expect(changes.filter((change) => !/"(rooms|notes)"/.test(change))).toEqual([]);
  });

  it('belongs to a role that is no superuser', async () => {
    const [row] = await server.database.query(
      'SELECT rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user',
    );
    expect(row).toEqual({ rolsuper: false, rolcreaterole: false, rolcreatedb: false });
  });

  it('keeps paths of organizations right when they move, and refuses cycles', async () => {
    const query = (text: string) => server.database.query(text);
    const paths = async () =>
      query(`SELECT o.reference, array(SELECT x.reference FROM unnest(o.path) WITH ORDINALITY p(id, n) JOIN organizations x USING (id) ORDER BY n) AS path
        FROM organizations o WHERE o.reference IN ('SALES', 'SALES-FR') ORDER BY 1`);
    await query(
      `UPDATE organizations SET parent_id = (SELECT id FROM organizations WHERE reference = 'IT') WHERE reference = 'SALES'`,
    );
    expect(await paths()).toEqual([
      { reference: 'SALES', path: ['HQ', 'IT', 'SALES'] },
      { reference: 'SALES-FR', path: ['HQ', 'IT', 'SALES', 'SALES-FR'] },
    ]);
    await expect(
      query(
        `UPDATE organizations SET parent_id = (SELECT id FROM organizations WHERE reference = 'SALES-FR') WHERE reference = 'IT'`,
      ),
    ).rejects.toThrow(/below itself/);
  });

  it('vacuums tables with index-only scans early', async () => {
    const tables = await server.database.query(
      `SELECT relname, reloptions FROM pg_class WHERE relkind = 'r' AND reloptions::text LIKE '%autovacuum%' ORDER BY 1`,
    );
    const reloptions = [
      'autovacuum_vacuum_scale_factor=0.01',
      'autovacuum_vacuum_insert_scale_factor=0.01',
      'autovacuum_vacuum_cost_limit=2000',
    ];
    expect(tables).toEqual(
      ['customers', 'documents', 'faqs', 'news', 'users'].map((relname) => ({
        relname,
        reloptions,
      })),
    );
  });

  it('folds case and accents', async () => {
    const [row] = await server.database.query(
      `SELECT fold('ÀÉÎ Straße ØŁĐ Œuvre Þór İstanbul Ångström ﬁ') AS folded`,
    );
    expect(row).toEqual({ folded: 'aei strasse old oeuvre thor istanbul angstrom fi' });
  });

  it('holds the demonstration portal', async () => {
    const counts = await server.database.query(
      `SELECT (SELECT count(*)::int FROM users WHERE NOT sysadmin) AS users, (SELECT max(array_length(path, 1)) FROM organizations) AS levels,
        (SELECT count(*)::int FROM groups) AS groups, (SELECT count(*)::int FROM categories) AS categories,
        (SELECT count(*)::int FROM applications) AS applications, (SELECT count(*)::int FROM tasks) AS tasks,
        (SELECT count(*)::int FROM documents) AS documents, (SELECT count(*)::int FROM news) AS news,
        (SELECT count(*)::int FROM faqs) AS faqs, (SELECT count(*)::int FROM customers) AS customers`,
    );
    expect(counts[0]).toMatchObject({
      users: 174,
      groups: 6,
      categories: 5,
      applications: 20,
      tasks: 360,
      documents: 60,
      news: 30,
      faqs: 40,
      customers: 80,
    });
    expect(counts[0]!.levels).toBeGreaterThanOrEqual(3);
  });
});

describe('the migrations', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase({ empty: true });
  });
  afterAll(() => database.drop());
  const config = () =>
    loadConfig({ ALLOWED_ADDRESSES: '10.0.0.0/8; 192.168.1.1' }).withDatabase(database.connection);

  it('run once each when several instances start together', async () => {
    await Promise.all([1, 2, 3, 4].map(() => migrate(config(), plan)));
    const [row] = await database.query(
      'SELECT count(*)::int AS n, count(DISTINCT name)::int AS names FROM migrations',
    );
    expect(row).toEqual({ n: migrations.length, names: migrations.length });
  });

  it('take the first values of the IP allowlists from the environment', async () => {
    const rows = await database.query('SELECT value FROM parameters ORDER BY key');
    expect(rows).toEqual([{ value: '127.0.0.1, ::1' }, { value: '10.0.0.0/8,192.168.1.1' }]);
  });

  it('refuse a schema that is newer than the server', async () => {
    await database.query(`INSERT INTO migrations (timestamp, name) VALUES (1, 'FromTheFuture1')`);
    await expect(migrate(config(), plan)).rejects.toThrow(MigrationError);
    await expect(migrate(config(), plan)).rejects.toThrow(/newer version.*FromTheFuture1/);
    await database.query(`DELETE FROM migrations WHERE name = 'FromTheFuture1'`);
  });

  it('can be reverted and run again', async () => {
    for (const [classes, table] of [
      [demoMigrations, 'demo_migrations'],
      [migrations, 'migrations'],
    ] as const) {
      const { host, user: username, database: name } = database.connection;
      const source = new DataSource({
        type: 'postgres',
        host,
        username,
        database: name,
        migrations: [...classes],
        migrationsTableName: table,
      });
      await source.initialize();
      for (let n = 0; n < classes.length; n++) await source.undoLastMigration();
      await source.destroy();
    }
    const left = await database.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S') AND relname NOT LIKE '%migrations%'
       UNION SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
    );
    expect(left).toEqual([]);
    await migrate(config(), plan);
    expect(await database.query('SELECT count(*)::int AS n FROM migrations')).toEqual([
      { n: migrations.length },
    ]);
  });
});
