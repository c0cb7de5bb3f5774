import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import {
  BYTE_ORDER_MARK,
  CsvError,
  type CsvRecord,
  parserOptions,
  RecordNumbering,
  separatorOf,
  toRecord,
  WRITER_OPTIONS,
} from '../base/csv/dialect.js';

/** A file cannot be read beyond a place; `message` says where and why. */
export class UnreadableFile extends Error {}

/** Maximum number of characters read to find the end of the first line. */
const LONGEST_HEADER = 1_000_000;

/**
 * Streams the records of CSV; memory does not grow with the file.
 * @throws UnreadableFile
 */
export async function* readCsv(texts: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  const chunks = texts[Symbol.asyncIterator]() as AsyncIterator<string, undefined>;
  let head = '';
  while (!/[\r\n]/.test(head) && head.length < LONGEST_HEADER) {
    const next = await chunks.next();
    if (next.done === true) break;
    head += next.value;
  }
  const numbering = new RecordNumbering();
  const parser = parse(parserOptions(separatorOf(head), numbering));
  // A failure also ends the parser, and the loop below throws it.
  pipeline(Readable.from(following(head, chunks)), parser).catch(() => undefined);
  try {
    for await (const row of parser) yield toRecord(row as string[]);
  } catch (error) {
    const reason = numbering.toError(error);
    throw reason instanceof CsvError ? new UnreadableFile(reason.message) : reason;
  }
}

/** Yields the text that was read ahead, then the rest. */
async function* following(
  head: string,
  chunks: AsyncIterator<string, undefined>,
): AsyncGenerator<string> {
  yield head;
  for (let next; !(next = await chunks.next()).done;) yield next.value;
}

/** The text of records, with line ends. */
export const csvLines = (records: string[][]): string => stringify(records, WRITER_OPTIONS);

/** The beginning of a file: the byte order mark and the header. */
export const csvHeader = (names: string[]): string => BYTE_ORDER_MARK + csvLines([names]);
