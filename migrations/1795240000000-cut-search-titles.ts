import type { MigrationInterface, QueryRunner } from 'typeorm';
import { cutSearchTitle, uncutSearchTitle } from './table-parts.js';

const TITLES = {
  users: 'title',
  documents: 'title',
  news: 'title',
  faqs: 'question',
  customers: 'name',
};

/**
 * The order of a search goes by at most 736 bytes of the folded title, then by the id, so that the
 * place of a record fits into a marker of 1 KiB. Some characters fold to eighteen others: the markers
 * of such titles grew beyond what a request can carry. A marker that held a part of the title alone
 * would lose its place as soon as the record it names was deleted.
 */
export class CutSearchTitles1795240000000 implements MigrationInterface {
  name = 'CutSearchTitles1795240000000';

  async up(runner: QueryRunner): Promise<void> {
    // 184 characters have at most 736 bytes (src/search/cursor.ts).
    await runner.query(`
      CREATE FUNCTION cut_title(folded text) RETURNS text
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT CASE WHEN octet_length(folded) <= 736 THEN folded ELSE left(folded, 184) END
      $$`);
    for (const [table, title] of Object.entries(TITLES)) await cutSearchTitle(runner, table, title);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, title] of Object.entries(TITLES))
      await uncutSearchTitle(runner, table, title);
    await runner.query('DROP FUNCTION cut_title(text)');
  }
}
