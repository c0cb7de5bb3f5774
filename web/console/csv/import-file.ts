import { type CsvRecord, readHeader } from '../../../src/base/csv/dialect.js';
import { ApiProblem, bodyOf, send } from '../../api-client/api.js';
import type { InvalidField } from '../../api-client/types.js';
import type { Attribute } from '../api/description.js';

/** A parsed file, with its columns matched to attributes. */
export interface ImportFile {
  rows: CsvRecord[];
  /** One per column; undefined if the column's name is not a writable attribute. */
  columns: (Attribute | undefined)[];
  headings: string[];
  /** The name of a repeated column. */
  repeated?: string;
}

/** The faults of a line of the file. */
export type LineFault = InvalidField & { line: number };

/** The result of an import or of a check. */
export interface Imported {
  created: number;
  /** The ids of the records that were created; none by a check. */
  createdIds: string[];
  updated: number;
  unchanged: number;
  /** With any fault, nothing was imported. */
  faults: LineFault[];
}

/** The most faults that the server names. */
export const MOST_FAULTS = 1_000;

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

/**
 * Imports a file as a whole, or only checks what an import would do.
 * @throws ApiProblem for an error that does not concern single lines
 */
export async function importFile(
  resource: string,
  content: Blob,
  isCheck: boolean,
): Promise<Imported> {
  const path = `/api/v2/administration/imports/${resource}?ignoreUnknown=true&dryRun=${isCheck}`;
  try {
    const imported = await bodyOf<Omit<Imported, 'faults'>>(
      await send(path, { method: 'POST', body: content }),
    );
    return { ...imported, faults: [] };
  } catch (error) {
    const faults = error instanceof ApiProblem ? error.fields.filter(isOfLine) : [];
    if (faults.length === 0) throw error;
    return { created: 0, createdIds: [], updated: 0, unchanged: 0, faults };
  }
}

const isOfLine = (field: InvalidField): field is LineFault => field.line !== undefined;

/** The faults of each bad line, in the order of the lines. */
export const faultsByLine = (faults: LineFault[]): Map<number, LineFault[]> =>
  Map.groupBy(faults, ({ line }) => line);
