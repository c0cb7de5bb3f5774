import { createGzip, type Gzip } from 'node:zlib';
import { to as copyTo } from 'pg-copy-streams';
import type { Config } from '../config/config.js';
import { type Ending, END_OF_ROWS, FORMAT, line } from './archive.js';
import { Session } from './session.js';

/**
 * What a backup leaves out: whatever signs in or was thrown away since must not come back with it
 * (sessions and invitations end at a restore), and what is counted a minute at a time.
 */
export const LEFT_OUT = ['tokens', 'invitations', 'address_attempts', 'migrations'];

/** Speed matters more than the last percent of size. */
const COMPRESSION = { level: 3 };

export interface BackupOptions {
  /** Version of this server. */
  server: string;
  /** Writes a piece of the file; the next one waits for it. */
  write: (piece: Buffer) => Promise<void>;
  /** Told of each table when it is written. */
  progress?: (table: string, rows: number) => void;
}

/**
 * Writes the whole database into one compressed archive, from one snapshot: what is written
 * meanwhile is in it wholly or not at all. Needs no program beside this one.
 * @returns the rows of each table
 */
export function backUp(config: Config, options: BackupOptions): Promise<Ending['rows']> {
  return Session.on(config, (session) =>
    session.transaction(
      async () => ({ keep: false, result: await writeArchive(session, options) }),
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
    ),
  );
}

async function writeArchive(session: Session, options: BackupOptions): Promise<Ending['rows']> {
  const gzip = createGzip(COMPRESSION);
  const written = pass(gzip, options.write);
  const rows: Ending['rows'] = {};
  await put(
    gzip,
    line({
      format: FORMAT,
      server: options.server,
      date: new Date().toISOString(),
      migrations: await migrationsOf(session),
      sequences: await sequencesOf(session),
    }),
  );
  for (const { table, columns } of await tablesOf(session)) {
    await put(gzip, line({ table, columns }));
    rows[table] = await copyRows(session, gzip, table, columns);
    await put(gzip, END_OF_ROWS);
    options.progress?.(table, rows[table]);
  }
  await put(gzip, line({ rows }));
  gzip.end();
  await written;
  return rows;
}

async function pass(gzip: Gzip, write: BackupOptions['write']): Promise<void> {
  for await (const piece of gzip) await write(piece as Buffer);
}

const put = (gzip: Gzip, piece: string | Buffer): Promise<void> =>
  new Promise((resolve, reject) =>
    gzip.write(piece, (error) => (error ? reject(error) : resolve())),
  );

async function copyRows(
  session: Session,
  gzip: Gzip,
  table: string,
  columns: string[],
): Promise<number> {
  const stream = session.client.query(copyTo(`COPY ${table} (${columns.join(', ')}) TO STDOUT`));
  for await (const piece of stream) await put(gzip, piece as Buffer);
  return stream.rowCount;
}

async function migrationsOf(session: Session): Promise<string[]> {
  const rows = await session.rows({ text: 'SELECT name FROM migrations ORDER BY id', values: [] });
  return rows.map(([name]) => String(name));
}

async function sequencesOf(session: Session): Promise<Record<string, string>> {
  const rows = await session.rows({
    text: `SELECT sequencename, last_value::text FROM pg_sequences
      WHERE schemaname = current_schema AND last_value IS NOT NULL ORDER BY 1`,
    values: [],
  });
  return Object.fromEntries(rows as [string, string][]);
}

/** Every table with its stored columns; names need no quoting: all are the migrations' own. */
async function tablesOf(session: Session): Promise<{ table: string; columns: string[] }[]> {
  const rows = await session.rows({
    text: `SELECT c.relname, array_agg(quote_ident(a.attname) ORDER BY a.attnum)
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relkind = 'r' AND c.relnamespace = current_schema::regnamespace AND c.relname <> ALL ($1)
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      GROUP BY c.relname ORDER BY c.relname`,
    values: [LEFT_OUT],
  });
  return rows.map(([table, columns]) => ({ table: String(table), columns: columns as string[] }));
}
