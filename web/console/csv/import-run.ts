import { send } from '../../api-client/api.js';
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

export interface ImportReport {
  created: number;
  /** The ids of the records that were created. */
  createdIds: string[];
  changed: number;
  unchanged: number;
  problems: LineProblem[];
}

interface Run {
  texts: Texts;
  onProgress: (part: number) => void;
  signal: AbortSignal;
}

/** Lines that are worked on at the same time. */
const PARALLEL = 4;

/** Works on every item, some at a time, until the signal aborts. */
async function forEach<T>(
  items: T[],
  { onProgress, signal }: Run,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  let done = 0;
  const worker = async (): Promise<void> => {
    for (const item of waiting) {
      if (signal.aborted) return;
      await work(item);
      onProgress(++done / items.length);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
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
 * Writes lines that were checked. An error that only the server finds is reported with its line, and
 * stops no other; lines that link to records of the same file get these links when all are there.
 */
export async function importLines(
  resource: string,
  lines: ImportLine[],
  run: Run,
): Promise<ImportReport> {
  const outcomes = new Map<number, Outcome>();
  const problems: LineProblem[] = [];
  const attempt = async ({ line }: ImportLine, work: () => Promise<Outcome>): Promise<void> => {
    try {
      const outcome = await work();
      const before = outcomes.get(line);
      if (before === undefined || before.kind === 'unchanged') outcomes.set(line, outcome);
    } catch (error) {
      outcomes.delete(line);
      problems.push(toLineProblem(line, error, run.texts));
    }
  };
  await forEach(lines, run, (line) =>
    attempt(line, () => writeRecord(resource, withoutFutureLinks(line.values))),
  );
  const linking = lines.filter(
    ({ line, values }) => outcomes.has(line) && futureLinks(values).length > 0,
  );
  await forEach(linking, { ...run, onProgress: () => undefined }, (line) =>
    attempt(line, async () => writeRecord(resource, await linksOf(resource, line.values))),
  );
  const idsOf = (wanted: Outcome['kind']): string[] =>
    [...outcomes.values()].filter(({ kind }) => kind === wanted).map(({ id }) => id);
  const createdIds = idsOf('created');
  return {
    created: createdIds.length,
    createdIds,
    changed: idsOf('changed').length,
    unchanged: idsOf('unchanged').length,
    problems: problems.sort(byLine),
  };
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

/** Creates the record that the values name, or changes it when its key is there already. */
async function writeRecord(resource: string, values: Values): Promise<Outcome> {
  const { path } = resourceOf(resource);
  const { groups, ...body } = values;
  const memberships = resource === 'users' ? (groups as string[] | undefined) : undefined;
  if (resource !== 'users' && groups !== undefined) body.groups = groups;
  const key = body[keyOf(resource)];
  const existing = typeof key === 'string' ? await findByKey(resource, key) : undefined;
  if (!existing) {
    const answer = await send(path, { method: 'POST', body });
    const { id } = (await answer.json()) as Ref;
    await writeMemberships(id, [], memberships);
    return { id, kind: 'created' };
  }
  const before = await send(`${path}/${existing.id}`);
  const record = (await before.json()) as { groups?: Ref[] };
  const etag = before.headers.get('ETag');
  const after = await send(`${path}/${existing.id}`, {
    method: 'PATCH',
    // A record without translations has no such attribute to replace.
    body: Object.entries(body).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
    headers: { 'If-Match': etag ?? '*' },
  });
  const stored = (record.groups ?? []).map(({ uri }) => uri);
  const hasMoved = await writeMemberships(existing.id, stored, memberships);
  const isChanged = hasMoved || after.headers.get('ETag') !== etag;
  return { id: existing.id, kind: isChanged ? 'changed' : 'unchanged' };
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
