import type { Database, Transaction } from '../database/database.js';

/**
 * SQL of the deliveries of an endpoint that may leave now: they are due, and no earlier change of the same task still
 * waits. So the changes of a task leave in their order, one at a time, and those of other tasks do not wait for them.
 * A delivery that a worker has taken is due again when its lease has lapsed.
 * A subquery that is not made a join: it is asked once for each row that may leave, not for all that wait.
 * @param endpoint SQL of the endpoint's id
 */
export const dueSql = (endpoint: string): string => `
  d.endpoint_id = ${endpoint} AND d.status IN ('waiting', 'leased') AND d.next_attempt <= now()
  AND coalesce((
    SELECT false FROM deliveries e WHERE e.endpoint_id = d.endpoint_id AND e.task_id = d.task_id
      AND e.change_id < d.change_id AND e.status IN ('waiting', 'leased') LIMIT 1), true)`;

/**
 * SQL of whether no worker has another delivery of the same task: what is sent again may be older than
 * what a worker has.
 */
export const noneLeasedSql = `coalesce((
    SELECT false FROM deliveries e WHERE e.endpoint_id = d.endpoint_id AND e.task_id = d.task_id
      AND e.status IN ('waiting', 'leased') AND e.status = 'leased' LIMIT 1), true)`;

/** SQL of the moment since when a delivery waits: its change, or its last replay. */
export const waitingSince = (alias: string): string =>
  `coalesce(${alias}.replay_date, ${alias}.creation_date)`;

/** The columns of a `StoredDelivery`. */
export const deliveryColumns = (alias: string): string =>
  `${alias}.id::text, ${alias}.message_id AS "messageId", ${alias}.task_id::text AS "taskId", ${alias}.kind, ${alias}.revision,
    ${alias}.data, ${alias}.attempts, ${alias}.in_doubt AS "isInDoubt", ${alias}.retries, ${alias}.creation_date AS date`;

/**
 * Reads deliveries from their indexes, whatever the planner expects: after a burst its statistics speak of an empty table.
 */
export async function byIndex<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.rows({
      text: `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`,
      values: [],
    });
    return work(transaction);
  });
}
