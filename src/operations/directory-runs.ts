import type { Reader } from '../database/database.js';
import { Measurement } from './measurement.js';

/** How long a measurement stays valid, in milliseconds. */
const LIFETIME = 10_000;

/** How the runs of an LDAP provider go. */
export interface DirectoryRuns {
  provider: string;
  /** Seconds since the last run that was done began, since the last change of the provider before the first. */
  age: number;
  /** 1 where the last run has failed, or was interrupted; else 0. */
  failed: number;
  /** 1 where the brake ended it; else 0. */
  braked: number;
}

/** Measures the active LDAP providers whose runs the server starts itself. */
export const directoryRuns = (database: Reader): Measurement<DirectoryRuns[]> =>
  new Measurement(LIFETIME, () =>
    database.query<DirectoryRuns>({
      text: `SELECT p.reference AS provider, coalesce(last.brake, false)::int AS braked,
          coalesce(last.state IN ('failed', 'interrupted'), false)::int AS failed,
          extract(epoch FROM now() - coalesce(
            (SELECT max(r.start_date) FROM provider_runs r WHERE r.provider_id = p.id AND NOT r.dry_run AND r.state = 'done'),
            p.modification_date))::float8 AS age
        FROM providers p LEFT JOIN LATERAL (
          SELECT r.state, r.brake FROM provider_runs r
          WHERE r.provider_id = p.id AND NOT r.dry_run AND r.state <> 'running' ORDER BY r.id DESC LIMIT 1) last ON true
        WHERE p.kind = 'ldap' AND p.active AND NOT p.dry_run
          AND (p.ldap ->> 'nightlyAt' IS NOT NULL OR p.ldap ->> 'intervalMinutes' IS NOT NULL)`,
      values: [],
    }),
  );
