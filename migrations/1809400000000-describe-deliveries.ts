import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inBatches } from './schema-helpers.js';

/**
 * Keeps with a delivery whether its endpoint confirmed decisions when it was made: who switches that off must not leave
 * decisions pending for ever (docs/decisions/0043). Keeps also when a delivery was sent again by hand: it waits since then.
 */
export class DescribeDeliveries1809400000000 implements MigrationInterface {
  name = 'DescribeDeliveries1809400000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS replay_date timestamptz(3)',
    );
    // Of what was delivered, the endpoint as it is now says whether it confirms.
    await inBatches(runner, 'deliveries', async (batch) => {
      await runner.query(`
      UPDATE deliveries d SET data = d.data || '{"confirms": true}' FROM endpoints p
      WHERE d.id IN (SELECT id FROM deliveries WHERE ${batch}) AND p.id = d.endpoint_id AND (p.confirms OR p.adapter IS NOT NULL)
        AND d.status IN ('waiting', 'leased', 'failed') AND NOT d.data ? 'confirms'`);
    });
    // A decision that is pending although no endpoint confirms any more: nobody knows which one did when it was made.
    await runner.query(`
      UPDATE deliveries d SET data = d.data || '{"confirms": true}' FROM tasks t
      WHERE t.id = d.task_id AND t.confirmation = 'pending' AND d.data->'task'->>'decision' = t.decision::text
        AND d.status IN ('waiting', 'leased', 'failed')
        AND NOT EXISTS (SELECT FROM deliveries e WHERE e.task_id = t.id AND e.data->'task'->>'decision' = t.decision::text
          AND e.data ? 'confirms')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE deliveries SET data = data - 'confirms' WHERE data ? 'confirms'`);
    await runner.query('ALTER TABLE deliveries DROP COLUMN replay_date');
  }
}
