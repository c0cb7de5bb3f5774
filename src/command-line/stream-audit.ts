import { DedicatedConnection } from '../database/dedicated-connection.js';
import { recordAudit } from '../security/audit.service.js';
import { type Line, linesAfter, pause } from './audit-lines.js';
import { EXPORT, requireId } from './audit.actions.js';
import { receiverOf, type SendLines } from './audit-receivers.js';
import { STANDARD } from './files.js';
import { explain } from './output.js';
import { untilSignal } from './until-signal.js';
import { commandLine, withTables } from './with-database.js';

/** The first key of the advisory lock of a stream; the second is made of its receiver. */
const LOCK = 2_026_112_801;

/** The pause before the next attempt to get the lock or to reach the receiver, in milliseconds. */
const RETRY = 5_000;

/**
 * `audit stream`: sends the lines of the audit trail to a receiver until a signal. The database keeps how far it came, and
 * one process at a time sends to a receiver. A line that was sent just before the process was killed is sent again.
 */
export function streamAudit(receiver: string, { after = '0' }: { after?: string }): Promise<void> {
  const send = receiverOf(receiver);
  requireId(after);
  return withTables((config) =>
    DedicatedConnection.on(config, (session) =>
      untilSignal(async (signal) => {
        await lock(session, receiver, signal);
        if (signal.aborted) return;
        const position = await begin(session, receiver, after);
        for await (const lines of linesAfter(session, position, signal)) {
          if (!(await sendPersistently(send, lines, { receiver, signal }))) return;
          await session.run(
            'UPDATE audit_streams SET position = $2, date = now() WHERE receiver = $1',
            [receiver, lines.at(-1)!.id],
          );
        }
      }),
    ),
  );
}

async function lock(
  session: DedicatedConnection,
  receiver: string,
  signal: AbortSignal,
): Promise<void> {
  const statement = {
    text: 'SELECT pg_try_advisory_lock($1, hashtext($2))',
    values: [LOCK, receiver],
  };
  for (let waits = 0; !signal.aborted; waits++) {
    const [row] = await session.rows(statement);
    if (row![0] === true) return;
    if (waits === 0) report(receiver, 'another process sends to it; waiting');
    await pause(RETRY, signal);
  }
}

/** Where the stream goes on. The trail records the beginning of a new one. */
function begin(session: DedicatedConnection, receiver: string, after: string): Promise<string> {
  return session.transaction(async () => {
    const created = await session.run(
      'INSERT INTO audit_streams (receiver, position) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [receiver, after],
    );
    if (created > 0)
      await recordAudit(session, commandLine(), { ...EXPORT, after: { receiver, after } });
    const [row] = await session.rows({
      text: 'SELECT position::text FROM audit_streams WHERE receiver = $1',
      values: [receiver],
    });
    return { keep: true, result: String(row![0]) };
  });
}

/** Sends lines until the receiver takes them; false after the signal. Standard output that fails stays broken. */
async function sendPersistently(
  send: SendLines,
  lines: Line[],
  { receiver, signal }: { receiver: string; signal: AbortSignal },
): Promise<boolean> {
  for (let problem: string | undefined; !signal.aborted; await pause(RETRY, signal)) {
    try {
      await send(lines);
      if (problem !== undefined) report(receiver, 'takes lines again');
      return true;
    } catch (error) {
      if (receiver === STANDARD) throw error;
      if (explain(error) !== problem) report(receiver, (problem = explain(error)));
    }
  }
  return false;
}

const report = (receiver: string, message: string): void =>
  void process.stderr.write(`${receiver}: ${message}\n`);
