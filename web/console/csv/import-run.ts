import { ApiProblem, send } from '../../api-client/api.js';
import type { Ref } from '../../api-client/types.js';
import { resourceOf } from '../resources.js';
import type { Texts } from '../translations/i18n.js';
import { findByKey, FutureRecord, keyOf } from './cells.js';
import {
  type ImportFile,
  type ImportLine,
  type LineProblem,
  LineReader,
  toLineProblem,
} from './import-file.js';

/** What an import has written so far, and what is left. */
export interface ImportReport {
  created: number;
  /** The ids of the records that were created. */
  createdIds: string[];
  changed: number;
  unchanged: number;
  problems: LineProblem[];
  /** How many lines wait for another run. */
  rest: number;
  /** The error that ended the run before its last line. */
  interruption?: ApiProblem;
}

interface Run {
  texts: Texts;
  onProgress: (part: number) => void;
  signal: AbortSignal;
}

/** Lines that are worked on at the same time. */
const PARALLEL = 4;

/**
 * Works on every item, some at a time, until the signal aborts.
 * @throws the first error, when the items that had begun have ended too
 */
async function forEach<T>(
  items: T[],
  { onProgress, signal }: Run,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  let done = 0;
  let failure: { error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (const item of waiting) {
      if (signal.aborted || failure) return;
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
      onProgress(++done / items.length);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  if (failure) throw failure.error;
}

const byLine = (a: { line: number }, b: { line: number }): number => a.line - b.line;

/** Reads every line and writes nothing. As on the command line, one bad line is enough to write none. */
export async function checkFile(
  resource: string,
  file: ImportFile,
  run: Run,
): Promise<{ lines: ImportLine[]; problems: LineProblem[] }> {
  const reader = new LineReader(resource, file, run.texts);
  const [lines, problems]: [ImportLine[], LineProblem[]] = [[], []];
  await forEach(file.rows, run, async (row) => {
    const read = await reader.read(row);
    if ('values' in read) lines.push(read);
    else problems.push(read);
  });
  return { lines: lines.sort(byLine), problems: problems.sort(byLine) };
}

interface Outcome {
  id: string;
  kind: 'created' | 'changed' | 'unchanged';
}

/**
 * Writes lines that were checked. An error that only the server finds is reported with its line, and stops no other.
 * The end of the session or of the connection stops the run, and the next one goes on with the lines that are left.
 * Lines that link to records of the same file get these links when all are there.
 */
export class Import {
  private readonly outcomes = new Map<number, Outcome>();
  private readonly problems: LineProblem[] = [];
  /** Lines without a record before: when the answer to their POST is lost, the next run finds what it created. */
  private readonly missing = new Set<number>();
  private readonly unwritten: Set<ImportLine>;
  private readonly unlinked: Set<ImportLine>;
  private interruption: ApiProblem | undefined;

  constructor(
    private readonly resource: string,
    lines: ImportLine[],
  ) {
    this.unwritten = new Set(lines);
    this.unlinked = new Set(lines.filter(({ values }) => futureLinks(values).length > 0));
  }

  async run(run: Run): Promise<void> {
    this.interruption = undefined;
    try {
      await forEach([...this.unwritten], run, (line) =>
        this.attempt(this.unwritten, line, run, () => withoutFutureLinks(line.values)),
      );
      await forEach([...this.unlinked], { ...run, onProgress: () => undefined }, (line) =>
        this.attempt(this.unlinked, line, run, () => linksOf(this.resource, line.values)),
      );
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      this.interruption = error;
    }
  }

  get report(): ImportReport {
    const idsOf = (wanted: Outcome['kind']): string[] =>
      [...this.outcomes.values()].filter(({ kind }) => kind === wanted).map(({ id }) => id);
    const createdIds = idsOf('created');
    return {
      created: createdIds.length,
      createdIds,
      changed: idsOf('changed').length,
      unchanged: idsOf('unchanged').length,
      problems: this.problems.toSorted(byLine),
      rest: new Set([...this.unwritten, ...this.unlinked]).size,
      interruption: this.interruption,
    };
  }

  /** @throws ApiProblem which concerns more than the line; the line then waits for the next run */
  private async attempt(
    waiting: Set<ImportLine>,
    line: ImportLine,
    { texts }: Run,
    values: () => Values | Promise<Values>,
  ): Promise<void> {
    try {
      await this.write(line.line, await values());
    } catch (error) {
      const problem = toLineProblem(line.line, error, texts);
      const outcome = this.outcomes.get(line.line);
      if (outcome?.kind === 'unchanged') this.outcomes.delete(line.line);
      const isWritten = outcome !== undefined && outcome.kind !== 'unchanged';
      this.problems.push({ ...problem, isWritten });
      this.unlinked.delete(line);
    }
    waiting.delete(line);
  }

  /** Keeps the most that happened to the record of a line, as soon as it has happened. */
  private note(line: number, outcome: Outcome): void {
    const before = this.outcomes.get(line);
    if (before === undefined || before.kind === 'unchanged') this.outcomes.set(line, outcome);
  }

  /** Creates the record that the values name, or changes it when its key is there already. */
  private async write(line: number, values: Values): Promise<void> {
    const { path } = resourceOf(this.resource);
    const { groups, ...body } = values;
    const memberships = this.resource === 'users' ? (groups as string[] | undefined) : undefined;
    if (this.resource !== 'users' && groups !== undefined) body.groups = groups;
    const key = body[keyOf(this.resource)];
    const existing = typeof key === 'string' ? await findByKey(this.resource, key) : undefined;
    if (!existing) {
      this.missing.add(line);
      const answer = await send(path, { method: 'POST', body });
      const { id } = (await answer.json()) as Ref;
      this.note(line, { id, kind: 'created' });
      await writeMemberships(id, [], memberships);
      return;
    }
    const { id } = existing;
    if (this.missing.has(line)) this.note(line, { id, kind: 'created' });
    const before = await send(`${path}/${id}`);
    const record = (await before.json()) as { groups?: Ref[] };
    const etag = before.headers.get('ETag');
    const after = await send(`${path}/${id}`, {
      method: 'PATCH',
      // A record without translations has no such attribute to replace.
      body: Object.entries(body).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
      headers: { 'If-Match': etag ?? '*' },
    });
    this.note(line, { id, kind: after.headers.get('ETag') === etag ? 'unchanged' : 'changed' });
    const stored = (record.groups ?? []).map(({ uri }) => uri);
    if (await writeMemberships(id, stored, memberships)) this.note(line, { id, kind: 'changed' });
  }
}

type Values = ImportLine['values'];

const futureLinks = (values: Values): [name: string, record: FutureRecord][] =>
  Object.entries(values).filter(
    (entry): entry is [string, FutureRecord] => entry[1] instanceof FutureRecord,
  );

const withoutFutureLinks = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => !(value instanceof FutureRecord)),
  );

/** The key of a line, and its links to records that other lines have created meanwhile. */
async function linksOf(resource: string, values: Values): Promise<Values> {
  const key = keyOf(resource);
  const links: Values = { [key]: values[key] };
  for (const [name, record] of futureLinks(values))
    links[name] = (await findByKey(resource, record.key))?.uri ?? null;
  return links;
}

/** Puts a user into exactly these groups. @returns whether that changed anything */
async function writeMemberships(
  userId: string,
  stored: string[],
  wanted: string[] = stored,
): Promise<boolean> {
  const added = wanted.filter((uri) => !stored.includes(uri));
  const removed = stored.filter((uri) => !wanted.includes(uri));
  for (const [method, uris] of [
    ['PUT', added],
    ['DELETE', removed],
  ] as const)
    for (const uri of uris) await send(`/api/v2${uri}/members/${userId}`, { method });
  return added.length + removed.length > 0;
}
