import type { MigrationInterface, QueryRunner } from 'typeorm';
import { analyze, replaceIndex } from './schema-helpers.js';

const TABLES = ['documents', 'faqs'];

/**
 * Gives the index of the beginnings of keywords the keywords, which have 500 characters at most: lists find many of them
 * without reading a row (docs/decisions/0036).
 */
export class IndexWholeKeywords1809404000000 implements MigrationInterface {
  name = 'IndexWholeKeywords1809404000000';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return this.recreate(runner, 'INCLUDE (keywords)');
  }

  down(runner: QueryRunner): Promise<void> {
    return this.recreate(runner, '');
  }

  private async recreate(runner: QueryRunner, include: string): Promise<void> {
    for (const table of TABLES) {
      await replaceIndex(runner, {
        name: `${table}_keywords_prefix_idx`,
        on: `${table} (left(fold(keywords COLLATE "C"), 40), id) ${include}`,
      });
      await analyze(runner, table);
    }
  }
}
