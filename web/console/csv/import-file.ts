import { type CsvRecord, readHeader } from '../../../src/csv/dialect.js';
import type { Attribute } from '../api/description.js';
import { explainPlainly } from '../components/problems.js';
import type { Texts } from '../translations/i18n.js';
import { ApiProblem } from '../../api-client/api.js';
import { CellError, comparableKey, keyOf, type Links, readCell } from './cells.js';

/** A file that was read, its columns matched with attributes. */
export interface ImportFile {
  rows: CsvRecord[];
  /** One a column; undefined where the column's name is no writable attribute. */
  columns: (Attribute | undefined)[];
  headings: string[];
  /** The name of a column that is there twice. */
  repeated?: string;
}

/** An error of a line of the file. */
export interface LineProblem {
  line: number;
  message: string;
  /** Of the server, when the line got that far. */
  problem?: ApiProblem;
  /** Whether the record of the line was created or changed before, such as a user without one of the groups. */
  isWritten?: boolean;
}

/** A line as the values of a record, by attribute. */
export interface ImportLine {
  line: number;
  values: Record<string, unknown>;
}

/** The account of the installation itself, which no file may change. */
const SYSADMIN = 'sysadmin';

/** Matches the first row of a file with the attributes of a resource. */
export function matchColumns([head, ...rows]: CsvRecord[], attributes: Attribute[]): ImportFile {
  const cells = head?.cells ?? [];
  const { names, repeated } = readHeader(
    cells,
    attributes.map(({ name }) => name),
  );
  const columns = names.map((name) => attributes.find((one) => one.name === name));
  return { rows, columns, headings: cells.map((cell) => cell.trim()), repeated };
}

/** Thrown with everything that is wrong with a line. */
class BadLine extends Error {}

/** Reads lines into values; one reader knows the whole file. */
export class LineReader {
  private readonly links: Links;
  /** The earlier line with the same key, by line; two writes of one entry would race. */
  private readonly repeated: ReadonlyMap<number, number>;

  constructor(
    private readonly resource: string,
    private readonly file: ImportFile,
    private readonly texts: Texts,
  ) {
    const keys = this.keys();
    this.repeated = repeatedKeys(keys);
    this.links = { found: new Map(), resource, keys: new Set(keys.map(({ key }) => key)) };
  }

  /** @throws ApiProblem which concerns more than the line */
  async read(row: CsvRecord): Promise<ImportLine | LineProblem> {
    try {
      return { line: row.line, values: await this.valuesOf(row) };
    } catch (error) {
      return toLineProblem(row.line, error, this.texts);
    }
  }

  private async valuesOf({ line, cells }: CsvRecord): Promise<Record<string, unknown>> {
    const { columns, headings } = this.file;
    const before = this.repeated.get(line);
    if (before !== undefined) throw new BadLine(this.texts('import.twice', { line: before }));
    if (cells.length !== headings.length) {
      const counts = { found: cells.length, expected: headings.length };
      throw new BadLine(this.texts('import.cells', counts));
    }
    const key = keyOf(this.resource);
    if (!columns.some((attribute) => attribute?.name === key))
      throw new BadLine(faultIn(key, this.texts('invalid.required')));
    const problems: string[] = [];
    const values: Record<string, unknown> = {};
    for (const [at, attribute] of columns.entries()) {
      if (!attribute) continue;
      try {
        values[attribute.name] = await this.valueOf(attribute, cells[at]!);
      } catch (error) {
        if (!(error instanceof CellError)) throw error;
        problems.push(faultIn(attribute.name, error.message));
      }
    }
    if (problems.length > 0) throw new BadLine(problems.join('; '));
    return values;
  }

  private async valueOf(attribute: Attribute, cell: string): Promise<unknown> {
    const value = await readCell(attribute, cell, this.links, this.texts);
    const isKey = attribute.name === keyOf(this.resource);
    if (value === null && (attribute.required || isKey))
      throw new CellError(this.texts('invalid.required'));
    if (
      isKey &&
      this.resource === 'users' &&
      comparableKey(this.resource, String(value)) === SYSADMIN
    )
      throw new CellError(this.texts('import.sysadmin'));
    return value;
  }

  private keys(): { line: number; key: string }[] {
    const { rows, columns } = this.file;
    const at = columns.findIndex((attribute) => attribute?.name === keyOf(this.resource));
    return rows.flatMap(({ line, cells }) => {
      const key = comparableKey(this.resource, (cells[at] ?? '').trim());
      return key === '' ? [] : [{ line, key }];
    });
  }
}

/** What is wrong with a cell, as a part of the sentence about its line. */
const faultIn = (column: string, message: string): string =>
  `${column}: ${message.replace(/\.$/, '')}`;

function repeatedKeys(keys: { line: number; key: string }[]): Map<number, number> {
  const first = new Map<string, number>();
  const repeated = new Map<number, number>();
  for (const { line, key } of keys)
    if (first.has(key)) repeated.set(line, first.get(key)!);
    else first.set(key, line);
  return repeated;
}

/** Statuses of problems that concern more than a line: no answer, the session, the limits and the load of the server. */
const GENERAL = [0, 401, 429, 502, 503, 504];

/** @throws whatever concerns more than the line */
export function toLineProblem(line: number, error: unknown, texts: Texts): LineProblem {
  if (error instanceof BadLine) return { line, message: error.message };
  if (!(error instanceof ApiProblem) || GENERAL.includes(error.status)) throw error;
  return { line, message: explainPlainly(error, texts), problem: error };
}
