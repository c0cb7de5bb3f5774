import { escapeFormula, unescapeFormula } from './formulas.js';

/**
 * The CSV dialect that the command line and the console share: each reads the other's files back to the
 * same rows. docs/command-line.md describes it for users.
 */

/** Spreadsheets recognize UTF-8 only by a byte order mark. */
export const BYTE_ORDER_MARK = '\uFEFF';

const SEPARATORS = [',', ';', '\t'];

/** Maximum length of a record in characters: without it, an unclosed quote would swallow the whole file. */
const MAX_RECORD = 1_000_000;

/** The most frequent separator of the first line; French spreadsheets write semicolons. */
export function separatorOf(text: string): string {
  const [firstLine = ''] = text.split(/[\r\n]/, 1);
  const unquoted = firstLine.replace(/"[^"]*"/g, '');
  const count = (separator: string): number => unquoted.split(separator).length;
  return SEPARATORS.reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** The options of csv-parse to read a file (RFC 4180) into rows for `toRecord`. They skip blank lines. */
export const parserOptions = (separator: string, numbering: RecordNumbering) => ({
  bom: true,
  delimiter: separator,
  record_delimiter: ['\r\n', '\n', '\r'],
  max_record_size: MAX_RECORD,
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  // csv-parse calls this immediately; rows that wait in a stream are lost when the stream fails.
  on_record: (cells: string[], { lines }: { lines: number }) => numbering.number(cells, lines),
});

/** The options of csv-stringify to write a file. They quote a cell that contains any separator. */
export const WRITER_OPTIONS = {
  record_delimiter: 'windows' as const,
  quoted_match: /[;\t\r\n]|^\s|\s$/,
  cast: { string: escapeFormula },
};

/** A record and the number of the line on which it begins. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** The file is not valid CSV from this line on. */
export class CsvError extends Error {
  constructor(
    readonly line: number,
    readonly reason: string,
  ) {
    super(`line ${line}: ${reason}`);
  }
}

/** Converts a row of csv-parse, whose first cell is the line number (`parserOptions`), to a record. */
export const toRecord = ([line, ...cells]: string[]): CsvRecord => ({
  line: Number(line),
  cells: cells.map(unescapeFormula),
});

/** Determines the line of the file on which each record begins. */
export class RecordNumbering {
  /** Surplus lines so far: csv-parse counts a CR LF inside quotes as two. */
  private surplus = 0;
  /** The last line of the previous record. */
  private last = 0;

  /** @param lines the number of lines that csv-parse counts up to the end of the record */
  number(cells: string[], lines: number): string[] {
    const text = cells.join('');
    this.surplus += text.match(/\r\n/g)?.length ?? 0;
    const inner = text.match(/\r\n|\r|\n/g)?.length ?? 0;
    this.last = lines - this.surplus;
    return [String(this.last - inner), ...cells];
  }

  /** Turns an error of csv-parse into one with the line after the last good record; returns any other unchanged. */
  toError(error: unknown): unknown {
    const reason = REASONS[(error as { code?: string }).code ?? ''];
    return reason === undefined ? error : new CsvError(this.last + 1, reason);
  }
}

/** Errors of csv-parse by their codes. */
const REASONS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'a quoted cell has to end with a quote before the separator',
  INVALID_OPENING_QUOTE: 'a cell with a quote in it has to be quoted, and the quote doubled',
  CSV_MAX_RECORD_SIZE: `longer than ${MAX_RECORD} characters; is a quote not closed?`,
};

/** The columns of a file; attribute names match case-insensitively. */
export interface Header {
  /** One per column; undefined when no attribute has that name. */
  names: (string | undefined)[];
  unknown: string[];
  /** The name of a column that occurs twice. */
  repeated?: string;
}

export function readHeader(cells: string[], attributes: string[]): Header {
  const headings = cells.map((cell) => cell.trim());
  const names = headings.map((heading) =>
    attributes.find((name) => name.toLowerCase() === heading.toLowerCase()),
  );
  return {
    names,
    unknown: headings.filter((_, at) => names[at] === undefined),
    repeated: names.find((name, at) => name !== undefined && names.indexOf(name) !== at),
  };
}
