import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inBatches } from './schema-helpers.js';

/** Whether the engine may have a decision without the server knowing, which outlives failure and replay (docs/decisions/0043). */
export class DoubtDeliveries1809200000000 implements MigrationInterface {
  name = 'DoubtDeliveries1809200000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS in_doubt boolean NOT NULL DEFAULT false',
    );
    await inBatches(runner, 'deliveries', async (batch) => {
      await runner.query(`
      UPDATE deliveries d SET in_doubt = true FROM endpoints p
      WHERE d.id IN (SELECT id FROM deliveries WHERE ${batch}) AND p.id = d.endpoint_id AND p.adapter IS NOT NULL AND d.task_id IS NOT NULL
        AND d.status IN ('waiting', 'failed') AND d.attempts > 0 AND NOT d.in_doubt`);
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deliveries DROP COLUMN in_doubt');
  }
}
