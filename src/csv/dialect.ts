/**
 * The CSV dialect of the product, which the command line and the console share: what one writes the
 * other reads back to the same rows. docs/command-line.md describes it for people.
 */

/** Spreadsheets take a file for UTF-8 only when it begins with a byte order mark. */
export const BYTE_ORDER_MARK = '\uFEFF';

const SEPARATORS = [',', ';', '\t'];

/** Longest record in characters: a quote that is never closed would otherwise swallow the file. */
const MAX_RECORD = 1_000_000;

/** The separator that the first line has most of; French spreadsheets write semicolons. */
export function separatorOf(text: string): string {
  const [firstLine = ''] = text.split(/[\r\n]/, 1);
  const unquoted = firstLine.replace(/"[^"]*"/g, '');
  const count = (separator: string): number => unquoted.split(separator).length;
  return SEPARATORS.reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** How csv-parse reads a file (RFC 4180) into rows for `toRecord`; blank lines are no records. */
export const parserOptions = (separator: string, numbering: RecordNumbering) => ({
  bom: true,
  delimiter: separator,
  record_delimiter: ['\r\n', '\n', '\r'],
  max_record_size: MAX_RECORD,
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  // Called at once; what waits in a stream is lost when the stream fails.
  on_record: (cells: string[], { lines }: { lines: number }) => numbering.number(cells, lines),
});

/** How csv-stringify writes a file; a cell with any separator in it is quoted. */
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

/** Where a file stops being CSV. */
export class CsvError extends Error {
  constructor(
    readonly line: number,
    readonly reason: string,
  ) {
    super(`line ${line}: ${reason}`);
  }
}

/** A record of a row that `parserOptions` makes, its number in front of its cells. */
export const toRecord = ([line, ...cells]: string[]): CsvRecord => ({
  line: Number(line),
  cells: cells.map(unescapeFormula),
});

/** Numbers records by the lines of the file on which they begin. */
export class RecordNumbering {
  /** csv-parse counts a CR LF inside quotes as two lines. */
  private surplus = 0;
  /** The last line of the record before. */
  private last = 0;

  /** @param lines how many lines csv-parse counts up to the end of the record */
  number(cells: string[], lines: number): string[] {
    const text = cells.join('');
    this.surplus += text.match(/\r\n/g)?.length ?? 0;
    const inner = text.match(/\r\n|\r|\n/g)?.length ?? 0;
    this.last = lines - this.surplus;
    return [String(this.last - inner), ...cells];
  }

  /** csv-parse's own error with the line after the last good record; any other error unchanged. */
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

/** Cells that a spreadsheet would run as a formula (OWASP, CSV injection). */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const ESCAPED_FORMULA = /^'(?='*[=+\-@\t\r\n＝＋－＠])/;

/** Puts an apostrophe before what a spreadsheet would run; a whole number is no formula. */
export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) && !/^-?\d+$/.test(cell) ? `'${cell}` : cell;
}

/** Takes off the apostrophe that `escapeFormula` puts on. */
export const unescapeFormula = (cell: string): string => cell.replace(ESCAPED_FORMULA, '');

/** The columns of a file, by the names of attributes in any case. */
export interface Header {
  /** One a column; undefined where no attribute has that name. */
  names: (string | undefined)[];
  unknown: string[];
  /** The name of a column that is there twice. */
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
