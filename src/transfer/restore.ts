import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { from as copyFrom } from 'pg-copy-streams';
import { Config } from '../config/config.js';
import { migrate, type MigrationPlan } from '../database/migrate.js';
import { type Origin, recordAudit } from '../security/audit.service.js';
import {
  type Ending,
  explained,
  type Manifest,
  readArchive,
  type RowSink,
  type TableHeader,
} from './archive.js';
import { Session } from './session.js';

/** A restore that cannot be done; `message` says why, and what would let it. */
export class RestoreError extends Error {}

export interface RestoreOptions {
  path: string;
  /** The shipped history. */
  plan: MigrationPlan;
  /** Drop what the database holds. */
  force: boolean;
  origin: Origin;
  /** Told of each table when it is loaded. */
  progress?: (table: string, rows: number) => void;
}

/**
 * Loads an archive into a database: all of it or, when anything does not fit, no rows. The archive is
 * read through before anything is touched. Nobody is signed in afterwards: sessions are not in it.
 * @throws RestoreError, UnreadableFile
 */
export async function restore(config: Config, options: RestoreOptions): Promise<Ending['rows']> {
  const manifest = await inspect(options.path);
  const names = new Set(manifest.migrations);
  const migrations = options.plan.migrations.filter(({ name }) => names.has(name));
  if (migrations.length < names.size)
    throw new RestoreError(
      `the archive was written by a newer version (${manifest.server}): restore with that version`,
    );
  await Session.on(config, (session) => makeRoom(session, options.force));
  await migrate(new Config({ ...config.env, DEMO_DATA: false }, config.database), {
    migrations,
    demonstration: [],
  });
  return Session.on(config, (session) =>
    session.transaction(async () => ({
      keep: true,
      result: await load(session, options, manifest),
    })),
  );
}

/** Reads an archive through; a damaged one is found before it costs anything. */
async function inspect(path: string): Promise<Manifest> {
  let manifest: Manifest | undefined;
  await readArchive(open(path), {
    manifest: (found) => void (manifest = found),
    table: () => undefined,
  });
  return manifest!;
}

const open = (path: string): AsyncIterable<Buffer> =>
  explained(pipeline(createReadStream(path), createGunzip(), () => undefined));

/** Nothing may be there, and nobody may work on it. */
async function makeRoom(session: Session, force: boolean): Promise<void> {
  const [busy] = await session.rows({
    text: `SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'process-platform listener'`,
    values: [],
  });
  if (Number(busy![0]) > 0)
    throw new RestoreError('a server is running on this database: stop it first');
  const tables = await session.rows({
    text: `SELECT quote_ident(relname) FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema::regnamespace`,
    values: [],
  });
  if (tables.length === 0) return;
  if (!force)
    throw new RestoreError(
      'the database is not empty: restore into an empty one, or drop what it holds with --force',
    );
  await session.run(`
    BEGIN;
    DROP TABLE ${tables.join(', ')} CASCADE;
    DO $$ DECLARE name text;
    BEGIN
      FOR name IN SELECT oid::regclass FROM pg_class WHERE relkind = 'S' AND relnamespace = current_schema::regnamespace LOOP
        EXECUTE 'DROP SEQUENCE ' || name;
      END LOOP;
      FOR name IN SELECT p.oid::regprocedure FROM pg_proc p WHERE pronamespace = current_schema::regnamespace
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') LOOP
        EXECUTE 'DROP ROUTINE IF EXISTS ' || name || ' CASCADE';
      END LOOP;
    END $$;
    COMMIT`);
}

/** Rows without the help of triggers, keys and indexes, which are made again over all of them. */
async function load(
  session: Session,
  { path, origin, progress }: RestoreOptions,
  manifest: Manifest,
): Promise<Ending['rows']> {
  // What the seeds put there is in the archive as it was left.
  await session.run('DELETE FROM parameters; DELETE FROM users');
  await session.run(`SET LOCAL maintenance_work_mem = '128MB'`);
  if ('demo_migrations_id_seq' in manifest.sequences)
    await session.run(
      'CREATE TABLE demo_migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL)',
    );
  const rebuild = await stripTables(session);
  const loaded: Ending['rows'] = {};
  const { rows } = await readArchive(open(path), {
    manifest: () => undefined,
    table: (header) =>
      copyInto(session, header, (count) => {
        loaded[header.table] = count;
        progress?.(header.table, count);
      }),
  });
  for (const [table, count] of Object.entries(rows))
    if (loaded[table] !== count)
      throw new RestoreError(`${table}: ${count} rows were written, ${loaded[table]} were loaded`);
  for (const statement of rebuild) await session.run(statement);
  for (const [name, value] of Object.entries(manifest.sequences))
    await session.run(
      'SELECT setval(c.oid, $2::bigint) FROM pg_class c WHERE c.oid = to_regclass($1)',
      [name, value],
    );
  await recordAudit(session, origin, {
    action: 'restore',
    after: { date: manifest.date, server: manifest.server, rows },
  });
  return loaded;
}

/** COPY begins with the first piece: a table without rows needs none. */
function copyInto(
  session: Session,
  { table, columns }: TableHeader,
  done: (rows: number) => void,
): RowSink {
  const copy = session.client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`));
  const ended = finished(copy);
  // Whoever writes or ends learns of it; between the two nobody listens.
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
 * Takes from all tables what would work on each row: triggers are switched off, foreign keys and
 * indexes dropped. A column that a trigger derives comes from the archive like any other.
 * @returns the statements that make it all again, checked over all rows
 */
async function stripTables(session: Session): Promise<string[]> {
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
    FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema::regnamespace`);
  const keys = `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema::regnamespace`;
  const indexes = `SELECT format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = current_schema::regnamespace
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)`;
  await strip(keys);
  await strip(indexes);
  return rebuild;
}
