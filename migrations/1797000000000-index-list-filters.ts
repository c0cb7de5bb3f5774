import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The long texts of each table by which lists are filtered. */
const LONG_TEXTS: Record<string, string[]> = {
  users: ['description'],
  organizations: ['description'],
  groups: ['description'],
  tasks: ['description', 'link'],
  documents: ['description', 'keywords', 'download_url'],
  news: ['summary', 'body', 'description'],
  faqs: ['answer', 'keywords', 'description'],
  customers: ['description'],
};

/**
 * Indexes for filters that read whole tables (docs/decisions/0036). Those of long texts hold their first 40 characters,
 * because an entry may have 2,704 bytes only. The index of sign-ins is outside the table of users: a sign-in writes no
 * index of users.
 */
export class IndexListFilters1797000000000 implements MigrationInterface {
  name = 'IndexListFilters1797000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(LONG_TEXTS)) {
      for (const column of columns)
        await runner.query(
          `CREATE INDEX ${table}_${column}_prefix_idx ON ${table} (left(fold(${column} COLLATE "C"), 40), id)`,
        );
      // The planner knows nothing of an expression before it has statistics.
      await runner.query(`ANALYZE ${table}`);
    }
    await runner.query(
      'CREATE INDEX sign_ins_last_login_date_idx ON sign_ins (last_login_date, user_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX sign_ins_last_login_date_idx');
    for (const [table, columns] of Object.entries(LONG_TEXTS))
      for (const column of columns) await runner.query(`DROP INDEX ${table}_${column}_prefix_idx`);
  }
}
