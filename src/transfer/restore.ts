import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { from as copyFrom } from 'pg-copy-streams';
import { Config } from '../base/config/config.js';
import { VERSION } from '../base/config/version.js';
import { migrate, type MigrationPlan } from '../database/migrate.js';
import { isRestoreUnfinished, RESTORE_LOCK, RESTORE_MARK } from '../database/unfinished-restore.js';
import { type AuditContext, recordAudit } from '../security/audit.service.js';
import {
  type ArchiveSummary,
  type Ending,
  explained,
  type Manifest,
  readArchive,
  type RowSink,
  type TableHeader,
} from './archive.js';
import { backedUpTables, quoted } from './backed-up-tables.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';

/** The server refuses a restore; `message` says why, and how to allow it. */
export class RestoreError extends Error {}

export interface RestoreOptions {
  path: string;
  /** Key of the digest; only an archive written with it is restored. */
  key?: Buffer;
  /** The schema of this server. */
  plan: MigrationPlan;
  /** Drop the tables that the database holds. */
  force: boolean;
  /** Proceed as a role that may run programs on the database host. */
  asSuperuser: boolean;
  auditContext: AuditContext;
  /** Called for each table once it is loaded. */
  progress?: (table: string, rows: number) => void;
}

/**
 * Loads an archive into a database: all rows, or none when anything does not fit. It first reads the whole archive and
 * checks its digest. Names from the archive reach a statement only if the database's own catalogue has them. It ends
 * all sessions, because an archive holds none. A mark in the database keeps servers away from an unfinished restore.
 * @throws RestoreError, UnreadableFile
 */
export async function restore(config: Config, options: RestoreOptions): Promise<Ending['rows']> {
  const inspected = await inspect(options);
  const { manifest } = inspected;
  const known = options.plan.migrations.map(({ name }) => name);
  const unknown = manifest.migrations.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new RestoreError(
      `the archive has migrations that this version (${VERSION}) does not have (${unknown.join(', ')}): restore with the build that wrote it (${manifest.server})`,
    );
  return DedicatedConnection.on(config, async (holder) => {
    await lockRestores(holder);
    await makeRoom(holder, options);
    await migrate(new Config({ ...config.env, DEMO_DATA: false }, config.database), {
      ...schemaOf(manifest, options.plan),
      demonstration: [],
      restores: true,
    });
    // A separate connection for the lock. PostgreSQL notices at once when its client has gone, whereas a session that
    // builds an index finishes first.
    return DedicatedConnection.on(config, (session) =>
      session.transaction(async () => ({
        keep: true,
        result: await load(session, options, inspected),
      })),
    );
  });
}

/** @throws RestoreError when another restore runs. Otherwise, no other one begins before the connection ends. */
async function lockRestores(session: DedicatedConnection): Promise<void> {
  const [row] = await session.rows({
    text: 'SELECT pg_try_advisory_lock($1)',
    values: [RESTORE_LOCK],
  });
  if (row![0] !== true) throw new RestoreError('another restore into this database is running');
}

/**
 * The migrations that make the tables of an archive. Functions fit only the newest tables, so older tables get them with
 * the missing migrations.
 */
function schemaOf(
  { migrations: applied }: Manifest,
  { migrations, functions }: MigrationPlan,
): Pick<MigrationPlan, 'migrations' | 'functions'> {
  const found = migrations.filter(({ name }) => applied.includes(name));
  return { migrations: found, functions: found.length < migrations.length ? [] : functions };
}

/** The result of the first pass over an archive. */
interface Inspected extends ArchiveSummary {
  manifest: Manifest;
}

/** Reads the whole archive, to find damage before any change. */
async function inspect({ path, key }: RestoreOptions): Promise<Inspected> {
  let manifest: Manifest | undefined;
  const visitor = {
    manifest: (found: Manifest) => void (manifest = found),
    table: () => undefined,
  };
  const summary = await readArchive(open(path), visitor, key);
  return { ...summary, manifest: manifest! };
}

const open = (path: string): AsyncIterable<Buffer> =>
  explained(pipeline(createReadStream(path), createGunzip(), () => undefined));

/**
 * Requires a database that no server uses and that is empty; drops its tables first with `force`, or when an earlier
 * restore did not end. Leaves the mark.
 */
async function makeRoom(
  session: DedicatedConnection,
  { force, asSuperuser }: RestoreOptions,
): Promise<void> {
  if (!asSuperuser) await refuseSuperuser(session);
  const [busy] = await session.rows({
    text: `SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'process-platform listener'`,
    values: [],
  });
  if (Number(busy![0]) > 0)
    throw new RestoreError('a server is running on this database: stop it first');
  const tables = await session.rows({
    text: `SELECT quote_ident(relname) FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema::regnamespace`,
    values: [],
  });
  if (tables.length > 0 && !force && !(await isRestoreUnfinished(session)))
    throw new RestoreError(
      'the database is not empty: restore into an empty one, or drop what it holds with --force',
    );
  await session.run(`
    BEGIN;
    ${tables.length > 0 ? dropping(tables.join(', ')) : ''}
    CREATE TABLE ${RESTORE_MARK} ();
    COMMIT`);
}

/** SQL that drops these tables, and all sequences and functions. */
const dropping = (tables: string): string => `
    DROP TABLE ${tables} CASCADE;
    DO $$ DECLARE name text;
    BEGIN
      FOR name IN SELECT oid::regclass FROM pg_class WHERE relkind = 'S' AND relnamespace = current_schema::regnamespace LOOP
        EXECUTE 'DROP SEQUENCE ' || name;
      END LOOP;
      FOR name IN SELECT p.oid::regprocedure FROM pg_proc p WHERE pronamespace = current_schema::regnamespace
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') LOOP
        EXECUTE 'DROP ROUTINE IF EXISTS ' || name || ' CASCADE';
      END LOOP;
    END $$;`;

/** COPY by such a role can run programs, which a foreign file must not achieve. */
async function refuseSuperuser(session: DedicatedConnection): Promise<void> {
  const [row] = await session.rows({
    text: `SELECT current_user::text, pg_has_role('pg_execute_server_program', 'MEMBER')`,
    values: [],
  });
  const [role, mayRunPrograms] = row!;
  if (mayRunPrograms === true)
    throw new RestoreError(
      `the role ${String(role)} may run programs on the machine of the database: restore as the server's own role, or allow this one with --as-superuser`,
    );
}

/** Loads the rows without triggers, foreign keys and indexes, then recreates these over all rows. */
async function load(
  session: DedicatedConnection,
  { path, key, auditContext, progress }: RestoreOptions,
  { manifest, digest }: Inspected,
): Promise<Ending['rows']> {
  // Removes the mark with the commit of all rows.
  await session.run(`DROP TABLE ${RESTORE_MARK}`);
  await session.run(`SET LOCAL maintenance_work_mem = '128MB'`);
  if ('demo_migrations_id_seq' in manifest.sequences)
    await session.run(
      'CREATE TABLE demo_migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL)',
    );
  const rebuild = await stripTables(session);
  const loaded: Ending['rows'] = {};
  const catalogue = await backedUpTables(session);
  // The archive has the rows that migrations seed in their later state.
  for (const header of catalogue) await session.run(`DELETE FROM ${quoted(header).table}`);
  const visitor = {
    manifest: () => undefined,
    table: (header: TableHeader) => {
      requireKnown(header, catalogue);
      return copyInto(session, header, (count) => {
        loaded[header.table] = count;
        progress?.(header.table, count);
      });
    },
  };
  const { rows, digest: second } = await readArchive(open(path), visitor, key);
  if (second !== digest) throw new RestoreError('the archive was replaced while it was read');
  for (const { table } of catalogue)
    if (loaded[table] === undefined) throw new RestoreError(`the archive lacks the table ${table}`);
  for (const [table, count] of Object.entries(rows))
    if (loaded[table] !== count)
      throw new RestoreError(`${table}: ${count} rows were written, ${loaded[table]} were loaded`);
  // While the indexes are missing: later, a server would move these lines under a lock. Older tables have no function yet.
  await session.run(
    `DO $$ BEGIN IF to_regproc('add_audit_parts') IS NOT NULL THEN PERFORM add_audit_parts(); END IF; END $$`,
  );
  for (const statement of rebuild) await session.run(statement);
  for (const [name, value] of Object.entries(manifest.sequences))
    await session.run(
      'SELECT setval(c.oid, $2::bigint) FROM pg_class c WHERE c.oid = to_regclass($1)',
      [name, value],
    );
  await recordAudit(session, auditContext, {
    action: 'restore',
    after: { date: manifest.date, server: manifest.server, rows },
  });
  return loaded;
}

/** @throws RestoreError unless the database has this table with exactly these columns */
function requireKnown({ table, columns }: TableHeader, catalogue: TableHeader[]): void {
  const known = catalogue.find((candidate) => candidate.table === table);
  if (!known) throw new RestoreError(`the archive holds a table that no backup writes: ${table}`);
  if (columns.toSorted().join() !== known.columns.toSorted().join())
    throw new RestoreError(`${table}: the archive has other columns than the database`);
}

/** Starts COPY with the first piece, because a table without rows needs none. */
function copyInto(
  session: DedicatedConnection,
  header: TableHeader,
  done: (rows: number) => void,
): RowSink {
  const { table, columns } = quoted(header);
  const copy = session.client.query(copyFrom(`COPY ${table} (${columns}) FROM STDIN`));
  const ended = finished(copy);
  // A write or the end reports the error. Until then, this listener keeps it from ending the process.
  ended.catch(() => undefined);
  return {
    write: (piece) =>
      Promise.race([
        ended,
        new Promise<void>((resolve, reject) =>
          copy.write(piece, (error) => (error ? reject(error) : resolve())),
        ),
      ]),
    end: async () => {
      copy.end();
      await ended;
      done(copy.rowCount);
    },
  };
}

/**
 * Avoids the work per row on all tables: disables triggers, and drops foreign keys and indexes. Columns that triggers
 * derive come from the archive, too.
 * @returns the statements that recreate everything and check all rows
 */
async function stripTables(session: DedicatedConnection): Promise<string[]> {
  const rebuild: string[] = [];
  const strip = async (query: string): Promise<void> => {
    for (const [remove, restored] of await session.rows({ text: query, values: [] })) {
      await session.run(String(remove));
      rebuild.push(String(restored));
    }
  };
  await strip(`
    SELECT format('ALTER TABLE %s DISABLE TRIGGER USER', oid::regclass),
      format('ALTER TABLE %s ENABLE TRIGGER USER', oid::regclass)
    FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema::regnamespace`);
  const keys = `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema::regnamespace`;
  const indexes = `SELECT format('DROP INDEX %s', i.indexrelid::regclass), replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
      WHERE t.relkind IN ('r', 'p') AND NOT t.relispartition AND c.relnamespace = current_schema::regnamespace
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)`;
  await strip(keys);
  await strip(indexes);
  return rebuild;
}
