import type { Reader } from '../../database/database.js';
import { presentRef, type Ref } from '../../resources/ref.js';
import { type Attempt, presentAttempt, type StoredAttempt } from '../events/attempts.js';
import { waitingSince } from '../events/due-deliveries.js';
import { MAX_ATTEMPTS } from '../events/retry-schedule.js';

/** Most endpoints in one reading: those with the oldest waiting deliveries and the most failed ones. */
export const MAX_BACKLOGS = 100;

/** Share of used attempts, in percent, from which on an endpoint is an alert. */
const ALARMING = 50;

/** How long a delivery waits until its endpoint is an alert, in seconds. */
const LONG = 3_600;

/** The deliveries that an endpoint has not taken. */
export interface Backlog {
  id: string;
  reference: string;
  label: string;
  waiting: number;
  failed: number;
  /** Since when the oldest delivery waits; null without one. */
  oldestWaitingDate: string | null;
  /** Its age in seconds; 0 while the endpoint is paused. */
  age: number;
  /** Most attempts that a waiting delivery has used, in percent; 0 while the endpoint is paused. */
  attemptsUsed: number;
  /** The last attempt of a push, when it failed; null while the endpoint is paused. */
  lastError: StoredAttempt | null;
  /** The sums over all endpoints. */
  allWaiting: number;
  allFailed: number;
  oldestAge: number;
}

/** An endpoint that needs an administrator's attention. */
export interface EndpointAlert {
  endpoint: Ref;
  failed: number;
  waiting: number;
  oldestWaitingDate: string | null;
  attemptsUsed: number;
  lastError: Attempt | null;
}

/** Reads the backlogs of endpoints, the worst first, from the indexes of unfinished deliveries. */
export const readBacklogs = (reader: Reader): Promise<Backlog[]> =>
  reader.query<Backlog>({ text: BACKLOGS, values: [] });

/** The endpoints that need an administrator's attention, the worst first (docs/api-contract.md#alerts). */
export async function readAlerts(reader: Reader): Promise<EndpointAlert[]> {
  const backlogs = await reader.query<Backlog>({
    text: `SELECT * FROM (${BACKLOGS}) AS b WHERE failed > 0 OR "lastError" IS NOT NULL OR "attemptsUsed" >= $1 OR age >= $2
      ORDER BY failed > 0 DESC, "lastError" IS NOT NULL DESC, "attemptsUsed" DESC, age DESC, id`,
    values: [ALARMING, LONG],
  });
  return backlogs.map(({ id, reference, label, ...backlog }) => ({
    endpoint: presentRef({ uri: '/process/endpoints' }, id, reference, label),
    failed: backlog.failed,
    waiting: backlog.waiting,
    oldestWaitingDate: backlog.oldestWaitingDate,
    attemptsUsed: backlog.attemptsUsed,
    lastError: backlog.lastError && presentAttempt(backlog.lastError),
  }));
}

/** A push uses attempts, a worker retries. */
const BACKLOGS = `
  SELECT *, (sum(waiting) OVER ())::integer AS "allWaiting", (sum(failed) OVER ())::integer AS "allFailed",
    max(age) OVER () AS "oldestAge"
  FROM (
    SELECT p.id::text, p.reference, p.label, coalesce(w.count, 0) AS waiting, coalesce(f.count, 0) AS failed,
      w.oldest AS "oldestWaitingDate",
      CASE WHEN p.status = 'active' THEN coalesce(extract(epoch FROM now() - w.oldest), 0) ELSE 0 END::float8 AS age,
      CASE WHEN p.status = 'active'
        THEN 100 * greatest(0, CASE p.mode WHEN 'push' THEN w.attempts ELSE ${MAX_ATTEMPTS} - w.retries END) / ${MAX_ATTEMPTS}
        ELSE 0 END AS "attemptsUsed",
      CASE WHEN p.status = 'active' THEN h.last_error END AS "lastError"
    FROM endpoints p LEFT JOIN endpoint_health h ON h.endpoint_id = p.id LEFT JOIN (
      SELECT endpoint_id, count(*)::integer, min(${waitingSince('d')}) AS oldest, max(attempts) AS attempts, min(retries) AS retries
      FROM deliveries d WHERE status IN ('waiting', 'leased') GROUP BY endpoint_id
    ) AS w ON w.endpoint_id = p.id LEFT JOIN (
      SELECT endpoint_id, count(*)::integer FROM deliveries WHERE status = 'failed' GROUP BY endpoint_id
    ) AS f ON f.endpoint_id = p.id
  ) AS backlogs ORDER BY age DESC, failed DESC, id LIMIT ${MAX_BACKLOGS}`;
