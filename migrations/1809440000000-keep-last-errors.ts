import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last attempt at an endpoint, while it is one that failed: date, status and message. */
export class KeepLastErrors1809440000000 implements MigrationInterface {
  name = 'KeepLastErrors1809440000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE endpoint_health ADD COLUMN last_error jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE endpoint_health DROP COLUMN last_error');
  }
}
