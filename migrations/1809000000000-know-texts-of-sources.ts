import type { MigrationInterface, QueryRunner } from 'typeorm';
import { analyze } from './schema-helpers.js';

/** Texts of tasks whose indexes leave out the tasks without a value. */
const COLUMNS = ['external_id', 'outcome'];

/**
 * Statistics of texts that only partial indexes have: PostgreSQL does not use those of such an index, and would expect
 * 5,000 tasks with any text (docs/decisions/0036).
 */
export class KnowTextsOfSources1809000000000 implements MigrationInterface {
  name = 'KnowTextsOfSources1809000000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS)
      await runner.query(
        `CREATE STATISTICS IF NOT EXISTS tasks_${column}_stats ON (fold(${column} COLLATE "C")) FROM tasks`,
      );
    await analyze(runner, 'tasks');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS)
      await runner.query(`DROP STATISTICS IF EXISTS tasks_${column}_stats`);
  }
}
