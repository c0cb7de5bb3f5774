/** A record of a CSV file (RFC 4180) and the number of the line on which it begins. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** What reading a file stops at; `message` says where. */
export class UnreadableFile extends Error {}

/** Longest record in characters: a quote that is never closed would otherwise eat the whole file. */
const MAX_RECORD = 1_000_000;

/**
 * Reads CSV in pieces: quoted cells may hold separators, line ends and doubled quotes. The separator
 * is the one of the first line: a semicolon where that has one and no comma.
 */
export class CsvReader {
  private separator: string | undefined;
  private rest = '';
  private line = 1;

  /** @param separator one character; found out from the first line when missing */
  constructor(separator?: string) {
    this.separator = separator;
  }

  /**
   * Takes a piece of the file; answers the records that it completes.
   * @throws UnreadableFile
   */
  read(text: string): CsvRecord[] {
    this.rest += text;
    return this.records(false);
  }

  /** The last record, which needs no line end. */
  end(): CsvRecord[] {
    return this.records(true);
  }

  private records(isLast: boolean): CsvRecord[] {
    const records: CsvRecord[] = [];
    for (let end; (end = this.endOfRecord(isLast)) !== -1;) {
      const text = this.rest.slice(0, end).replace(/\r$/, '');
      this.rest = this.rest.slice(end + 1);
      this.separator ??= /^[^,]*;/.test(text) && !text.includes(',') ? ';' : ',';
      if (text !== '') records.push({ line: this.line, cells: this.cellsOf(text) });
      this.line += 1 + (text.match(/\n/g)?.length ?? 0);
    }
    if (this.rest.length > MAX_RECORD)
      throw new UnreadableFile(
        `line ${this.line}: longer than ${MAX_RECORD} characters; is a quote not closed?`,
      );
    return records;
  }

  /** A line end outside quotes; quotes inside a quoted cell come in pairs. */
  private endOfRecord(isLast: boolean): number {
    let from = 0;
    for (;;) {
      const end = this.rest.indexOf('\n', from);
      if (end === -1) return this.endOfFile(isLast);
      if (!isOpen(this.rest.slice(0, end))) return end;
      from = end + 1;
    }
  }

  private endOfFile(isLast: boolean): number {
    if (!isLast || this.rest === '') return -1;
    if (isOpen(this.rest)) throw new UnreadableFile(`line ${this.line}: a quote is not closed`);
    return this.rest.length;
  }

  private cellsOf(record: string): string[] {
    const cells: string[] = [];
    for (let at = 0; at <= record.length;) {
      const { cell, end } = this.cellAt(record, at);
      cells.push(cell);
      at = end + 1;
    }
    return cells;
  }

  private cellAt(record: string, at: number): { cell: string; end: number } {
    const separator = this.separator!;
    if (record[at] !== '"') {
      const found = record.indexOf(separator, at);
      const end = found === -1 ? record.length : found;
      return { cell: record.slice(at, end), end };
    }
    const close = /^"((?:[^"]|"")*)"/.exec(record.slice(at));
    const end = at + (close?.[0].length ?? 0);
    if (!close || (end < record.length && record[end] !== separator))
      throw new UnreadableFile(
        `line ${this.line}: a quoted cell has to end with a quote before ${separator}`,
      );
    return { cell: close[1]!.replaceAll('""', '"'), end };
  }
}

/** Whether a quote is open at the end of a text. */
function isOpen(text: string): boolean {
  let quotes = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) quotes++;
  return quotes % 2 === 1;
}

/** One line of CSV, with its line end. */
export const csvLine = (cells: string[]): string => `${cells.map(quoted).join(',')}\r\n`;

const quoted = (cell: string): string =>
  /[",;\r\n]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell;
