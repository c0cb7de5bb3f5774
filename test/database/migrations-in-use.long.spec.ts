import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type MigrationInterface } from 'typeorm';
import pg from 'pg';
import { migrations } from '../../migrations/index.js';
import { migrate, planMigrations } from '../../src/database/migrate.js';
import { eventually } from '../support/eventually.js';
import { configOf, keepUsingTasks, LATER, makeFormer } from '../support/former-tasks.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** A migration that builds indexes, and one that changes a table. */
const INDEXES = 'IndexDescriptionsOfTasks1802600000000';
const CHANGES = 'NoteClosings1809300000000';

/** What some take. An index is built with SHARE UPDATE EXCLUSIVE; the locks below it are held for a moment. */
const PLANNED = {
  [INDEXES]: ['tasks: SHARE UPDATE EXCLUSIVE'],
  ReportEndpoints1806600000000: ['endpoint_health: ACCESS EXCLUSIVE'],
  KeepConfirmedDecisions1808600000000: [],
  RecordMovedTasks1808700000000: ['changes: SHARE UPDATE EXCLUSIVE', 'tasks: SHARE ROW EXCLUSIVE'],
  KnowTextsOfSources1809000000000: ['tasks: SHARE UPDATE EXCLUSIVE'],
  DoubtDeliveries1809200000000: ['deliveries: ACCESS EXCLUSIVE'],
  [CHANGES]: ['tasks: ACCESS EXCLUSIVE'],
  JournalApplicationsOfTasks1809300001000: ['changes: ACCESS EXCLUSIVE'],
  DescribeDeliveries1809400000000: ['deliveries: ACCESS EXCLUSIVE'],
  NoteEarlierClosings1809401000000: ['tasks: SHARE ROW EXCLUSIVE'],
  DropWholeDescriptions1809402000000: ['tasks: SHARE UPDATE EXCLUSIVE'],
  IndexIdsOfClosedTasks1809403000000: ['tasks: SHARE UPDATE EXCLUSIVE'],
  IndexWholeKeywords1809404000000: [
    'documents: SHARE UPDATE EXCLUSIVE',
    'faqs: SHARE UPDATE EXCLUSIVE',
  ],
  IndexIdsOfExternalTasks1809405000000: ['tasks: SHARE UPDATE EXCLUSIVE'],
  NoteConfirmingEndpoints1809406000000: ['task_changes: ACCESS EXCLUSIVE'],
  DeriveEveryAudience1809407000000: ['application', 'customer', 'document', 'faq', 'news'].map(
    (owner) => `${owner}_audiences: SHARE ROW EXCLUSIVE`,
  ),
  LockEveryMoveOfOrganizations1809408000000: ['organizations: ROW EXCLUSIVE'],
  CountBytesOfFiles1809420000000: ['task_files: SHARE ROW EXCLUSIVE', 'users: SHARE ROW EXCLUSIVE'],
  CompareReferencesAsTheyAre1809430000000: [
    ...['absences', 'applications', 'categories', 'customers', 'documents', 'endpoints', 'faqs'],
    ...['groups', 'news', 'organizations', 'sources', 'task_filters', 'tasks', 'views'],
  ].map((table) => `${table}: SHARE UPDATE EXCLUSIVE`),
};

const upTo = (name: string) =>
  migrations.slice(0, migrations.findIndex((migration) => migration.name === name) + 1);

let database: TestDatabase;
const clients: pg.Client[] = [];
async function makeDatabase(tasks: number): Promise<void> {
  database = await createTestDatabase({ empty: true });
  await makeFormer(database.connection, tasks);
}
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
});

/** A connection with the time limit of a server for locks. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ ...database.connection, lock_timeout: 2_000 });
  await client.connect();
  clients.push(client);
  return client;
}

const migrateTo = (name: string) =>
  migrate(configOf(database.connection), { migrations: upTo(name), demonstration: [] });

const indexes = () =>
  database.query(
    `SELECT indexrelid::regclass::text AS name, indisvalid AS valid, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index WHERE indrelid IN ('tasks'::regclass, 'documents'::regclass, 'faqs'::regclass) ORDER BY 1`,
  );

describe('a migration of tables in use', () => {
  beforeAll(() => makeDatabase(200), 120_000);
  afterAll(() => database.drop());

  it('holds up no call while it builds indexes, nor another instance that waits for it', async () => {
    const [long, reader, writer] = [await connect(), await connect(), await connect()];
    await long.query(`BEGIN; UPDATE tasks SET priority = 1 WHERE id = 1`);
    const migrated = Promise.all([migrateTo(INDEXES), migrateTo(INDEXES)]);
    await eventually(async () => {
      const waiting = await database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'CREATE%INDEX%'`,
      );
      expect(waiting).toHaveLength(1);
    });
    await reader.query('SELECT FROM tasks LIMIT 1');
    await writer.query('UPDATE tasks SET priority = 2 WHERE id = 2');
    await long.query('COMMIT');
    const [first, second] = await migrated;
    expect([...first, ...second]).toEqual([
      { history: 'migrations', name: INDEXES, applied: true },
    ]);
  }, 120_000);

  it('lets calls pass while it waits for its lock, and gets it in the end', async () => {
    await migrateTo(migrations[upTo(CHANGES).length - 2]!.name);
    const [long, reader] = [await connect(), await connect()];
    await long.query('BEGIN; SELECT FROM tasks LIMIT 1');
    const migrated = migrateTo(CHANGES);
    for (let tries = 0; tries < 2; tries++) {
      await eventually(async () => {
        const waiting = await database.query(
          `SELECT FROM pg_locks WHERE relation = 'tasks'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted`,
        );
        expect(waiting).toHaveLength(1);
      });
      await reader.query('SELECT FROM tasks LIMIT 1');
    }
    await long.query('COMMIT');
    expect(await migrated).toEqual([{ history: 'migrations', name: CHANGES, applied: true }]);
  }, 120_000);
});

describe('each migration of tables in use', () => {
  beforeAll(() => makeDatabase(20), 120_000);
  afterAll(() => database.drop());

  it('takes the locks that the plan names, and can be repeated where it is no transaction', async () => {
    const planned: Record<string, string[]> = {};
    for (const Migration of LATER) {
      const { name } = Migration;
      const plan = { migrations: upTo(name), demonstration: [] };
      const { locks } = (await planMigrations(configOf(database.connection), plan)).at(-1)!;
      planned[name] = locks;
      if ((new Migration() as MigrationInterface).transaction ?? true) {
        expect(locks).toEqual(expect.arrayContaining(await locksOf(Migration)));
        await migrateTo(name);
        continue;
      }
      await migrateTo(name);
      const made = await indexes();
      await database.query('DELETE FROM migrations WHERE name = $1', [name]);
      await migrateTo(name);
      expect(await indexes()).toEqual(made);
    }
    expect(planned).toMatchObject(PLANNED);
    // What builds an index without CONCURRENTLY.
    const building = Object.entries(planned).filter(([, locks]) =>
      locks.some((lock) => lock.endsWith(': SHARE')),
    );
    expect(building).toEqual([]);
  }, 300_000);

  it('drops the invalid index that a failed build has left', async () => {
    const name = 'IndexIdsOfClosedTasks1809403000000';
    const made = await indexes();
    await database.query('DELETE FROM migrations WHERE name = $1', [name]);
    await expect(
      database.query('CREATE UNIQUE INDEX CONCURRENTLY tasks_outcome_idx_new ON tasks (status)'),
    ).rejects.toThrow('could not create unique index');
    expect(await indexes()).toContainEqual({
      name: 'tasks_outcome_idx_new',
      valid: false,
      definition: 'CREATE UNIQUE INDEX tasks_outcome_idx_new ON public.tasks USING btree (status)',
    });
    await migrate(configOf(database.connection), { migrations, demonstration: [] });
    expect(await indexes()).toEqual(made);
  }, 120_000);
});

/** The strongest lock of each table that is there, when the migration has done everything but the commit. */
async function locksOf(Migration: (typeof LATER)[number]): Promise<string[]> {
  const { host, user: username, database: name } = database.connection;
  const source = await new DataSource({
    type: 'postgres',
    host,
    username,
    database: name,
  }).initialize();
  const runner = source.createQueryRunner();
  const before = (await runner.query(
    `SELECT array_agg(oid) AS oids FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`,
  )) as [{ oids: string[] }];
  await runner.startTransaction();
  await new Migration().up(runner);
  const rows = (await runner.query(
    `SELECT DISTINCT ON (relation) relation::regclass::text AS table, m.label
     FROM pg_locks JOIN (VALUES ('RowExclusiveLock', 1, 'ROW EXCLUSIVE'), ('ShareUpdateExclusiveLock', 2, 'SHARE UPDATE EXCLUSIVE'),
       ('ShareLock', 3, 'SHARE'), ('ShareRowExclusiveLock', 4, 'SHARE ROW EXCLUSIVE'), ('AccessExclusiveLock', 5, 'ACCESS EXCLUSIVE')
     ) AS m (mode, strength, label) USING (mode)
     WHERE pid = pg_backend_pid() AND relation = ANY ($1::oid[]) ORDER BY relation, strength DESC`,
    [before[0].oids],
  )) as { table: string; label: string }[];
  await runner.rollbackTransaction();
  await source.destroy();
  return rows.map(({ table, label }) => `${table}: ${label}`).sort();
}

describe('all migrations since the former state', () => {
  beforeAll(() => makeDatabase(4_000), 120_000);
  afterAll(() => database.drop());

  it('refuse no call of a reader and a writer beside them', async () => {
    const stop = keepUsingTasks(database.connection);
    await migrate(configOf(database.connection), { migrations, demonstration: [] });
    const { refused, count } = await stop();
    expect([refused, Object.keys(count).sort()]).toEqual([[], ['reader', 'writer']]);
    const marked = await database.query(
      `SELECT count(*)::int AS n FROM tasks WHERE closed_by_source AND external_id IS NOT NULL`,
    );
    // The writer closes tasks itself, some of them before closings are noted.
    expect(marked[0]!.n).toBeGreaterThanOrEqual(3_200);
    const journal = await database.query(
      `SELECT count(*)::int AS n FROM changes WHERE kind = 'tasks' AND operation = 'U'`,
    );
    expect(journal[0]!.n).toBeLessThan(3_200);
  }, 300_000);
});
