import type { Readable } from 'node:stream';
import { UnreadableFile } from './csv.js';

/** What an archive begins with. */
export interface Manifest {
  format: typeof FORMAT;
  /** Version of the server that wrote it. */
  server: string;
  date: string;
  /** The migrations that made the tables; a restore runs exactly these first. */
  migrations: string[];
  /** The last value of each sequence. */
  sequences: Record<string, string>;
}

/** Rows of each table, at the end: an archive without it is not whole. */
export interface Ending {
  rows: Record<string, number>;
}

/** Before the rows of a table. */
export interface TableHeader {
  table: string;
  columns: string[];
}

export const FORMAT = 'process-platform backup 1';

/** The line that ends the rows of a table; COPY escapes a backslash that is data. */
const TERMINATOR = Buffer.from('\n\\.\n');

/**
 * An archive is text: a line of JSON, then for each table a line of JSON, its rows as COPY writes
 * them (any version of PostgreSQL reads them) and `\.`, at last a line of JSON with the counts.
 */
export const line = (value: Manifest | TableHeader | Ending): string =>
  `${JSON.stringify(value)}\n`;

export const END_OF_ROWS = '\\.\n';

/** Where the rows of a table go. */
export interface RowSink {
  write(piece: Buffer): Promise<void>;
  end(): Promise<void>;
}

/** Told what an archive holds, in its order. */
export interface ArchiveVisitor {
  manifest(manifest: Manifest): void;
  /** Answers where the rows of a table go; undefined passes them over. */
  table(header: TableHeader): RowSink | undefined;
}

/**
 * Reads an archive from its beginning to its end.
 * @throws UnreadableFile when it is none, or not whole
 */
export async function readArchive(
  archive: AsyncIterable<Buffer>,
  visitor: ArchiveVisitor,
): Promise<Ending> {
  const reader = new ArchiveReader(archive[Symbol.asyncIterator]());
  const manifest = (await reader.json()) as Partial<Manifest>;
  if (manifest.format !== FORMAT)
    throw new UnreadableFile(`this is no archive of the format '${FORMAT}'`);
  visitor.manifest(manifest as Manifest);
  for (;;) {
    const next = (await reader.json()) as Partial<TableHeader & Ending>;
    if (next.rows) {
      await reader.end();
      return { rows: next.rows };
    }
    await reader.rows(visitor.table(next as TableHeader));
  }
}

class ArchiveReader {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly chunks: AsyncIterator<Buffer>) {}

  /** One line of JSON. */
  async json(): Promise<object> {
    let end: number;
    while ((end = this.rest.indexOf('\n')) === -1)
      this.rest = Buffer.concat([this.rest, await this.next()]);
    const text = this.rest.subarray(0, end).toString();
    this.rest = this.rest.subarray(end + 1);
    try {
      return JSON.parse(text) as object;
    } catch {
      throw new UnreadableFile('the archive is damaged, or is none');
    }
  }

  /** The rows of a table, up to and without what ends them. */
  async rows(target: RowSink | undefined): Promise<void> {
    // The line end before the first row stands in the header's line.
    this.rest = Buffer.concat([Buffer.from('\n'), this.rest]);
    let isFirst = true;
    for (;;) {
      const end = this.rest.indexOf(TERMINATOR);
      const kept = end === -1 ? Math.max(this.rest.length - TERMINATOR.length + 1, 0) : end + 1;
      if (kept > 0) {
        const piece = this.rest.subarray(isFirst ? 1 : 0, kept);
        if (piece.length > 0) await target?.write(piece);
        this.rest = this.rest.subarray(kept);
        isFirst = false;
      }
      if (end !== -1) break;
      this.rest = Buffer.concat([this.rest, await this.next()]);
    }
    this.rest = this.rest.subarray(END_OF_ROWS.length);
    await target?.end();
  }

  /** To the checksum, which compression keeps at the end. */
  async end(): Promise<void> {
    while (!(await this.chunks.next()).done);
  }

  private async next(): Promise<Buffer> {
    const next = await this.chunks.next();
    if (next.done) throw new UnreadableFile('the archive is not whole: it ends too early');
    return next.value;
  }
}

/** Decompressed, with a damaged file said in words. */
export async function* explained(stream: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code.startsWith('Z_')) throw new UnreadableFile(`the archive is damaged: ${message}`);
    throw error;
  }
}
