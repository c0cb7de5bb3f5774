import { parse } from 'csv-parse/browser/esm/sync';
import { stringify } from 'csv-stringify/browser/esm/sync';
import {
  BYTE_ORDER_MARK,
  type CsvRecord,
  parserOptions,
  RecordNumbering,
  separatorOf,
  toRecord,
  WRITER_OPTIONS,
} from '../../../src/base/csv/dialect.js';

/**
 * Reads a table in the dialect that the command line reads too.
 * @throws CsvError
 */
export function parseCsv(text: string): CsvRecord[] {
  const numbering = new RecordNumbering();
  try {
    return parse(text, parserOptions(separatorOf(text), numbering)).map(toRecord);
  } catch (error) {
    throw numbering.toError(error);
  }
}

/** Writes a table that spreadsheets open as text, and that the command line imports. */
export const writeCsv = (rows: string[][]): string =>
  BYTE_ORDER_MARK + stringify(rows, WRITER_OPTIONS);

/** The text of a file in UTF-8, or in windows-1252 from older spreadsheets. */
export function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
