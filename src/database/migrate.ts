import { setTimeout as delay } from 'node:timers/promises';
import { AbstractLogger, DataSource, type MigrationInterface } from 'typeorm';
import type { Config } from '../base/config/config.js';
import { POOLER, sqlStateOf } from '../base/errors/database-errors.js';
import { clientOptions } from './connection-options.js';
import { DedicatedConnection } from './dedicated-connection.js';
import { grantRuntime } from './runtime-role.js';
import { costOf, costOfStatements, type MigrationCost, NO_COST } from './migration-locks.js';
import { refuseUnfinishedRestore } from './unfinished-restore.js';

/**
 * The key of the advisory lock under which one instance at a time migrates. Not 2_026_112_100, for which development
 * versions before 1.0.0 wait inside a statement.
 */
const MIGRATION_LOCK = 2_026_112_104;

/** How often another instance tries to get that lock, in milliseconds. */
const LOCK_POLL = 100;

/**
 * How long a statement of a migration waits for a lock, in milliseconds, because all other users of the table wait
 * behind it. A migration that gets no lock in time is repeated after a pause, in which the others proceed.
 */
const MIGRATION_LOCK_TIMEOUT = 200;
const LOCK_PAUSE = 500;

/** How long migrations are repeated, in milliseconds: a backup reads all tables in one transaction. */
const LOCK_PATIENCE = 600_000;

/** PostgreSQL's code for a lock that was not granted in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** PostgreSQL's code for a statement that only the owner may run. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** PostgreSQL 15, as the server reports it. */
const OLDEST_SERVER = 150_000;

/** The table that records the demonstration portal. */
export const DEMO_HISTORY = 'demo_migrations';

/** The table that records the functions; the first migration creates it. */
const FUNCTIONS = 'applied_functions';

type MigrationClass = new () => MigrationInterface;

/** The schema is newer than this server, or the database cannot be used; `message` says what to do. */
export class MigrationError extends Error {}

/** A function of the database with its triggers: its name, and statements that create or replace it. */
interface DatabaseFunction {
  name: string;
  text: string;
  /** Digest of the statements. The database stores that of the ones it ran. */
  digest: string;
}

export interface MigrationPlan {
  migrations: MigrationClass[];
  /** All functions that the database has after the migrations. */
  functions: DatabaseFunction[];
  /** Seeds of the demonstration portal, in a history of their own. */
  demonstration: MigrationClass[];
  /** Run by the restore whose mark the database has. */
  restores?: boolean;
}

/** One migration or function, and whether this database has it. */
export interface MigrationState extends Record<string, unknown> {
  /** The table that records it. */
  history: string;
  name: string;
  applied: boolean;
}

/**
 * Brings the schema up to date. A lock serializes instances that start together; TypeORM itself has none.
 * Each migration is a transaction, so a killed one leaves nothing half done, or says `transaction = false` and can be
 * repeated. The functions follow, in one transaction: those that changed since they were last created.
 * @param whileLocked further work for one instance at a time, after the migrations
 * @returns the migrations that were run, oldest first, and the functions that were created or replaced
 * @throws MigrationError when the database is too old, not in UTF-8, behind a pooler, or was made by another version of this server;
 * UnfinishedRestore
 */
export function migrate(
  config: Config,
  plan: MigrationPlan,
  whileLocked: () => Promise<void> = () => Promise.resolve(),
): Promise<MigrationState[]> {
  return underLock(config, plan, async () => {
    const run: MigrationState[] = [];
    for (const { classes, table } of historiesOf(config, plan))
      await inHistory(config, classes, table, async (dataSource) => {
        await refuseForeignSchema(dataSource, classes, table);
        if (table === DEMO_HISTORY && !(await mayDemonstrate(dataSource))) return;
        const before = await appliedNames(dataSource, table);
        await runPending(dataSource, { classes, table });
        for (const name of (await appliedNames(dataSource, table)).slice(before.length))
          run.push({ history: table, name, applied: true });
        if (table === DEMO_HISTORY) return;
        for (const { name } of await createFunctions(dataSource, plan.functions))
          run.push({ history: FUNCTIONS, name, applied: true });
        const { RUNTIME_ROLE } = config.env;
        if (RUNTIME_ROLE !== undefined) await grantRuntime(dataSource, RUNTIME_ROLE);
      });
    await whileLocked();
    return run;
  });
}

/** @throws MigrationError when a lock was not available */
async function runPending(dataSource: DataSource, { classes, table }: History): Promise<void> {
  await patiently(
    () => dataSource.runMigrations({ transaction: 'each' }),
    async () => {
      const applied = await appliedNames(dataSource, table);
      return classes.find(({ name }) => !applied.includes(name))!.name;
    },
  );
}

/**
 * Creates or replaces the functions whose statements are new to this database, and drops those that are gone, with
 * their triggers. All in one transaction: a function may need another one.
 * @returns the functions that were created or replaced
 * @throws MigrationError when a lock was not available
 */
async function createFunctions(
  dataSource: DataSource,
  functions: DatabaseFunction[],
): Promise<DatabaseFunction[]> {
  const applied = await appliedFunctions(dataSource);
  const changed = functions.filter(({ name, digest }) => applied.get(name) !== digest);
  const gone = [...applied.keys()].filter((name) => functions.every((kept) => kept.name !== name));
  if (functions.length === 0 || changed.length + gone.length === 0) return [];
  await patiently(
    () =>
      dataSource.transaction(async (manager) => {
        // Functions that run as their owner have this fixed path, so that neither a caller's path nor temporary tables
        // affect them.
        await manager.query(
          `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`,
        );
        for (const name of gone) await manager.query(`DROP FUNCTION IF EXISTS ${name} CASCADE`);
        await manager.query(`DELETE FROM ${FUNCTIONS} WHERE name = ANY ($1)`, [gone]);
        for (const { name, text, digest } of changed) {
          await manager.query(text);
          await manager.query(
            `INSERT INTO ${FUNCTIONS} VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET digest = excluded.digest`,
            [name, digest],
          );
        }
      }),
    () => Promise.resolve('The creation of functions'),
  );
  return changed;
}

/**
 * Runs a part of the migration, and repeats it while it gets no lock in time: it was rolled back, or can be repeated.
 * @param nameIt names the part in the error
 * @throws MigrationError when a lock was not available
 */
async function patiently<T>(run: () => Promise<T>, nameIt: () => Promise<string>): Promise<T> {
  const deadline = Date.now() + LOCK_PATIENCE;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (sqlStateOf(error) === INSUFFICIENT_PRIVILEGE)
        throw new MigrationError(
          `${await nameIt()} is pending, and the role of DATABASE_URL may not change the schema: run "process-platform migrate run" as the owner of the tables`,
        );
      if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      if (Date.now() > deadline)
        throw new MigrationError(
          `${await nameIt()} got no lock for ten minutes, because another transaction uses its tables: wait for the end of a backup, or end the transaction (pg_stat_activity shows it), and start again`,
        );
      await delay(LOCK_PAUSE);
    }
  }
}

/** A migration or function, and its cost when it runs; no cost once it has run. */
export type PlannedMigration = MigrationState & MigrationCost;

/** Every migration and function in the order in which `migrate` runs them; also those of a newer server. */
export function planMigrations(config: Config, plan: MigrationPlan): Promise<PlannedMigration[]> {
  return underLock(config, plan, async () => {
    const planned: PlannedMigration[] = [];
    for (const { classes, table } of historiesOf(config, plan))
      await inHistory(config, classes, table, async (dataSource) => {
        const applied = await appliedNames(dataSource, table);
        for (const name of applied)
          planned.push({ history: table, name, applied: true, ...NO_COST });
        const known = await appliedFunctions(dataSource);
        // It takes the only connection.
        const runner = dataSource.createQueryRunner();
        for (const pending of classes.filter(({ name }) => !applied.includes(name)))
          planned.push({
            history: table,
            name: pending.name,
            applied: false,
            // Demonstration data goes into an empty database.
            ...(table === DEMO_HISTORY ? NO_COST : await costOf(runner, pending)),
          });
        if (table !== DEMO_HISTORY) {
          for (const { name, text, digest } of plan.functions) {
            const isApplied = known.get(name) === digest;
            const cost = isApplied ? NO_COST : await costOfStatements(runner, [text]);
            planned.push({ history: FUNCTIONS, name, applied: isApplied, ...cost });
          }
        }
        await runner.release();
      });
    return planned;
  });
}

/**
 * Reverts the newest migration, those of the demonstration portal first. The data it created is lost.
 * @param expected the name of the newest migration, by which the administrator confirms the loss
 * @returns undefined when there is none
 * @throws MigrationError when the database is newer than this server, or another migration is the newest
 */
export function revertMigration(
  config: Config,
  plan: MigrationPlan,
  expected: string | undefined,
): Promise<MigrationState | undefined> {
  const { migrations, demonstration } = plan;
  const histories = [
    { classes: demonstration, table: DEMO_HISTORY },
    { classes: migrations, table: 'migrations' },
  ];
  return underLock(config, plan, async () => {
    for (const { classes, table } of histories)
      await inHistory(config, classes, table, (dataSource) =>
        refuseForeignSchema(dataSource, classes, table),
      );
    for (const { classes, table } of histories) {
      const name = await inHistory(config, classes, table, async (dataSource) => {
        const newest = (await appliedNames(dataSource, table)).at(-1);
        if (newest === undefined) return undefined;
        if (newest !== expected)
          throw new MigrationError(
            `reverting the newest migration deletes the tables and columns that it created, with their data; to confirm, give its name: migrate revert ${newest}`,
          );
        const { transaction = true } = new (classes.find(({ name }) => name === newest)!)();
        await dataSource.undoLastMigration({ transaction: transaction ? 'each' : 'none' });
        // Its triggers went with its tables: the next migration creates all functions again.
        if (table !== DEMO_HISTORY && (await exists(dataSource, FUNCTIONS)))
          await dataSource.query(`UPDATE ${FUNCTIONS} SET digest = ''`);
        return newest;
      });
      if (name !== undefined) return { history: table, name, applied: false };
    }
    return undefined;
  });
}

interface History {
  classes: MigrationClass[];
  table: string;
}

/** The histories that this environment needs, in the order of their execution. */
const historiesOf = ({ env }: Config, { migrations, demonstration }: MigrationPlan): History[] => [
  { classes: migrations, table: 'migrations' },
  ...(env.DEMO_DATA ? [{ classes: demonstration, table: DEMO_HISTORY }] : []),
];

/**
 * Demonstration data goes into an empty database only, never into one in use, e.g. one that was restored
 * into the embedded server.
 */
async function mayDemonstrate(dataSource: DataSource): Promise<boolean> {
  if ((await appliedNames(dataSource, DEMO_HISTORY)).length > 0) return true;
  const [{ empty } = { empty: true }] = await dataSource.query<{ empty: boolean }[]>(
    'SELECT NOT EXISTS (SELECT FROM users WHERE NOT sysadmin) AS empty',
  );
  return empty;
}

/** @throws UnfinishedRestore unless the restore itself migrates */
async function underLock<T>(
  config: Config,
  { restores = false }: MigrationPlan,
  work: () => Promise<T>,
): Promise<T> {
  return DedicatedConnection.on(config, async (session) => {
    await checkServer(session);
    await takeLock(session);
    if (!restores) await refuseUnfinishedRestore(session);
    return work();
  });
}

/**
 * Waits for the lock between statements: an index that is built concurrently waits for all older statements, also
 * for one that would wait for this lock.
 */
async function takeLock(session: DedicatedConnection): Promise<void> {
  for (;;) {
    const [row] = await session.rows({
      text: 'SELECT pg_try_advisory_lock($1)',
      values: [MIGRATION_LOCK],
    });
    if (row![0] === true) return;
    await delay(LOCK_POLL);
  }
}

async function checkServer(session: DedicatedConnection): Promise<void> {
  const [server] = await session.query<{ version: string; encoding: string; vendor: string }>({
    text: `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
      current_setting('platform.vendor', true) AS vendor`,
    values: [],
  });
  const { version, encoding, vendor } = server!;
  if (!vendor) throw new MigrationError(POOLER);
  if (Number(version) < OLDEST_SERVER) throw new MigrationError('PostgreSQL 15 or newer is needed');
  if (encoding !== 'UTF8')
    throw new MigrationError(`the database must be in UTF8, it is in ${encoding}`);
}

async function inHistory<T>(
  config: Config,
  classes: MigrationClass[],
  table: string,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const { connectionString, user, ...options } = clientOptions(config);
  const dataSource = new DataSource({
    type: 'postgres',
    ...(connectionString === undefined
      ? { host: options.host, username: user, database: options.database }
      : { url: connectionString }),
    migrations: classes,
    migrationsTableName: table,
    logger: new Silence(),
    extra: {
      ...options,
      max: 1,
      options: `${options.options} -c lock_timeout=${MIGRATION_LOCK_TIMEOUT} ${firstValues(config)}`,
    },
  });
  await dataSource.initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** TypeORM would print each attempt. The last failure is thrown. */
class Silence extends AbstractLogger {
  protected writeLog(): void {}
}

/** Session settings that the seed reads: the first values of the address parameters. */
function firstValues({ env }: Config): string {
  const quoted = (value: string): string => value.replace(/[\s,;]+/g, ',');
  return (
    `-c platform.allowed_addresses=${quoted(env.ALLOWED_ADDRESSES ?? '')} ` +
    `-c platform.sysadmin_allowed_addresses=${quoted(env.SYSADMIN_ALLOWED_ADDRESSES ?? '')}`
  );
}

async function refuseForeignSchema(
  dataSource: DataSource,
  classes: MigrationClass[],
  table: string,
): Promise<void> {
  const known = new Set(classes.map((migration) => migration.name));
  const unknown = (await appliedNames(dataSource, table)).filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new MigrationError(
      `the database was migrated by a newer version of this server (${unknown.join(', ')}); start that version, or restore a backup`,
    );
}

/** The migrations that a history records, oldest first; none before the first. */
async function appliedNames(dataSource: DataSource, table: string): Promise<string[]> {
  if (!(await exists(dataSource, table))) return [];
  const rows = await dataSource.query<{ name: string }[]>(`SELECT name FROM ${table} ORDER BY id`);
  return rows.map(({ name }) => name);
}

/** The digests of the functions that the database has. */
async function appliedFunctions(dataSource: DataSource): Promise<Map<string, string>> {
  if (!(await exists(dataSource, FUNCTIONS))) return new Map();
  const rows = await dataSource.query<DatabaseFunction[]>(`SELECT name, digest FROM ${FUNCTIONS}`);
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

async function exists(dataSource: DataSource, table: string): Promise<boolean> {
  const [row] = await dataSource.query<[{ exists: boolean }]>(
    'SELECT to_regclass($1) IS NOT NULL AS exists',
    [table],
  );
  return row.exists;
}
