import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['documents', 'faqs'];

/**
 * Gives the index of the beginnings of keywords the keywords, which have 500 characters at most: lists find many of them
 * without reading a row (docs/decisions/0036).
 */
export class IndexWholeKeywords1809404000000 implements MigrationInterface {
  name = 'IndexWholeKeywords1809404000000';

  up(runner: QueryRunner): Promise<void> {
    return this.recreate(runner, 'INCLUDE (keywords)');
  }

  down(runner: QueryRunner): Promise<void> {
    return this.recreate(runner, '');
  }

  private async recreate(runner: QueryRunner, include: string): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`DROP INDEX ${table}_keywords_prefix_idx`);
      await runner.query(
        `CREATE INDEX ${table}_keywords_prefix_idx ON ${table} (left(fold(keywords COLLATE "C"), 40), id) ${include}`,
      );
      // The planner knows nothing of an expression before it has statistics.
      await runner.query(`ANALYZE ${table}`);
    }
  }
}
