import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sortIndexes } from './table-parts.js';

/**
 * The id that a caller sent stands beside the server's own: as the id of the line itself, it could
 * imitate the lines of another request.
 */
export class AddCallerRequestId1795300100000 implements MigrationInterface {
  name = 'AddCallerRequestId1795300100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit ADD caller_request_id text');
    await sortIndexes(runner, 'audit', { texts: ['caller_request_id'] });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit DROP caller_request_id');
  }
}
