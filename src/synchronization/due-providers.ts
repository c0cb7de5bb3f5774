import type { Reader } from '../database/database.js';

/** Minutes after which a nightly run that was interrupted is begun again. */
const AGAIN = 15;

/** A provider whose settings ask for a run now. */
export interface DueProvider {
  id: string;
  /** Whether everything is to be read. */
  isFull: boolean;
}

/**
 * The active providers that are due: by `nightlyAt` when no whole run has begun since that time of the day, by
 * `intervalMinutes` when no run has begun for so long. A change of the provider counts as a run, so that a new setting
 * does not start one at once.
 */
export const dueProviders = (reader: Reader, timeZone: string): Promise<DueProvider[]> =>
  reader.query<DueProvider>({
    text: `SELECT p.id::text, nightly.is_due OR coalesce((p.ldap ->> 'intervalFull')::boolean, false) AS "isFull"
      FROM providers p
      CROSS JOIN LATERAL (SELECT now() AT TIME ZONE $1 AS local, (p.ldap ->> 'nightlyAt')::time AS at) clock
      CROSS JOIN LATERAL (
        SELECT greatest(max(r.start_date), p.modification_date) AS latest,
          greatest(max(r.start_date) FILTER (WHERE r.is_full AND r.state <> 'interrupted'), p.modification_date) AS whole,
          max(r.start_date) FILTER (WHERE r.state = 'interrupted') AS interrupted
        FROM provider_runs r WHERE r.provider_id = p.id AND NOT r.dry_run) run
      CROSS JOIN LATERAL (
        SELECT (local::date - (local::time < at)::integer + at) AT TIME ZONE $1 AS since) night
      CROSS JOIN LATERAL (
        -- In the hour in which summer time begins or ends, that time may still come.
        SELECT coalesce(run.whole < night.since AND night.since <= now()
          AND coalesce(run.interrupted < now() - interval '${AGAIN} minutes', true), false) AS is_due
      ) nightly
      WHERE p.kind = 'ldap' AND p.active AND NOT p.dry_run AND p.ldap IS NOT NULL
        AND (nightly.is_due OR run.latest + make_interval(mins => (p.ldap ->> 'intervalMinutes')::integer) <= now())
      ORDER BY p.id`,
    values: [timeZone],
  });
