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
} from '../csv/dialect.js';

/** Why reading a file stops; `message` says where. */
export class UnreadableFile extends Error {}

/** The first line is looked for in this many characters. */
const LONGEST_HEADER = 1_000_000;

/**
 * Reads CSV while it arrives; memory does not grow with the file.
 * @throws UnreadableFile
 */
export async function* readCsv(texts: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  const pieces = texts[Symbol.asyncIterator]() as AsyncIterator<string, undefined>;
  let head = '';
  while (!/[\r\n]/.test(head) && head.length < LONGEST_HEADER) {
    const next = await pieces.next();
    if (next.done === true) break;
    head += next.value;
  }
  const numbering = new RecordNumbering();
  const parser = parse(parserOptions(separatorOf(head), numbering));
  // A failure ends the parser too, whose reader below throws it.
  pipeline(Readable.from(following(head, pieces)), parser).catch(() => undefined);
  try {
    for await (const row of parser) yield toRecord(row as string[]);
  } catch (error) {
    const reason = numbering.toError(error);
    throw reason instanceof CsvError ? new UnreadableFile(reason.message) : reason;
  }
}

/** What was read ahead, and the rest. */
async function* following(
  head: string,
  pieces: AsyncIterator<string, undefined>,
): AsyncGenerator<string> {
  yield head;
  for (let next; !(next = await pieces.next()).done;) yield next.value;
}

/** The records of a file with their line ends. */
export const csvLines = (records: string[][]): string => stringify(records, WRITER_OPTIONS);

/** The beginning of a file: the mark of its encoding, and the names of its columns. */
export const csvHeader = (names: string[]): string => BYTE_ORDER_MARK + csvLines([names]);
