import { cellOfValue } from '../base/csv/cells.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { validateTimestamp } from '../resources/attributes/timestamps.js';
import { recordAudit } from '../security/audit.service.js';
import { csvHeader, csvLines } from '../transfer/csv.js';
import { jsonLinesOf, type Line, LINE_ATTRIBUTES, linesAfter, linesOf } from './audit-lines.js';
import { formatOf, STANDARD, writeFile } from './files.js';
import { isId } from '../resources/uri.js';
import { Misuse } from './output.js';
import { progress } from './progress.js';
import { untilSignal } from './until-signal.js';
import { commandLine, withTables } from './with-database.js';

interface AuditOptions {
  since?: string;
  until?: string;
  format?: string;
  follow?: boolean;
  after?: string;
}

/** `audit export` */
export async function exportAudit(path: string, options: AuditOptions): Promise<void> {
  if (options.follow) return followAudit(path, options);
  if (options.after !== undefined) throw new Misuse('--after needs --follow');
  const { since, until } = options;
  for (const [name, value] of Object.entries({ since, until })) {
    const fault = value === undefined ? undefined : validateTimestamp(value);
    if (fault) throw new Misuse(`--${name} ${fault.message}`);
  }
  const format = formatOf(path, options.format ?? (path === STANDARD ? 'jsonl' : undefined));
  const bar = progress('exporting audit');
  const rows = await withTables((config) =>
    DedicatedConnection.on(config, async (session) => {
      const count = await writeFile(path, async (write) => {
        if (format === 'csv') await write(csvHeader(LINE_ATTRIBUTES));
        let written = 0;
        for await (const lines of linesOf(session, options)) {
          await write(format === 'csv' ? csvOf(lines) : jsonLinesOf(lines));
          bar.update((written += lines.length));
        }
        return written;
      });
      await recordAudit(session, commandLine(), { ...EXPORT, after: { rows: count } });
      return count;
    }),
  );
  bar.end(rows);
}

/** What the trail says about its own export. */
export const EXPORT = { action: 'export', objectUri: '/administration/audit' } as const;

/** Writes the lines after an id to standard output until a signal. */
function followAudit(path: string, { after = '0', ...options }: AuditOptions): Promise<void> {
  if (path !== STANDARD || options.since || options.until || options.format)
    throw new Misuse('--follow writes JSON lines to standard output, from --after on');
  requireId(after);
  return withTables((config) =>
    DedicatedConnection.on(config, (session) =>
      untilSignal(async (signal) => {
        await recordAudit(session, commandLine(), { ...EXPORT, after: { after } });
        for await (const lines of linesAfter(session, after, signal))
          await writeFile(STANDARD, (write) => write(jsonLinesOf(lines)));
      }),
    ),
  );
}

/** @throws Misuse */
export function requireId(after: string): void {
  if (after !== '0' && !isId(after)) throw new Misuse('--after must be the id of a line, or 0');
}

const csvOf = (lines: Line[]): string =>
  csvLines(lines.map((line) => Object.values(line).map(cellOfValue)));
