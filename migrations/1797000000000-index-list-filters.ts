import type { MigrationInterface, QueryRunner } from 'typeorm';
import { analyze, createIndex, dropIndex } from './schema-helpers.js';

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
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(LONG_TEXTS)) {
      for (const column of columns)
        await createIndex(runner, {
          name: `${table}_${column}_prefix_idx`,
          on: `${table} (left(fold(${column} COLLATE "C"), 40), id)`,
        });
      await analyze(runner, table);
    }
    await createIndex(runner, {
      name: 'sign_ins_last_login_date_idx',
      on: 'sign_ins (last_login_date, user_id)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'sign_ins_last_login_date_idx');
    for (const [table, columns] of Object.entries(LONG_TEXTS))
      for (const column of columns) await dropIndex(runner, `${table}_${column}_prefix_idx`);
  }
}
