import type { Reader } from '../database/database.js';
import { Measurement } from './measurement.js';

/** How long a measurement stays valid, in milliseconds. */
const LIFETIME = 10_000;

/** How far a receiver of the audit trail is behind. */
export interface AuditStream {
  receiver: string;
  /** Age in seconds of the oldest line that it has not taken; 0 without one. */
  lag: number;
}

/** Measures the streams of the audit trail, each by one look into the index of ids. */
export const auditStreams = (database: Reader): Measurement<AuditStream[]> =>
  new Measurement(LIFETIME, () =>
    database.query<AuditStream>({
      text: `SELECT receiver, coalesce(extract(epoch FROM now() - (SELECT a.date FROM audit a WHERE a.id > s.position
          ORDER BY a.id LIMIT 1)), 0)::float8 AS lag FROM audit_streams s`,
      values: [],
    }),
  );
