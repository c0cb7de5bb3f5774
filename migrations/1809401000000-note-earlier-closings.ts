import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inBatches } from './schema-helpers.js';

/** SQL of the service accounts of each source, and when they were. */
const ACCOUNTS = `
      WITH changes AS (
        SELECT s.id AS source_id, a.date, a.before->'serviceAccount'->>'id' AS former, a.after->'serviceAccount'->>'id' AS latter
        FROM sources s JOIN audit a ON a.object_uri = '/process/sources/' || s.id
      ), moments AS (
        SELECT source_id, date, former FROM changes WHERE former IS DISTINCT FROM latter
      ), accounts AS (
        SELECT source_id, former AS account, coalesce(lag(date) OVER (PARTITION BY source_id ORDER BY date), '-infinity') AS since, date AS until
        FROM moments
        UNION ALL
        SELECT s.id, s.service_account_id::text, coalesce((SELECT max(m.date) FROM moments m WHERE m.source_id = s.id), '-infinity'), 'infinity'
        FROM sources s
      )`;

/** The condition of the tasks that such an account closed. */
const CLOSED = `
        t.source_id = a.source_id AND t.closed_by_id::text = a.account AND t.status <> 'open'
        AND coalesce(t.completion_date, t.modification_date) >= a.since
        AND coalesce(t.completion_date, t.modification_date) < a.until
        AND t.closed_date IS NULL AND NOT t.closed_by_source`;

/**
 * Notes which tasks their sources closed before closings were noted: those that the service account of the time closed, as
 * far as the audit trail knows it (docs/decisions/0037).
 */
export class NoteEarlierClosings1809401000000 implements MigrationInterface {
  name = 'NoteEarlierClosings1809401000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inBatches(runner, 'tasks', async (batch) => {
      const [found] = (await runner.query(
        `${ACCOUNTS} SELECT EXISTS (SELECT FROM tasks t, accounts a WHERE ${CLOSED} AND ${batch}) AS found`,
      )) as { found: boolean }[];
      if (found?.found === false) return;
      // Nobody sees the mark: it is no event, and no change of the feed.
      await runner.query(`
        ALTER TABLE tasks DISABLE TRIGGER USER;
        ${ACCOUNTS} UPDATE tasks t SET closed_by_source = true FROM accounts a WHERE ${CLOSED} AND ${batch};
        ALTER TABLE tasks ENABLE TRIGGER USER`);
    });
  }

  /** What is known of a closing stays known. */
  async down(): Promise<void> {
    return Promise.resolve();
  }
}
