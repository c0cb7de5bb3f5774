import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Texts of tasks whose indexes leave out the tasks without a value. */
const COLUMNS = ['external_id', 'outcome'];

/** SQL of the text as lists compare it. */
const folded = (column: string): string => `fold(${column} COLLATE "C")`;

/**
 * Statistics of texts that only partial indexes have: PostgreSQL does not use those of such an index, and would expect
 * 5,000 tasks with any text (docs/decisions/0036). These indexes also find the tasks that have a value, without folding
 * it.
 */
export class KnowTextsOfSources1809000000000 implements MigrationInterface {
  name = 'KnowTextsOfSources1809000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) {
      await this.index(runner, column, column);
      await runner.query(
        `CREATE STATISTICS tasks_${column}_stats ON (${folded(column)}) FROM tasks`,
      );
    }
    await runner.query('ANALYZE tasks');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) {
      await runner.query(`DROP STATISTICS tasks_${column}_stats`);
      await this.index(runner, column, folded(column));
    }
  }

  private async index(runner: QueryRunner, column: string, value: string): Promise<void> {
    await runner.query(`DROP INDEX tasks_${column}_idx`);
    await runner.query(
      `CREATE INDEX tasks_${column}_idx ON tasks (${folded(column)}) WHERE ${value} IS NOT NULL`,
    );
  }
}
