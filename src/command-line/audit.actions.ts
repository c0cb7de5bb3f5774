import { cellOfValue } from '../base/csv/cells.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { validateTimestamp } from '../resources/attributes/timestamps.js';
import { recordAudit } from '../security/audit.service.js';
import { csvHeader, csvLines } from '../transfer/csv.js';
import { formatOf, STANDARD, writeFile } from './files.js';
import { Misuse } from './output.js';
import { progress } from './progress.js';
import { commandLine, withTables } from './with-database.js';

/** Lines read together. */
const BATCH = 1_000;

/** The attributes of a line, named after those of `GET /api/v2/administration/audit` with the parts of a link apart, and their SQL. */
const COLUMNS = {
  id: 'id::text',
  creationDate: `to_char(date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  action: 'action',
  reason: 'reason',
  actorUri: 'actor_uri',
  actorLogin: 'actor_login',
  objectUri: 'object_uri',
  address: 'address',
  requestId: 'request_id',
  callerRequestId: 'caller_request_id',
  count: 'count',
  before: 'before',
  after: 'after',
};

interface AuditOptions {
  since?: string;
  until?: string;
  format?: string;
}

type Line = Record<keyof typeof COLUMNS, unknown>;

export async function exportAudit(path: string, options: AuditOptions): Promise<void> {
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
        if (format === 'csv') await write(csvHeader(Object.keys(COLUMNS)));
        let written = 0;
        for await (const lines of linesOf(session, options)) {
          await write(format === 'csv' ? csvOf(lines) : jsonLinesOf(lines));
          bar.update((written += lines.length));
        }
        return written;
      });
      const after = { rows: count };
      const objectUri = '/administration/audit';
      await recordAudit(session, commandLine(), { action: 'export', objectUri, after });
      return count;
    }),
  );
  bar.end(rows);
}

/** The lines of a time in batches, by the index of the date: no long transaction holds back the clean-up of tables. */
async function* linesOf(
  session: DedicatedConnection,
  { since = '-infinity', until = 'infinity' }: AuditOptions,
): AsyncGenerator<Line[]> {
  const selected = Object.entries(COLUMNS).map(([name, sql]) => `${sql} AS "${name}"`);
  let last = { date: since, id: '0' };
  for (;;) {
    const rows = await session.query<Line & { position: string; id: string }>({
      text: `SELECT ${selected.join(', ')}, date::text AS position FROM audit
        WHERE (audit.date, audit.id) > ($1::timestamptz, $2::bigint) AND date < $3::timestamptz
        ORDER BY audit.date, audit.id LIMIT ${BATCH}`,
      values: [last.date, last.id, until],
    });
    if (rows.length === 0) return;
    const { position, id } = rows.at(-1)!;
    last = { date: position, id };
    yield rows.map(({ position: _, ...line }) => line);
  }
}

const jsonLinesOf = (lines: Line[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

const csvOf = (lines: Line[]): string =>
  csvLines(lines.map((line) => Object.values(line).map(cellOfValue)));
