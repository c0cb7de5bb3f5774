import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { valueOfCell } from '../base/csv/cells.js';
import { type CsvRecord, readHeader } from '../base/csv/dialect.js';
import { readCsv, UnreadableFile } from './csv.js';
import type { Attribute } from '../resources/attributes/attribute.js';
import { validateText } from '../http/json-body.js';
import { strictUtf8 } from '../http/strict-utf8.js';
import type { InvalidField } from '../base/errors/api-errors.js';
import { cellType } from './fields.js';
import { type Reason, reason } from '../base/errors/reason.js';

/** The format of a file: comma-separated values with a header, or one JSON object per line. */
export type Format = 'csv' | 'jsonl';

/** One record of a file: its values by attribute, and its faults. */
export interface FileRecord {
  line: number;
  given: Record<string, unknown>;
  faults: InvalidField[];
}

/** Maximum length of a line of JSON in characters. */
const MAX_LINE = 1_000_000;

/**
 * Streams the records of a file; memory does not grow with the file.
 * @param attributes by name, to convert the cells of a CSV file
 * @param ignoresUnknown whether a CSV file may have other columns
 * @throws UnreadableFile when the file is not in UTF-8 (CSV: nor in windows-1252) or not valid CSV
 */
export async function* readRecords(
  file: AsyncIterable<Buffer>,
  format: Format,
  attributes: ReadonlyMap<string, Attribute>,
  ignoresUnknown = false,
): AsyncGenerator<FileRecord[]> {
  if (format === 'csv') {
    yield* readCsvRecords(decodedCsv(file), attributes, ignoresUnknown);
    return;
  }
  const reader = new JsonRecords();
  for await (const text of decoded(file)) yield reader.read(text);
  yield reader.end();
}

async function* decoded(file: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = strictUtf8();
  try {
    for await (const chunk of file) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableFile('the file is not in UTF-8');
    throw error;
  }
}

/** Decodes CSV, which older spreadsheets save in windows-1252: the first chunk beyond ASCII decides. */
async function* decodedCsv(file: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  try {
    for await (const chunk of file) {
      if (!decoder && !isAscii(chunk))
        decoder = new TextDecoder(isUtf8Start(chunk) ? 'utf-8' : 'windows-1252', { fatal: true });
      yield decoder?.decode(chunk, { stream: true }) ?? chunk.toString('ascii');
    }
    yield decoder?.decode() ?? '';
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableFile('the file is not in UTF-8');
    throw error;
  }
}

/** Whether UTF-8 text can begin with these bytes; the last character may be incomplete. */
function isUtf8Start(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Number of CSV records that are checked and sent together. */
const BATCH = 1_000;

async function* readCsvRecords(
  texts: AsyncIterable<string>,
  attributes: ReadonlyMap<string, Attribute>,
  ignoresUnknown: boolean,
): AsyncGenerator<FileRecord[]> {
  let columns: Columns | undefined;
  let batch: FileRecord[] = [];
  for await (const record of readCsv(texts)) {
    if (!columns) columns = columnsOf(record.cells, attributes, ignoresUnknown);
    else if (batch.push(csvRecordOf(record, columns)) === BATCH) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}

/** The attribute of each column; undefined for a column that is ignored. */
type Columns = (Attribute | undefined)[];

/** @throws UnreadableFile when a column is unknown or occurs twice */
function columnsOf(
  cells: string[],
  attributes: ReadonlyMap<string, Attribute>,
  ignoresUnknown: boolean,
): Columns {
  const known = [...attributes.keys()];
  const { names, unknown, repeated } = readHeader(cells, known);
  if (repeated !== undefined)
    throw new UnreadableFile(`line 1: the column ${repeated} is there twice`);
  if (unknown.length > 0 && !ignoresUnknown)
    throw new UnreadableFile(
      `line 1: unknown columns ${unknown.join(', ')}; known: ${known.join(', ')}`,
    );
  return names.map((name) => (name === undefined ? undefined : attributes.get(name)));
}

function csvRecordOf({ line, cells }: CsvRecord, columns: Columns): FileRecord {
  if (cells.length !== columns.length)
    return bad(
      line,
      'line',
      reason('bad-cell-count', { count: cells.length, expected: columns.length }),
    );
  const given = Object.fromEntries(
    columns.flatMap((attribute, at) =>
      attribute ? [[attribute.name, valueOfCell(cellType(attribute), cells[at]!)]] : [],
    ),
  );
  return recordOf(line, given);
}

class JsonRecords {
  private rest = '';
  private line = 0;

  read(text: string): FileRecord[] {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop()!;
    if (this.rest.length > MAX_LINE)
      throw new UnreadableFile(`line ${this.line + 1}: longer than ${MAX_LINE} characters`);
    return lines.flatMap((line) => this.recordsOf(line));
  }

  end(): FileRecord[] {
    return this.recordsOf(this.rest);
  }

  private recordsOf(text: string): FileRecord[] {
    const line = ++this.line;
    if (text.trim() === '') return [];
    let given: unknown;
    try {
      given = JSON.parse(text) as unknown;
    } catch {
      return [bad(line, 'line', reason('not-json'))];
    }
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      return [bad(line, 'line', reason('not-an-object'))];
    const values = given as Record<string, unknown>;
    return [recordOf(line, values)];
  }
}

/** Makes a record of given values, with a fault for each text that the database cannot store. */
export const recordOf = (line: number, given: Record<string, unknown>): FileRecord => ({
  line,
  given,
  faults: faultsOfTexts(given),
});

const bad = (line: number, name: string, why: Reason): FileRecord => ({
  line,
  given: {},
  faults: [{ name, reason: why }],
});

/** The faults of texts that the database cannot store unchanged. */
function faultsOfTexts(given: Record<string, unknown>): InvalidField[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const texts = [name, ...(Array.isArray(value) ? (value as unknown[]) : [value])];
    const fault = texts
      .filter((text) => typeof text === 'string')
      .map(validateText)
      .find((found) => found !== undefined);
    return fault === undefined
      ? []
      : [{ name: name.toWellFormed().replaceAll('\0', ''), reason: fault }];
  });
}
