import type { Transaction } from '../../database/database.js';
import { PARAMETERS } from '../../security/parameters/parameter-definitions.js';

/** SQL of the delay of decisions in seconds (docs/decisions/0040). */
export const UNDO_WINDOW = `coalesce((SELECT value::integer FROM parameters WHERE key = '${PARAMETERS.undoWindow.key}'), ${PARAMETERS.undoWindow.defaultValue})`;

/**
 * SQL of when an event may leave. Decisions of people wait for the window; those of engines do not.
 * @param seconds SQL of the window
 * @param event alias of the event
 * @param closer alias of the user who closed the task
 */
export const leavesAt = (seconds: string, event: string, closer: string): string =>
  `CASE WHEN ${seconds} > 0 AND ${event}.kind = 'task.decided' AND NOT ${closer}.process_engine
    THEN ${event}.date + make_interval(secs => ${seconds}) ELSE now() END`;

/**
 * Least time that a decision must still wait when it is withdrawn, in seconds. The sender reads without a lock, so
 * without this margin it could send a decision that this transaction is withdrawing.
 */
const MARGIN = 2;

const WITHDRAW = `
  WITH undone AS (
    DELETE FROM deliveries d USING unnest($1::bigint[], $2::bigint[]) AS e (task_id, change_id)
    WHERE d.task_id = e.task_id AND d.change_id < e.change_id AND d.kind = 'task.decided'
      AND d.status = 'waiting' AND d.attempts = 0
      AND d.next_attempt > clock_timestamp() + make_interval(secs => ${MARGIN})
      AND NOT EXISTS (
        SELECT FROM deliveries b WHERE b.endpoint_id = d.endpoint_id AND b.task_id = d.task_id
          AND b.change_id > d.change_id AND b.change_id < e.change_id)
    RETURNING d.endpoint_id, e.task_id, e.change_id
  )
  DELETE FROM deliveries r USING undone u
  WHERE r.endpoint_id = u.endpoint_id AND r.task_id = u.task_id AND r.change_id = u.change_id`;

/**
 * Withdraws waiting decisions together with the event that reopens the task.
 * @param reopened the ids of the reopened tasks, and of these changes
 */
export async function withdrawDecisions(
  transaction: Transaction,
  reopened: [taskId: string, changeId: string][],
): Promise<void> {
  await transaction.execute({
    text: WITHDRAW,
    values: [reopened.map(([taskId]) => taskId), reopened.map(([, changeId]) => changeId)],
  });
}
