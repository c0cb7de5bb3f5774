import { ApiProblem, send } from '../../api-client/api.js';
import type { Attribute } from '../api/description.js';
import type { Texts } from '../translations/i18n.js';
import { explainPlainly } from '../components/problems.js';
import { resourceOf } from '../api/resources.js';
import { CellFault, findByKey, type Known, keyOf, readCell } from './cells.js';
import type { CsvRow } from './csv.js';

/** A file that was read, its columns matched with attributes. */
export interface ImportFile {
  rows: CsvRow[];
  /** One a column; undefined where the column's name is no writable attribute. */
  columns: (Attribute | undefined)[];
  headings: string[];
}

/** What is wrong with a line of the file. */
export interface LineFault {
  line: number;
  message: string;
  /** Of the server, when the line got that far. */
  problem?: ApiProblem;
}

export interface ImportReport {
  created: number;
  changed: number;
  unchanged: number;
  faults: LineFault[];
}

/** So many lines are on their way at the same time. */
const PARALLEL = 4;

/** Matches the first row of a file with the attributes of a resource. */
export function matchColumns([head, ...rows]: CsvRow[], attributes: Attribute[]): ImportFile {
  const headings = (head?.cells ?? []).map((cell) => cell.trim());
  const columns = headings.map((heading) =>
    attributes.find(({ name }) => name.toLowerCase() === heading.toLowerCase()),
  );
  return { rows, columns, headings };
}

/**
 * The body that a line stands for; every fault of the line together.
 * @throws LineProblem
 */
async function bodyOf(
  { columns, headings }: ImportFile,
  { cells }: CsvRow,
  known: Known,
  texts: Texts,
): Promise<Record<string, unknown>> {
  const faults: string[] = [];
  const body: Record<string, unknown> = {};
  if (cells.length > headings.length)
    faults.push(texts('import.cells', { found: cells.length, expected: headings.length }));
  for (const [at, attribute] of columns.entries()) {
    if (!attribute) continue;
    try {
      body[attribute.name] = await readCell(attribute, cells[at] ?? '', known, texts);
    } catch (error) {
      if (!(error instanceof CellFault)) throw error;
      faults.push(`${attribute.name}: ${error.message}`);
    }
  }
  if (faults.length > 0) throw new LineProblem(faults.join('; '));
  return body;
}

/** Why a line cannot be taken over. */
class LineProblem extends Error {}

type Outcome = 'created' | 'changed' | 'unchanged';

/** Creates what a line names, or changes it when its reference (login) is there already. */
async function importLine(resource: string, body: Record<string, unknown>): Promise<Outcome> {
  const { path } = resourceOf(resource);
  const key = body[keyOf(resource)];
  const existing =
    typeof key === 'string' && key !== '' ? await findByKey(resource, key) : undefined;
  if (!existing) {
    await send(path, { method: 'POST', body });
    return 'created';
  }
  const operations = Object.entries(body).map(([name, value]) => ({
    op: 'replace',
    path: `/${name}`,
    value,
  }));
  const before = await send(`${path}/${existing.id}`);
  const etag = before.headers.get('ETag');
  const after = await send(`${path}/${existing.id}`, {
    method: 'PATCH',
    body: operations,
    headers: { 'If-Match': etag ?? '*' },
  });
  return after.headers.get('ETag') === etag ? 'unchanged' : 'changed';
}

/** Lines that name the same thing twice would race each other. */
function repeatedKeys({ rows, columns }: ImportFile, resource: string): Map<number, number> {
  const at = columns.findIndex((attribute) => attribute?.name === keyOf(resource));
  const first = new Map<string, number>();
  const repeated = new Map<number, number>();
  for (const { line, cells } of at < 0 ? [] : rows) {
    const key = (cells[at] ?? '').trim().toLowerCase();
    if (key === '') continue;
    if (first.has(key)) repeated.set(line, first.get(key)!);
    else first.set(key, line);
  }
  return repeated;
}

/**
 * Looks at every line, and takes it over unless it is only looked at. A bad line stops no other; it
 * is told with its number.
 */
export async function runImport(
  resource: string,
  file: ImportFile,
  texts: Texts,
  {
    isDry,
    onProgress,
    signal,
  }: { isDry: boolean; onProgress: (part: number) => void; signal: AbortSignal },
): Promise<ImportReport> {
  const report: ImportReport = { created: 0, changed: 0, unchanged: 0, faults: [] };
  const known: Known = new Map();
  const repeated = repeatedKeys(file, resource);
  const waiting = file.rows.values();
  let done = 0;

  const takeOver = async (row: CsvRow): Promise<void> => {
    const before = repeated.get(row.line);
    try {
      if (before !== undefined) throw new LineProblem(texts('import.twice', { line: before }));
      const body = await bodyOf(file, row, known, texts);
      requireKnown(file, body, texts);
      if (!isDry) report[await importLine(resource, body)]++;
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 401) throw error;
      if (!(error instanceof LineProblem || error instanceof ApiProblem)) throw error;
      const problem = error instanceof ApiProblem ? error : undefined;
      const message = problem ? explainPlainly(problem, texts) : error.message;
      report.faults.push({ line: row.line, message, problem });
    }
    onProgress(++done / file.rows.length);
  };
  const work = async (): Promise<void> => {
    for (const row of waiting) {
      if (signal.aborted) return;
      await takeOver(row);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  report.faults.sort((a, b) => a.line - b.line);
  return report;
}

/** @throws LineProblem for a column of the file that must not be blank and is */
function requireKnown({ columns }: ImportFile, body: Record<string, unknown>, texts: Texts): void {
  const blank = columns.flatMap((attribute) => {
    const value = attribute && body[attribute.name];
    return attribute?.required && (value === null || value === '') ? [attribute.name] : [];
  });
  if (blank.length > 0)
    throw new LineProblem(blank.map((name) => `${name}: ${texts('invalid.required')}`).join('; '));
}
