import type { MigrationInterface, QueryRunner } from 'typeorm';
import { recordObjects } from './1796000000000-create-changes.js';

/**
 * What plain SQL changes reaches memory as what the API changes: sources, whose attributes filters of views compare
 * with, and the ends of sessions.
 */
export class AnnounceBySql1799500000000 implements MigrationInterface {
  name = 'AnnounceBySql1799500000000';

  async up(runner: QueryRunner): Promise<void> {
    await recordObjects(runner, 'sources', []);
    await runner.query(`
      CREATE TRIGGER tokens_announce_change AFTER UPDATE OF expiration, user_id, hash ON tokens
        FOR EACH ROW EXECUTE FUNCTION announce_token_revocation()`);
    await runner.query(`
      CREATE TRIGGER api_keys_announce_addresses AFTER UPDATE OF addresses ON api_keys
        FOR EACH ROW EXECUTE FUNCTION announce_token_revocation()`);
    await runner.query(`
      CREATE FUNCTION announce_all_callers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('callers', '');
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER tokens_announce_truncation AFTER TRUNCATE ON tokens
        FOR EACH STATEMENT EXECUTE FUNCTION announce_all_callers()`);
    await runner.query(`
      CREATE TRIGGER parameters_announce_truncation AFTER TRUNCATE ON parameters
        FOR EACH STATEMENT EXECUTE FUNCTION announce_parameters()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER parameters_announce_truncation ON parameters');
    await runner.query('DROP FUNCTION announce_all_callers() CASCADE');
    await runner.query('DROP TRIGGER api_keys_announce_addresses ON api_keys');
    await runner.query('DROP TRIGGER tokens_announce_change ON tokens');
    await runner.query('DROP FUNCTION record_sources() CASCADE');
  }
}
