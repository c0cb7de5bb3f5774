import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['categories', 'applications', 'views'];

/** Adds the texts of tiles, categories and views in further languages: `{"fr": {"title": "…"}}`, or null. */
export class TranslateTiles1795505000000 implements MigrationInterface {
  name = 'TranslateTiles1795505000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} ADD translations jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} DROP translations`);
  }
}
