import type { Database } from '../database/database.js';
import { changesBehind } from '../deliveries/events/dispatch.js';
import { byIndex } from '../deliveries/events/due-deliveries.js';
import { type Backlog, readBacklogs } from '../deliveries/endpoints/endpoint-backlogs.js';
import { Measurement } from './measurement.js';

/** How long a measurement stays valid, in milliseconds. */
const LIFETIME = 10_000;

/** The figures that are the same for all processes on one database. */
export interface DeliveryCounts {
  waiting: number;
  failed: number;
  /** Age in seconds of the oldest waiting delivery of an endpoint that is not paused. */
  oldest: number;
  /** Changes of tasks that have not become deliveries yet. */
  behind: number;
  /** The figures of each endpoint; of many endpoints, only the worst. */
  backlogs: Backlog[];
}

/** Counts deliveries in the indexes of unfinished ones. */
export const deliveryCounts = (database: Database): Measurement<DeliveryCounts> =>
  new Measurement(LIFETIME, async () => {
    const behind = await byIndex(database, changesBehind);
    const backlogs = await readBacklogs(database);
    const { allWaiting = 0, allFailed = 0, oldestAge = 0 } = backlogs[0] ?? {};
    return { waiting: allWaiting, failed: allFailed, oldest: oldestAge, behind, backlogs };
  });
