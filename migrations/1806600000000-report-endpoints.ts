import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the audit trail has said about an endpoint, so that it does not say it with every message. */
export class ReportEndpoints1806600000000 implements MigrationInterface {
  name = 'ReportEndpoints1806600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE endpoint_health ADD COLUMN failing_since timestamptz(3),
        ADD COLUMN outage_reported boolean NOT NULL DEFAULT false, ADD COLUMN failure_reported timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE endpoint_health DROP COLUMN failing_since, DROP COLUMN outage_reported, DROP COLUMN failure_reported`);
  }
}
