import { UnreadableFile, CsvReader } from './csv.js';
import type { Attribute } from '../resources/attributes/attribute.js';
import { validateText } from '../http/body-parser.js';
import { strictUtf8 } from '../http/strict-utf8.js';
import type { InvalidField } from '../errors/api-errors.js';
import { valueOfCell } from './fields.js';

/** How a file is written: comma-separated values with a header, or one JSON object a line. */
export type Format = 'csv' | 'jsonl';

/** One record of a file: what it gives by attribute, or what is wrong with it. */
export interface FileRecord {
  line: number;
  given: Record<string, unknown>;
  faults: InvalidField[];
}

/** Longest line of JSON in characters. */
const MAX_LINE = 1_000_000;

/**
 * Reads the records of a file while it arrives; memory does not grow with the file.
 * @param attributes by name: what the cells of a CSV file mean
 * @throws UnreadableFile when it is not in UTF-8, or what follows cannot be told apart any more
 */
export async function* readRecords(
  file: AsyncIterable<Buffer>,
  format: Format,
  attributes: ReadonlyMap<string, Attribute>,
): AsyncGenerator<FileRecord[]> {
  const reader = format === 'csv' ? new CsvRecords(attributes) : new JsonRecords();
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

class CsvRecords {
  private readonly csv = new CsvReader();
  private header: string[] | undefined;

  constructor(private readonly attributes: ReadonlyMap<string, Attribute>) {}

  read(text: string): FileRecord[] {
    return this.toRecords(this.csv.read(text));
  }

  end(): FileRecord[] {
    return this.toRecords(this.csv.end());
  }

  private toRecords(rows: ReturnType<CsvReader['read']>): FileRecord[] {
    const records: FileRecord[] = [];
    for (const { line, cells } of rows)
      if (this.header) records.push(this.recordOf(line, cells, this.header));
      else this.header = this.readHeader(cells);
    return records;
  }

  private readHeader(cells: string[]): string[] {
    const names = cells.map((cell) => cell.trim());
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) throw new UnreadableFile(`line 1: the column ${twice} is there twice`);
    const unknown = names.filter((name) => !this.attributes.has(name));
    if (unknown.length > 0)
      throw new UnreadableFile(
        `line 1: unknown columns ${unknown.join(', ')}; known: ${[...this.attributes.keys()].join(', ')}`,
      );
    return names;
  }

  private recordOf(line: number, cells: string[], header: string[]): FileRecord {
    if (cells.length !== header.length)
      return bad(line, 'line', `has ${cells.length} cells, the header has ${header.length}`);
    const given = Object.fromEntries(
      header.map((name, at) => [name, valueOfCell(this.attributes.get(name), cells[at]!)]),
    );
    return recordOf(line, given);
  }
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
      return [bad(line, 'line', 'is no JSON')];
    }
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      return [bad(line, 'line', 'must be a JSON object')];
    const values = given as Record<string, unknown>;
    return [recordOf(line, values)];
  }
}

/** What somebody gives, with what the database could not store of it. */
export const recordOf = (line: number, given: Record<string, unknown>): FileRecord => ({
  line,
  given,
  faults: faultsOfTexts(given),
});

const bad = (line: number, name: string, message: string): FileRecord => ({
  line,
  given: {},
  faults: [{ name, message }],
});

/** What the database could not store as it is. */
function faultsOfTexts(given: Record<string, unknown>): InvalidField[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const texts = [name, ...(Array.isArray(value) ? (value as unknown[]) : [value])];
    const fault = texts
      .filter((text) => typeof text === 'string')
      .map(validateText)
      .find((found) => found !== undefined);
    return fault === undefined
      ? []
      : [{ name: name.toWellFormed().replaceAll('\0', ''), message: fault }];
  });
}
