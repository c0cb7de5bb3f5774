import type { Config } from '../base/config/config.js';
import type { Attribute } from '../resources/attributes/attribute.js';
import { type AuditContext, recordAudit } from '../security/audit.service.js';
import { cellOfValue } from '../base/csv/cells.js';
import { csvHeader, csvLines } from './csv.js';
import { sqlOf, transferred, valueOfColumn } from './fields.js';
import { connectImportable, type ImportableResource } from './importable-resources.js';
import type { Format } from './records.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';

/** Rows fetched together. */
const BATCH = 1_000;

export interface ExportOptions {
  kind: ImportableResource;
  format: Format;
  auditContext: AuditContext;
  /** Writes a piece of the file; the next piece waits for it. */
  write: (text: string) => Promise<void>;
  /** Called with the number of rows written. */
  progress?: (rows: number) => void;
}

/**
 * Writes all rows of a resource, from one snapshot, in the format that an import reads. Passwords, keys and
 * sessions are never exported.
 * @returns the number of rows
 */
export function exportFile(config: Config, options: ExportOptions): Promise<number> {
  const { kind, auditContext } = options;
  connectImportable();
  return DedicatedConnection.on(config, async (session) => {
    const rows = await session.transaction(
      async () => ({ keep: true, result: await writeRows(session, options) }),
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
    );
    const objectUri = kind.resource.ref.uri;
    await recordAudit(session, auditContext, { action: 'export', objectUri, after: { rows } });
    return rows;
  });
}

async function writeRows(session: DedicatedConnection, options: ExportOptions): Promise<number> {
  const { kind, format, write, progress } = options;
  const attributes = transferred(kind);
  const columns = attributes.map((attribute) => sqlOf(attribute, 't'));
  await session.run(
    `DECLARE exported CURSOR FOR SELECT ${columns.join(', ')} FROM ${kind.resource.ref.table} t
     ${kind.hidden === undefined ? '' : `WHERE NOT ${kind.hidden}`} ORDER BY t.id`,
  );
  if (format === 'csv') await write(csvHeader(attributes.map(({ name }) => name)));
  for (let count = 0; ;) {
    const rows = await session.rows({ text: `FETCH ${BATCH} FROM exported`, values: [] });
    if (rows.length === 0) return count;
    const records = rows.map((row) =>
      attributes.map((attribute, at) => valueOfColumn(attribute, row, at)),
    );
    await write(format === 'csv' ? csvOf(records) : jsonLinesOf(attributes, records));
    count += rows.length;
    progress?.(count);
  }
}

const csvOf = (records: unknown[][]): string =>
  csvLines(records.map((values) => values.map(cellOfValue)));

const jsonLinesOf = (attributes: Attribute[], records: unknown[][]): string =>
  records
    .map((values) => Object.fromEntries(attributes.map(({ name }, at) => [name, values[at]])))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');
