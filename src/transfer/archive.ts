import type { Readable } from 'node:stream';
import { z } from 'zod';
import { ArchiveDigest } from './archive-digest.js';
import { UnreadableFile } from './csv.js';

export const FORMAT = 'process-platform backup 2';

/** Maximum length of a JSON line, in bytes: a file without line breaks would otherwise fill the memory. */
const MAX_LINE = 1024 * 1024;

/** Names of tables, columns and sequences become part of statements, so no other characters are allowed. */
const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);

const manifest = z.strictObject({
  format: z.literal(FORMAT),
  /** Version of the server that wrote it. */
  server: z.string().max(64),
  date: z.iso.datetime(),
  /** The migrations that created the tables; a restore runs exactly these first. */
  migrations: z.array(z.string().max(255)),
  /** The last value of each sequence. */
  sequences: z.record(name, z.string().regex(/^\d{1,19}$/)),
});
const tableHeader = z.strictObject({ table: name, columns: z.array(name).min(1) });
const ending = z.strictObject({ rows: z.record(name, z.int().nonnegative()) });
const seal = z.strictObject({ digest: z.string() });

/** The first line of an archive. */
export type Manifest = z.output<typeof manifest>;

/** The line before the rows of a table. */
export type TableHeader = z.output<typeof tableHeader>;

/** The line after the last table: the number of rows of each. */
export type Ending = z.output<typeof ending>;

/** The last line: the digest of all lines before it. */
export type Seal = z.output<typeof seal>;

/** The line that ends the rows of a table. COPY escapes backslashes in data. */
const TERMINATOR = Buffer.from('\n\\.\n');

/**
 * An archive is text: a JSON line; for each table a JSON line, its rows in COPY's format (which every version
 * of PostgreSQL reads) and `\.`; a JSON line with the counts; a last JSON line with the digest of everything
 * before it.
 */
export const line = (value: Manifest | TableHeader | Ending | Seal): string =>
  `${JSON.stringify(value)}\n`;

export const END_OF_ROWS = '\\.\n';

/** Receives the rows of a table. */
export interface RowSink {
  write(piece: Buffer): Promise<void>;
  end(): Promise<void>;
}

/** Receives the contents of an archive, in order. */
export interface ArchiveVisitor {
  manifest(manifest: Manifest): void;
  /** Returns the sink for the rows of a table; undefined skips them. */
  table(header: TableHeader): RowSink | undefined;
}

/** The result of reading an archive. */
export interface ArchiveSummary extends Ending, Seal {}

/**
 * Reads an archive to its end and checks its digest. Rows reach their sink before the digest is known: discard them
 * when this throws.
 * @param key of the digest, for an archive that was written with one
 * @throws UnreadableFile when the file is not an archive, is incomplete, or was changed
 */
export async function readArchive(
  archive: AsyncIterable<Buffer>,
  visitor: ArchiveVisitor,
  key?: Buffer,
): Promise<ArchiveSummary> {
  const chunks = archive[Symbol.asyncIterator]();
  try {
    return await readAll(new ArchiveReader(chunks, new ArchiveDigest(key)), visitor);
  } finally {
    await chunks.return?.();
  }
}

async function readAll(reader: ArchiveReader, visitor: ArchiveVisitor): Promise<ArchiveSummary> {
  visitor.manifest(readManifest(await reader.json()));
  const seen = new Set<string>();
  for (;;) {
    const next = await reader.json();
    const { data: header } = tableHeader.safeParse(next);
    if (!header) {
      const { rows } = parsed(ending, next);
      if ([...seen].some((table) => rows[table] === undefined)) throw new UnreadableFile(DAMAGED);
      return { rows, digest: await reader.seal() };
    }
    if (seen.has(header.table))
      throw new UnreadableFile(`the archive holds the table ${header.table} twice`);
    seen.add(header.table);
    await reader.rows(visitor.table(header));
  }
}

const DAMAGED = 'the archive is damaged, or is none';

function readManifest(value: unknown): Manifest {
  const { data } = z.object({ format: z.string(), server: z.string() }).safeParse(value);
  if (data?.format === 'process-platform backup 1')
    throw new UnreadableFile(
      `the archive has no digest, because an early version wrote it (${data.server}): restore it with that version, upgrade, and write a new one`,
    );
  if (data?.format !== FORMAT)
    throw new UnreadableFile(`this is no archive of the format '${FORMAT}'`);
  return parsed(manifest, value);
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data } = schema.safeParse(value);
  if (data === undefined) throw new UnreadableFile(DAMAGED);
  return data;
}

class ArchiveReader {
  private rest: Buffer = Buffer.alloc(0);

  constructor(
    private readonly chunks: AsyncIterator<Buffer>,
    private readonly digest: ArchiveDigest,
  ) {}

  /** One line of JSON that the digest covers. */
  async json(): Promise<unknown> {
    const text = await this.line();
    this.digest.update(text);
    return parseJson(text);
  }

  /** Reads the last line, which must hold the digest of all others, up to the checksum of gzip. */
  async seal(): Promise<string> {
    const { digest } = parsed(seal, parseJson(await this.line()));
    this.digest.verify(digest);
    let isEnd = this.rest.length === 0;
    for (let next = await this.chunks.next(); !next.done; next = await this.chunks.next())
      isEnd &&= next.value.length === 0;
    if (!isEnd) throw new UnreadableFile('the archive goes on behind its end');
    return digest;
  }

  /** The rows of a table, without the line that ends them. */
  async rows(target: RowSink | undefined): Promise<void> {
    // The line break before the first row belongs to the header line.
    this.rest = Buffer.concat([Buffer.from('\n'), this.rest]);
    let isFirst = true;
    for (;;) {
      const end = this.rest.indexOf(TERMINATOR);
      const kept = end === -1 ? Math.max(this.rest.length - TERMINATOR.length + 1, 0) : end + 1;
      if (kept > 0) {
        const piece = this.rest.subarray(isFirst ? 1 : 0, kept);
        this.digest.update(piece);
        if (piece.length > 0) await target?.write(piece);
        this.rest = this.rest.subarray(kept);
        isFirst = false;
      }
      if (end !== -1) break;
      this.rest = Buffer.concat([this.rest, await this.next()]);
    }
    this.digest.update(END_OF_ROWS);
    this.rest = this.rest.subarray(END_OF_ROWS.length);
    await target?.end();
  }

  /** One line with its line break. */
  private async line(): Promise<Buffer> {
    let end: number;
    while ((end = this.rest.indexOf('\n')) === -1) {
      if (this.rest.length > MAX_LINE) throw new UnreadableFile(DAMAGED);
      this.rest = Buffer.concat([this.rest, await this.next()]);
    }
    const text = this.rest.subarray(0, end + 1);
    this.rest = this.rest.subarray(end + 1);
    return text;
  }

  private async next(): Promise<Buffer> {
    const next = await this.chunks.next();
    if (next.done) throw new UnreadableFile('the archive is not whole: it ends too early');
    return next.value;
  }
}

function parseJson(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    throw new UnreadableFile(DAMAGED);
  }
}

/** Decompresses a stream; a damaged file becomes an UnreadableFile. */
export async function* explained(stream: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    // zlib's message for a file that is not compressed.
    if (message === 'incorrect header check') throw new UnreadableFile(DAMAGED);
    if (code.startsWith('Z_')) throw new UnreadableFile(`the archive is damaged: ${message}`);
    throw error;
  }
}
