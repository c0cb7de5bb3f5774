import type { Config } from '../base/config/config.js';
import type { Reader } from '../database/database.js';
import type { InvalidField } from '../base/errors/api-errors.js';
import { onlyChanged } from '../resources/write/resource-writer.js';
import { uriOf } from '../resources/uri.js';
import {
  type AuditContext,
  type AuditLine,
  recordAuditLines,
  recordAudit,
} from '../security/audit.service.js';
import { transferred } from './fields.js';
import { connectImportable, type ImportableResource } from './importable-resources.js';
import { isName, parseRow } from './parse-row.js';
import { type FileRecord, type Format, readRecords } from './records.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { type Counts, Staging } from './staging.js';

/** Lines checked and sent together. */
const BATCH = 1_000;

/** A bad line with all its errors. */
export interface BadLine {
  line: number;
  fields: InvalidField[];
}

export interface ImportOptions {
  kind: ImportableResource;
  /** Attributes that the file may contain and the import ignores. */
  without?: string[];
  auditContext: AuditContext;
  /** Called with every bad line, in order. */
  report: (bad: BadLine) => void | Promise<void>;
  /** Called with the id of every row that a person creates. */
  created?: (id: string) => void;
  /** Called with the number of lines read. */
  progress?: (lines: number) => void;
}

export interface FileImport extends ImportOptions {
  file: AsyncIterable<Buffer>;
  format: Format;
  /** Does everything, then rolls back. */
  isDryRun: boolean;
  /** Lines of one transaction; by default all lines are in one. */
  linesAtOnce?: number;
}

interface RecordImport extends ImportOptions {
  records: AsyncIterable<FileRecord[]> | Iterable<FileRecord[]>;
}

/** The result of an import. */
export interface Imported extends Counts {
  /** With any, the transaction that has them has written nothing. */
  bad: number;
}

/**
 * Imports a file in one transaction, completely or not at all; with `linesAtOnce` in several, of which the first with bad
 * lines ends the import. A line creates the row that its key (login, reference) names, or changes the attributes that it
 * gives.
 * @throws UnreadableFile when the file is not in the given format
 */
export function importFile(config: Config, options: FileImport): Promise<Imported> {
  const { kind, file, format, linesAtOnce = Infinity } = options;
  const attributes = new Map(transferred(kind).map((attribute) => [attribute.name, attribute]));
  return DedicatedConnection.on(config, async (session) => {
    const all: Imported = { lines: 0, bad: 0, created: 0, updated: 0, unchanged: 0 };
    for await (const records of partsOf(readRecords(file, format, attributes), linesAtOnce)) {
      const before = all.lines;
      const part = await session.transaction(async () => {
        const progress = (lines: number) => options.progress?.(before + lines);
        const result = await importIn(session, { ...options, records, progress });
        return { keep: result.bad === 0 && !options.isDryRun, result };
      });
      for (const count of Object.keys(all) as (keyof Imported)[]) all[count] += part[count];
      if (part.bad > 0) break;
    }
    return all;
  });
}

/** Records in parts of a number of lines; without end all of them are one, which is read as it is imported. */
async function* partsOf(
  records: AsyncIterable<FileRecord[]>,
  size: number,
): AsyncGenerator<RecordImport['records']> {
  if (size === Infinity) {
    yield records;
    return;
  }
  let part: FileRecord[] = [];
  for await (const some of records)
    for (const record of some)
      if (part.push(record) === size) {
        yield [part];
        part = [];
      }
  if (part.length > 0) yield [part];
}

/**
 * Imports records inside the caller's transaction, which the caller rolls back when any record is bad. The audit trail
 * gets a line for each row that a person imports, as for a single write, and one with the counts.
 */
export async function importIn(session: Reader, options: RecordImport): Promise<Imported> {
  const { kind, auditContext, report } = options;
  connectImportable();
  const staging = new Staging(session, kind);
  await staging.create();
  const lines = await stage(staging, options);
  await staging.resolve();
  const bad = await staging.countFaults();
  if (bad > 0) {
    for await (const line of staging.faults()) await report(line);
    return { lines, bad, created: 0, updated: 0, unchanged: 0 };
  }
  const isPersonal = auditContext.caller !== undefined;
  const counts = await staging.write(isPersonal);
  if (isPersonal) await recordRows(session, staging, options);
  await recordAudit(session, auditContext, {
    action: 'import',
    objectUri: kind.resource.ref.uri,
    after: counts,
  });
  return { ...counts, bad };
}

/** Writes a line of the audit trail for each row that was written. */
export async function recordRows(
  session: Reader,
  staging: Staging,
  { kind, auditContext, created }: Pick<ImportOptions, 'kind' | 'auditContext' | 'created'>,
): Promise<void> {
  let lines: AuditLine[] = [];
  for await (const { id, before, after } of staging.written()) {
    if (!before) created?.(id);
    const objectUri = uriOf(kind.resource.ref.uri, id);
    const states = before ? onlyChanged(before, after) : { after };
    lines.push({
      auditContext,
      entry: { action: before ? 'update' : 'create', objectUri, ...states },
    });
    if (lines.length < BATCH) continue;
    await recordAuditLines(session, lines);
    lines = [];
  }
  await recordAuditLines(session, lines);
}

async function stage(staging: Staging, options: RecordImport): Promise<number> {
  let count = 0;
  let batch: FileRecord[] = [];
  const flush = async (): Promise<void> => {
    await addBatch(staging, options.kind, batch);
    count += batch.length;
    batch = [];
    options.progress?.(count);
  };
  for await (const records of options.records)
    for (const record of records) {
      for (const name of options.without ?? []) delete record.given[name];
      if (batch.push(record) === BATCH) await flush();
    }
  await flush();
  return count;
}

async function addBatch(
  staging: Staging,
  kind: ImportableResource,
  records: FileRecord[],
): Promise<void> {
  const names = records.map(({ given }) => given[kind.key]).filter((name) => isName(name));
  const existing = await staging.existing(names);
  await staging.add(
    records.map((record) => {
      const name = record.given[kind.key];
      return parseRow(kind, record, !(isName(name) && existing.has(name)));
    }),
  );
}
