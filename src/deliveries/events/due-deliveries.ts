import type { Database, Transaction } from '../../database/database.js';

/**
 * SQL of the deliveries of an endpoint that may leave now: they are due, and no earlier change of the same task still
 * waits. So the changes of a task leave in order, one at a time, without delaying those of other tasks. A leased
 * delivery is due again when its lease has lapsed. The subquery must not become a join: it runs once for each row that
 * may leave, not for all that wait.
 * @param endpoint SQL of the endpoint's id
 */
export const dueSql = (endpoint: string): string => `
  d.endpoint_id = ${endpoint} AND d.status IN ('waiting', 'leased') AND d.next_attempt <= now()
  AND coalesce((
    SELECT false FROM deliveries e WHERE e.endpoint_id = d.endpoint_id AND e.task_id = d.task_id
      AND e.change_id < d.change_id AND e.status IN ('waiting', 'leased') LIMIT 1), true)`;

/**
 * SQL of whether no worker holds another delivery of the same task. A replayed delivery may be older than one that a
 * worker holds.
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

/** Forces index scans of deliveries: after a burst, the statistics still describe an empty table. */
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
