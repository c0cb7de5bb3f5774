import type { Transaction } from '../../database/database.js';
import { type AuditAction, recordAudit } from '../../security/audit.service.js';
import { FAILURES_OF_SLOW } from './retry-schedule.js';

/**
 * Lines of the audit trail about an endpoint that does not work. The trail gets at most one an hour about failed
 * deliveries and one per outage, so that no receiver and no worker can flood it. The deliveries hold the details.
 */

/** How long a receiver is unavailable until the trail gets a line. */
const LONG = "interval '1 hour'";

/** Time between two lines about failed deliveries. */
const QUIET = "interval '1 hour'";

/** Reports deliveries that have failed for good. Call it after their failure is stored. */
export async function reportFailed(transaction: Transaction, endpointId: string): Promise<void> {
  // The locks are in the order in which the deletion of the endpoint takes them.
  const [row] = await transaction.query<{ failed: number }>({
    text: `INSERT INTO endpoint_health AS h (endpoint_id, failure_reported)
        SELECT id, now() FROM endpoints WHERE id = $1 FOR KEY SHARE
      ON CONFLICT (endpoint_id) DO UPDATE SET failure_reported = now()
        WHERE h.failure_reported IS NULL OR h.failure_reported <= now() - ${QUIET}
      RETURNING (SELECT count(*)::integer FROM deliveries WHERE endpoint_id = $1 AND status = 'failed') AS failed`,
    values: [endpointId],
  });
  if (row) await record(transaction, endpointId, 'fail-delivery', { failed: row.failed });
}

/** Reports a push that failed by the receiver's fault. Call it after the failure is stored. */
export async function reportOutage(transaction: Transaction, endpointId: string): Promise<void> {
  const [row] = await transaction.query<{ since: string }>({
    text: `UPDATE endpoint_health SET outage_reported = true
      WHERE endpoint_id = $1 AND NOT outage_reported AND failures >= ${FAILURES_OF_SLOW} AND failing_since <= now() - ${LONG}
      RETURNING failing_since AS since`,
    values: [endpointId],
  });
  if (row) await record(transaction, endpointId, 'block-endpoint', { unavailableSince: row.since });
}

const record = (
  transaction: Transaction,
  endpointId: string,
  action: AuditAction,
  after: object,
): Promise<void> =>
  recordAudit(
    transaction,
    { actor: 'event delivery' },
    { action, objectUri: `/process/endpoints/${endpointId}`, after },
  );
