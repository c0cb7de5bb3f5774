import { open, rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Format } from '../transfer/records.js';
import { ClosedOutput, CommandError, Misuse } from './output.js';

/** Stands for standard input or output. */
export const STANDARD = '-';

/** The suffix of an unfinished file; a complete one is renamed. */
const PARTIAL = '.partial';

/**
 * The file to read, `-` for standard input. It is open before the work begins, so that a wrong name fails at once.
 * @throws Error of the operating system; CommandError for a folder
 */
export async function openFile(path: string): Promise<AsyncIterable<Buffer>> {
  if (path === STANDARD) return process.stdin as AsyncIterable<Buffer>;
  const file = await open(path);
  if ((await file.stat()).isDirectory()) throw new CommandError(`${path}: is a folder`);
  return file.createReadStream() as AsyncIterable<Buffer>;
}

/**
 * Writes a file that only its owner may read; `-` is standard output. A file gets its name once it is
 * complete, so that a broken one never passes for an export or a backup.
 * @throws Error of the operating system; CommandError when the file cannot be written to its end
 */
export async function writeFile<T>(
  path: string,
  work: (write: (piece: string | Buffer) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (path === STANDARD) return work((piece) => writeTo(process.stdout, piece));
  const partial = path + PARTIAL;
  const file = (await open(partial, 'w', 0o600)).createWriteStream();
  try {
    const result = await work((piece) => writeTo(file, piece));
    file.end();
    await finished(file);
    await rename(partial, path);
    return result;
  } catch (error) {
    file.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}

function writeTo(stream: Writable, piece: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) =>
    stream.write(piece, (error: NodeJS.ErrnoException | null | undefined) => {
      if (!error) return resolve();
      const isClosed = stream === process.stdout && error.code === 'EPIPE';
      reject(isClosed ? new ClosedOutput() : new CommandError(`cannot write: ${error.message}`));
    }),
  );
}

const FORMATS: readonly Format[] = ['csv', 'jsonl'];

/**
 * The requested format, else the format of the file name's extension.
 * @throws Misuse when neither is given
 */
export function formatOf(path: string, asked: string | undefined): Format {
  const ending = path === STANDARD ? '' : path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const found = FORMATS.find(
    (format) => format === (asked ?? (ending === 'ndjson' ? 'jsonl' : ending)),
  );
  if (!found) throw new Misuse('the format is unknown: use --format csv or --format jsonl');
  return found;
}
