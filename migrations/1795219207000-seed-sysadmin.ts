import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The one system administrator account. Its first password is set by the first start. */
export class SeedSysadmin1795219207000 implements MigrationInterface {
  name = 'SeedSysadmin1795219207000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      INSERT INTO users (login, last_name, title, status, administrator, sysadmin)
      VALUES ('sysadmin', 'System administrator', 'System administrator', 1, true, true)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM users WHERE sysadmin');
  }
}
