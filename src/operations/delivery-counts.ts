import type { Reader } from '../database/database.js';
import { Measurement } from './measurement.js';

/** How long a measurement stays valid, in milliseconds. */
const LIFETIME = 10_000;

/** What is the same for all processes on one database. */
export interface DeliveryCounts {
  waiting: number;
  failed: number;
  /** Age in seconds of the oldest delivery that waits at an endpoint that is not paused. */
  oldest: number;
}

/** Counts deliveries in the indexes of those that are not done. */
export const deliveryCounts = (database: Reader): Measurement<DeliveryCounts> =>
  new Measurement(LIFETIME, async () => {
    const [row] = await database.rows({
      text: `SELECT count(*)::integer, (SELECT count(*)::integer FROM deliveries WHERE status = 'failed'),
          coalesce(extract(epoch FROM now() - min(d.creation_date) FILTER (WHERE p.status = 'active')), 0)::float8
        FROM deliveries d JOIN endpoints p ON p.id = d.endpoint_id WHERE d.status IN ('waiting', 'leased')`,
      values: [],
    });
    const [waiting, failed, oldest] = row as [number, number, number];
    return { waiting, failed, oldest };
  });
