/** Texts that a spreadsheet would run as a formula. */
const FORMULA = /^'*[=+\-@\t\r]/;
const ESCAPED_FORMULA = /^'(?='*[=+\-@\t\r])/;

/** One row of a table, and the line of the file where it begins. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/** A file that is no table; `line` is where reading ended. */
export class CsvFault extends Error {
  constructor(
    readonly line: number,
    readonly code: 'quote' | 'after-quote',
  ) {
    super(`line ${line}: ${code}`);
  }
}

/** The separator that the first line has most of: comma, semicolon (as French spreadsheets) or tab. */
function separatorOf(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1);
  const unquoted = first.replace(/"[^"]*"/g, '');
  const count = (separator: string): number => unquoted.split(separator).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}

/**
 * Reads a table (RFC 4180): quoted cells hold separators, line breaks and doubled quotes.
 * @throws CsvFault
 */
export function parseCsv(content: string): CsvRow[] {
  const text = content.replace(/^\uFEFF/, '');
  const separator = separatorOf(text);
  const rows: CsvRow[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const row: CsvRow = { line, cells: [] };
    for (;;) {
      const cell = text[at] === '"' ? readQuoted() : readPlain();
      row.cells.push(cell.replace(ESCAPED_FORMULA, ''));
      if (text[at] !== separator) break;
      at++;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line++;
    if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
  }
  return rows;

  function readPlain(): string {
    const start = at;
    while (at < text.length && text[at] !== separator && !'\r\n'.includes(text[at]!)) at++;
    return text.slice(start, at);
  }

  function readQuoted(): string {
    const start = line;
    let cell = '';
    at++;
    for (;;) {
      const end = text.indexOf('"', at);
      if (end < 0) throw new CsvFault(start, 'quote');
      cell += text.slice(at, end);
      at = end + 1;
      if (text[at] !== '"') break;
      cell += '"';
      at++;
    }
    line += cell.split('\n').length - 1;
    if (at < text.length && text[at] !== separator && !'\r\n'.includes(text[at]!))
      throw new CsvFault(line, 'after-quote');
    return cell;
  }
}

/** Writes a table for spreadsheets: with a byte order mark, and nothing that they would run. */
export function writeCsv(rows: string[][]): string {
  const lines = rows.map((row) => row.map(writeCell).join(','));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

function writeCell(cell: string): string {
  // Numbers are no formulas.
  const safe = FORMULA.test(cell) && !/^-?\d+$/.test(cell) ? `'${cell}` : cell;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a file: UTF-8, or what older spreadsheets save. */
export function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
