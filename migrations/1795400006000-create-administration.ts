import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sortIndexes } from './schema-helpers.js';

/** Creates server parameters, the audit trail, and the record of an organization's own seeds. */
export class CreateAdministration1795400006000 implements MigrationInterface {
  name = 'CreateAdministration1795400006000';

  async up(runner: QueryRunner): Promise<void> {
    // Keys are stored without "com.<vendor>.": the vendor segment comes from the environment.
    await runner.query(`
      CREATE TABLE parameters (
        key text PRIMARY KEY,
        value text NOT NULL,
        modification_date timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE FUNCTION announce_parameters() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('parameters', '');
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER parameters_announce AFTER INSERT OR UPDATE OR DELETE ON parameters
        FOR EACH STATEMENT EXECUTE FUNCTION announce_parameters()`);
    // The actor and the object are text: the trail outlives them.
    await runner.query(`
      CREATE TABLE audit (
        id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        date timestamptz(3) NOT NULL DEFAULT now(),
        action text NOT NULL,
        actor_uri text,
        actor_login text,
        object_uri text,
        address text,
        request_id text,
        caller_request_id text,
        count integer NOT NULL DEFAULT 1,
        reason text,
        before jsonb,
        after jsonb
      )`);
    await runner.query('CREATE INDEX audit_date_idx ON audit (date, id)');
    await runner.query('CREATE INDEX audit_action_idx ON audit (action, id)');
    await sortIndexes(runner, 'audit', {
      texts: [
        'actor_uri',
        'actor_login',
        'object_uri',
        'address',
        'request_id',
        'caller_request_id',
        'reason',
      ],
      values: ['count'],
    });
    await this.keepAudit(runner);
    // The organization's own seeds that were applied, with the digests of their contents.
    await runner.query(`
      CREATE TABLE seeds (
        file text PRIMARY KEY,
        digest text NOT NULL,
        date timestamptz(3) NOT NULL DEFAULT now()
      )`);
  }

  /**
   * Nobody can change the trail. A line can be deleted only when it is older than the retention parameter.
   * The database enforces this even for the server's own role; a superuser can disable triggers.
   */
  private async keepAudit(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'insufficient_privilege';
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_append_only BEFORE UPDATE OR TRUNCATE ON audit
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
    await runner.query(`
      CREATE FUNCTION refuse_early_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        days integer := coalesce((SELECT value::integer FROM parameters WHERE key = 'audit.retention'), 365);
      BEGIN
        IF OLD.date > now() - make_interval(days => days) THEN
          RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'insufficient_privilege';
        END IF;
        RETURN OLD;
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_keep BEFORE DELETE ON audit
        FOR EACH ROW EXECUTE FUNCTION refuse_early_deletion()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE seeds');
    await runner.query('DROP TABLE audit');
    await runner.query('DROP FUNCTION refuse_early_deletion()');
    await runner.query('DROP FUNCTION refuse_change()');
    await runner.query('DROP TABLE parameters');
    await runner.query('DROP FUNCTION announce_parameters()');
  }
}
