import { setTimeout } from 'node:timers/promises';
import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { CommandError } from './output.js';

/** Lines read together. */
const BATCH = 1_000;

/** The pause before the next look for new lines, in milliseconds. */
const INTERVAL = 1_000;

/** The pause before the next look whether older transactions have ended, in milliseconds. */
const SETTLING_INTERVAL = 100;

/** The attributes of a line, named after those of `GET /api/v2/administration/audit` with the parts of a link apart, and their SQL. */
const COLUMNS = {
  id: 'id::text',
  creationDate: `to_char(date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  action: 'action',
  reason: 'reason',
  actorUri: 'actor_uri',
  actorLogin: 'actor_login',
  agentUri: 'agent_uri',
  agentLogin: 'agent_login',
  objectUri: 'object_uri',
  address: 'address',
  requestId: 'request_id',
  callerRequestId: 'caller_request_id',
  count: 'count',
  before: 'before',
  after: 'after',
};

export const LINE_ATTRIBUTES = Object.keys(COLUMNS);

const SELECTED = Object.entries(COLUMNS)
  .map(([name, sql]) => `${sql} AS "${name}"`)
  .join(', ');

/** A line of the audit trail as programs get it. */
export type Line = Record<keyof typeof COLUMNS, unknown> & {
  id: string;
  creationDate: string;
  action: string;
};

/** Lines as JSON, one a row. */
export const jsonLinesOf = (lines: Line[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** The lines of a time in batches, by the index of the date: no long transaction holds back the clean-up of tables. */
export async function* linesOf(
  session: DedicatedConnection,
  { since = '-infinity', until = 'infinity' }: { since?: string; until?: string },
): AsyncGenerator<Line[]> {
  let last = { date: since, id: '0' };
  for (;;) {
    const rows = await session.query<Line & { position: string }>({
      text: `SELECT ${SELECTED}, date::text AS position FROM audit
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

/**
 * The lines after an id, also those that are yet to come, in batches and in the order of their ids, until the signal. A line
 * is yielded once no line with a lower id can appear any more (docs/decisions/0051).
 * @throws CommandError when the trail ends before this id
 */
export async function* linesAfter(
  session: DedicatedConnection,
  after: string,
  signal: AbortSignal,
): AsyncGenerator<Line[]> {
  let end = await lastId(session);
  if (BigInt(after) > BigInt(end))
    throw new CommandError(`the audit trail ends with the id ${end}, before ${after}`);
  for (let last = after; !signal.aborted; end = await lastId(session)) {
    if (end === last) {
      await pause(INTERVAL, signal);
      continue;
    }
    await untilSettled(session, signal);
    for (;;) {
      if (signal.aborted) return;
      const rows = await session.query<Line>({
        text: `SELECT ${SELECTED} FROM audit WHERE audit.id > $1 AND audit.id <= $2 ORDER BY audit.id LIMIT ${BATCH}`,
        values: [last, end],
      });
      if (rows.length === 0) break;
      yield rows;
      last = rows.at(-1)!.id;
    }
    last = end;
  }
}

/** The highest id that was drawn, by a transaction that may still be open or was rolled back. */
async function lastId(session: DedicatedConnection): Promise<string> {
  const [row] = await session.rows({
    text: `SELECT coalesce(pg_sequence_last_value('audit_id_seq'), 0)::text`,
    values: [],
  });
  return String(row![0]);
}

/**
 * Waits until every transaction has ended that may have drawn an id so far. A transaction has its own id before it draws one
 * for a line, so that each of them has a lower one than this transaction.
 */
async function untilSettled(session: DedicatedConnection, signal: AbortSignal): Promise<void> {
  const [own] = await session.rows({ text: 'SELECT pg_current_xact_id()::text', values: [] });
  while (!signal.aborted) {
    const [row] = await session.rows({
      text: 'SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::text::xid8',
      values: own!,
    });
    if (row![0] === true) return;
    await pause(SETTLING_INTERVAL, signal);
  }
}

/** Waits for a time or for the signal. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
