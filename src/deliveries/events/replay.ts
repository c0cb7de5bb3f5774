import { Bindings } from '../../database/bindings.js';
import type { Transaction } from '../../database/database.js';
import type { InvalidField } from '../../base/errors/api-errors.js';
import { toMilliseconds } from '../../resources/attributes/timestamps.js';
import { reason } from '../../base/errors/reason.js';
import { sqlViewer } from '../../resources/visibility.js';
import type { Viewer } from '../../security/caller.js';
import { readsTask } from './delivery.resource.js';

/** Most deliveries that one call sends again. */
export const MAX_REPLAYED = 1_000;

/** Selects the deliveries to send again: by id, or all that match the given conditions. */
export interface ReplayOrder {
  deliveries: string[] | null;
  /** Only those that have failed. */
  failed: true | null;
  /** Those of changes at this time or later. */
  from: string | null;
  /** Those of changes before this time. */
  to: string | null;
  /** This delivery and all after it. */
  fromDelivery: string | null;
}

/** What was sent again. */
export interface Replayed {
  count: number;
  /** The delivery at which the next call begins; null at the end. */
  next: string | null;
}

/** The contradictions between valid conditions. */
export function faultsOfReplay({ deliveries, ...range }: ReplayOrder): InvalidField[] {
  const { from, to } = range;
  const isRange = Object.values(range).some((part) => part !== null);
  const faults: InvalidField[] = [];
  if ((deliveries === null) !== isRange)
    faults.push({
      name: 'deliveries',
      reason: reason('deliveries-or-range'),
    });
  if (from !== null && to !== null && Date.parse(to) <= Date.parse(from))
    faults.push({ name: 'to', reason: reason('not-after', { other: 'from' }) });
  return faults;
}

/**
 * Makes delivered or failed deliveries wait again, of tasks that the viewer reads: the endpoint may have been one of other
 * applications, and may send to another place now. They leave in the order of their creation, because all are due at the
 * same time.
 */
export async function replayDeliveries(
  transaction: Transaction,
  viewer: Viewer,
  endpointId: string,
  { deliveries, failed, from, to, fromDelivery }: ReplayOrder,
): Promise<Replayed> {
  const { bind, values } = new Bindings();
  const conditions = [
    `endpoint_id = ${bind(endpointId)}`,
    failed ? "status = 'failed'" : "status IN ('delivered', 'failed')",
    ...(deliveries === null ? [] : [`id = ANY (${bind(deliveries)}::bigint[])`]),
    ...(fromDelivery === null ? [] : [`id >= ${bind(fromDelivery)}::bigint`]),
    ...(from === null ? [] : [`creation_date >= ${bind(toMilliseconds(from))}::timestamptz`]),
    ...(to === null ? [] : [`creation_date < ${bind(toMilliseconds(to))}::timestamptz`]),
    `(task_id IS NULL OR ${readsTask('task_id', sqlViewer(viewer, bind))})`,
  ];
  const [row] = await transaction.rows({
    text: `WITH chosen AS MATERIALIZED (
        SELECT id FROM deliveries WHERE ${conditions.join(' AND ')}
        ORDER BY id LIMIT ${MAX_REPLAYED + 1}
      ), replayed AS (
        UPDATE deliveries SET status = 'waiting', attempts = 0, retries = 10, next_attempt = now(), replay_date = now(),
          completion_date = NULL, worker = NULL
        WHERE id IN (SELECT id FROM chosen ORDER BY id LIMIT ${MAX_REPLAYED}) RETURNING id
      )
      SELECT (SELECT count(*)::integer FROM replayed), (SELECT id::text FROM chosen ORDER BY chosen.id OFFSET ${MAX_REPLAYED})`,
    values,
  });
  const [count, next] = row as [number, string | null];
  return { count, next };
}
