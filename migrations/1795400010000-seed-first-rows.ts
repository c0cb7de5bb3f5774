import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Admits only this host. */
const LOOPBACK = '127.0.0.1, ::1';

/**
 * Creates the system administrator account, whose first password the first start sets, and the two address
 * parameters. Their initial values come from the environment (docs/api-contract.md#addresses), which the
 * migration runner passes as session settings. All other parameters have the server's defaults until an
 * administrator sets them.
 */
export class SeedFirstRows1795400010000 implements MigrationInterface {
  name = 'SeedFirstRows1795400010000';

  async up(runner: QueryRunner): Promise<void> {
    // Triggers come after the migrations, so the columns of the search get their values here.
    await runner.query(`
      INSERT INTO users (login, last_name, title, status, administrator, sysadmin, quick_search, search_title)
      SELECT 'sysadmin', title, title, 1, true, true, fold(concat_ws(' ', 'sysadmin', title, title)), cut_title(fold(title))
      FROM (VALUES ('System administrator')) AS named (title)`);
    await runner.query(
      `INSERT INTO parameters (key, value) VALUES
        ('security.ExternalAuthenticationAction.allowedAddresses',
         coalesce(nullif(current_setting('platform.allowed_addresses', true), ''), '${LOOPBACK}')),
        ('security.Authentication.allowedAddresses.sysadmin',
         coalesce(nullif(current_setting('platform.sysadmin_allowed_addresses', true), ''), '${LOOPBACK}'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM parameters WHERE key LIKE 'security.%allowedAddresses%'`);
    await runner.query('DELETE FROM users WHERE sysadmin');
  }
}
