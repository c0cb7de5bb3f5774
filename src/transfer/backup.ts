import { createGzip, type Gzip } from 'node:zlib';
import { to as copyTo } from 'pg-copy-streams';
import type { Config } from '../base/config/config.js';
import { ArchiveDigest } from './archive-digest.js';
import { type Ending, END_OF_ROWS, FORMAT, line, type TableHeader } from './archive.js';
import { backedUpTables, quoted } from './backed-up-tables.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { refuseUnfinishedRestore } from '../database/unfinished-restore.js';

/** Speed matters more than the last percent of size. */
const COMPRESSION = { level: 3 };

export interface BackupOptions {
  /** Version of this server. */
  server: string;
  /** Key of the digest. Without a key, any person can forge an archive. */
  key?: Buffer;
  /** Writes a piece of the file; the next piece waits for it. */
  write: (piece: Buffer) => Promise<void>;
  /** Called for each table once it is written. */
  progress?: (table: string, rows: number) => void;
}

/**
 * Writes the whole database into one compressed archive, from one snapshot, which contains each concurrent transaction
 * completely or not at all. It needs no other program.
 * @returns the rows of each table
 * @throws UnfinishedRestore, and the errors of `write`
 */
export function backUp(config: Config, options: BackupOptions): Promise<Ending['rows']> {
  return DedicatedConnection.on(config, (session) =>
    session.transaction(
      async () => ({ keep: false, result: await writeArchive(session, options) }),
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
    ),
  );
}

async function writeArchive(
  session: DedicatedConnection,
  options: BackupOptions,
): Promise<Ending['rows']> {
  await refuseUnfinishedRestore(session);
  const gzip = createGzip(COMPRESSION);
  const written = pass(gzip, options.write);
  const digest = new ArchiveDigest(options.key);
  const put = (piece: string | Buffer): Promise<void> => {
    digest.update(piece);
    return compress(gzip, piece);
  };
  const rows: Ending['rows'] = {};
  await put(
    line({
      format: FORMAT,
      server: options.server,
      date: new Date().toISOString(),
      migrations: await migrationsOf(session),
      sequences: await sequencesOf(session),
    }),
  );
  for (const header of await backedUpTables(session)) {
    const { table } = header;
    await put(line(header));
    rows[table] = await copyRows(session, header, put);
    await put(END_OF_ROWS);
    options.progress?.(table, rows[table]);
  }
  await put(line({ rows }));
  await compress(gzip, line({ digest: digest.end() }));
  gzip.end();
  await written;
  return rows;
}

async function pass(gzip: Gzip, write: BackupOptions['write']): Promise<void> {
  for await (const piece of gzip) await write(piece as Buffer);
}

const compress = (gzip: Gzip, piece: string | Buffer): Promise<void> =>
  new Promise((resolve, reject) =>
    gzip.write(piece, (error) => (error ? reject(error) : resolve())),
  );

async function copyRows(
  session: DedicatedConnection,
  header: TableHeader,
  put: (piece: Buffer) => Promise<void>,
): Promise<number> {
  const { table, columns } = quoted(header);
  // PostgreSQL copies a table in parts only by a query.
  const stream = session.client.query(copyTo(`COPY (SELECT ${columns} FROM ${table}) TO STDOUT`));
  for await (const piece of stream) await put(piece as Buffer);
  return stream.rowCount;
}

async function migrationsOf(session: DedicatedConnection): Promise<string[]> {
  const rows = await session.rows({ text: 'SELECT name FROM migrations ORDER BY id', values: [] });
  return rows.map(([name]) => String(name));
}

async function sequencesOf(session: DedicatedConnection): Promise<Record<string, string>> {
  const rows = await session.rows({
    text: `SELECT sequencename, last_value::text FROM pg_sequences
      WHERE schemaname = current_schema AND last_value IS NOT NULL ORDER BY 1`,
    values: [],
  });
  return Object.fromEntries(rows as [string, string][]);
}
