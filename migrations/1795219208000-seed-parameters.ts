import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Admits the machine itself and nobody else. */
const LOOPBACK = '127.0.0.1, ::1';

/**
 * The two address rules. Their first values come from the environment (docs/configuration.md),
 * which whoever runs the migrations hands over as settings of the session; all other parameters
 * have their defaults in the server until somebody sets them.
 */
export class SeedParameters1795219208000 implements MigrationInterface {
  name = 'SeedParameters1795219208000';

  async up(runner: QueryRunner): Promise<void> {
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
  }
}
