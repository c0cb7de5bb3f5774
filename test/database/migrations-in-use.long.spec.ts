import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type MigrationInterface } from 'typeorm';
import pg from 'pg';
import { functions, migrations } from '../../migrations/index.js';
import { migrate, planMigrations } from '../../src/database/migrate.js';
import { eventually } from '../support/eventually.js';
import { configOf, keepUsingTasks, makeFormer } from '../support/former-tasks.js';
import { LATER } from '../support/later-migrations.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** A migration that builds indexes, and one that changes a table. */
const INDEXES = 'IndexTexts1900000000000';
const CHANGES = 'NoteReaders1900000001000';

/** What they take. An index is built with SHARE UPDATE EXCLUSIVE; the locks below it are held for a moment. */
const PLANNED = {
  [INDEXES]: ['documents: SHARE UPDATE EXCLUSIVE', 'tasks: SHARE UPDATE EXCLUSIVE'],
  [CHANGES]: [
    'changes: SHARE UPDATE EXCLUSIVE',
    'tasks: ACCESS EXCLUSIVE',
    'users: SHARE ROW EXCLUSIVE',
  ],
  FillReadDates1900000002000: ['tasks: SHARE ROW EXCLUSIVE'],
  MendPaths1900000003000: ['organizations: ROW EXCLUSIVE'],
};

const all = [...migrations, ...LATER];
/** The schema of a version whose newest migration this is. */
const upTo = (name: string) => ({
  migrations: all.slice(0, all.findIndex((migration) => migration.name === name) + 1),
  functions,
  demonstration: [],
});
const LATEST = upTo(all.at(-1)!.name);

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

const migrateTo = (name: string) => migrate(configOf(database.connection), upTo(name));

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
    await migrateTo(INDEXES);
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
      const plan = await planMigrations(configOf(database.connection), upTo(name));
      const { locks } = plan.find((pending) => pending.name === name)!;
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
    expect(planned).toEqual(PLANNED);
    // What builds an index without CONCURRENTLY.
    const building = Object.entries(planned).filter(([, locks]) =>
      locks.some((lock) => lock.endsWith(': SHARE')),
    );
    expect(building).toEqual([]);
  }, 300_000);

  it('drops the invalid index that a failed build has left', async () => {
    const made = await indexes();
    await database.query('DELETE FROM migrations WHERE name = $1', [INDEXES]);
    await expect(
      database.query('CREATE UNIQUE INDEX CONCURRENTLY tasks_outcome_idx_new ON tasks (status)'),
    ).rejects.toThrow('could not create unique index');
    expect(await indexes()).toContainEqual({
      name: 'tasks_outcome_idx_new',
      valid: false,
      definition: 'CREATE UNIQUE INDEX tasks_outcome_idx_new ON public.tasks USING btree (status)',
    });
    await migrate(configOf(database.connection), LATEST);
    expect(await indexes()).toEqual(made);
  }, 120_000);
});

describe('a changed function of the database', () => {
  const changed = functions.map((one) =>
    one.name === 'tasks_note_closing'
      ? { ...one, text: one.text.replace('now()', 'clock_timestamp()'), digest: 'changed' }
      : one,
  );
  const later = { ...upTo(migrations.at(-1)!.name), functions: changed };
  const config = () => configOf(database.connection);
  beforeAll(() => makeDatabase(20), 120_000);
  afterAll(() => database.drop());

  const functionText = () =>
    database.query(`SELECT prosrc FROM pg_proc WHERE proname = 'tasks_note_closing'`);

  it('is planned with the lock of its triggers, and replaced beside calls of its table', async () => {
    const planned = (await planMigrations(config(), later)).filter(({ applied }) => !applied);
    const [history, name] = ['applied_functions', 'tasks_note_closing'];
    expect(planned).toEqual([
      { history, name, applied: false, locks: ['tasks: SHARE ROW EXCLUSIVE'], seconds: 0 },
    ]);
    const [long, reader] = [await connect(), await connect()];
    await long.query('BEGIN; UPDATE tasks SET priority = 1 WHERE id = 1');
    const migrated = migrate(config(), later);
    await eventually(async () => {
      const waiting = await database.query(
        `SELECT FROM pg_locks WHERE relation = 'tasks'::regclass AND mode = 'ShareRowExclusiveLock' AND NOT granted`,
      );
      expect(waiting).toHaveLength(1);
    });
    await reader.query('UPDATE tasks SET priority = 2 WHERE id = 2');
    await long.query('COMMIT');
    expect(await migrated).toEqual([{ history, name, applied: true }]);
    expect(await migrate(config(), later)).toEqual([]);
    expect((await functionText())[0]!.prosrc).toContain('clock_timestamp()');
  }, 120_000);

  it('is that of the version that started last', async () => {
    await migrate(config(), upTo(migrations.at(-1)!.name));
    expect((await functionText())[0]!.prosrc).not.toContain('clock_timestamp()');
  }, 120_000);

  it('goes with its triggers when the version has it no more', async () => {
    await migrate(config(), {
      ...later,
      functions: functions.filter(({ name }) => name !== 'tasks_note_closing'),
    });
    expect(await functionText()).toEqual([]);
    await database.query(`UPDATE tasks SET status = 'done' WHERE id = 5`);
    await migrate(config(), upTo(migrations.at(-1)!.name));
    const [row] = await database.query(`UPDATE tasks SET status = 'cancelled' WHERE id = 5
      RETURNING closed_date = now()::timestamptz(3) AS closed`);
    expect(row).toEqual({ closed: true });
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

describe('all migrations of a later version', () => {
  beforeAll(() => makeDatabase(4_000), 120_000);
  afterAll(() => database.drop());

  it('refuse no call of a reader and a writer beside them', async () => {
    const stop = keepUsingTasks(database.connection);
    await migrate(configOf(database.connection), LATEST);
    const { refused, count } = await stop();
    expect([refused, Object.keys(count).sort()]).toEqual([[], ['reader', 'writer']]);
    const [{ unread } = { unread: -1 }] = await database.query<{ unread: number }>(
      'SELECT count(*)::int AS unread FROM tasks WHERE read_date IS NULL AND external_id IS NOT NULL',
    );
    expect(unread).toBe(0);
    const journal = await database.query(
      `SELECT count(*)::int AS n FROM changes WHERE kind = 'tasks' AND operation = 'U'`,
    );
    expect(journal[0]!.n).toBeLessThan(3_200);
  }, 300_000);
});
