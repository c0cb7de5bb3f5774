import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notes which tasks their sources closed before closings were noted: those that the service account closed, or one that
 * the audit trail knows as a former service account of the source (docs/decisions/0037).
 */
export class NoteEarlierClosings1809401000000 implements MigrationInterface {
  name = 'NoteEarlierClosings1809401000000';

  async up(runner: QueryRunner): Promise<void> {
    // Nobody sees the mark: it is no event, and no change of the feed.
    await runner.query('ALTER TABLE tasks DISABLE TRIGGER USER');
    await runner.query(`
      WITH accounts AS (
        SELECT id AS source_id, service_account_id::text AS account FROM sources
        UNION
        SELECT s.id, v.state->'serviceAccount'->>'id' FROM sources s
          JOIN audit a ON a.object_uri = '/process/sources/' || s.id CROSS JOIN LATERAL (VALUES (a.before), (a.after)) AS v (state)
      )
      UPDATE tasks t SET closed_by_source = true FROM accounts a
      WHERE t.source_id = a.source_id AND t.closed_by_id::text = a.account AND t.status <> 'open'
        AND t.closed_date IS NULL AND NOT t.closed_by_source`);
    await runner.query('ALTER TABLE tasks ENABLE TRIGGER USER');
  }

  /** What is known of a closing stays known. */
  async down(): Promise<void> {
    return Promise.resolve();
  }
}
