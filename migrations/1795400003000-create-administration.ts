import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropTables, sortIndexes } from './schema-helpers.js';

/** Creates server parameters, the audit trail, the record of an organization's own seeds, and the answers to repeatable calls. */
export class CreateAdministration1795400003000 implements MigrationInterface {
  name = 'CreateAdministration1795400003000';

  async up(runner: QueryRunner): Promise<void> {
    // Keys are stored without "com.<vendor>.": the vendor segment comes from the environment.
    await runner.query(`
      CREATE TABLE parameters (
        key text PRIMARY KEY,
        value text NOT NULL,
        modification_date timestamptz(3) NOT NULL DEFAULT now()
      )`);
    // The actor and the object are text: the trail outlives them. Its parts are months (migrations/functions/add_audit_parts.sql).
    // A transaction gets its own id before it draws that of a line: a reader in the order of ids knows then which transactions
    // it has to await (docs/decisions/0051).
    await runner.query(`
      CREATE SEQUENCE audit_id_seq AS bigint;
      CREATE TABLE audit (
        id bigint NOT NULL DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('audit_id_seq') END,
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
        after jsonb,
        PRIMARY KEY (date, id)
      ) PARTITION BY RANGE (date);
      CREATE TABLE audit_default PARTITION OF audit DEFAULT;
      CREATE INDEX audit_id_idx ON audit (id);
      CREATE INDEX audit_action_idx ON audit (action, id)`);
    // How far each receiver of the trail has come: the id of the last line that it has taken.
    await runner.query(`
      CREATE TABLE audit_streams (
        receiver text PRIMARY KEY,
        position bigint NOT NULL,
        date timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sortIndexes(runner, 'audit', {
      texts: [
        ...['actor_uri', 'actor_login', 'object_uri', 'address'],
        ...['request_id', 'caller_request_id', 'reason'],
      ],
      values: ['count'],
    });
    // The organization's own seeds that were applied, with the digests of their contents.
    await runner.query(`
      CREATE TABLE seeds (
        file text PRIMARY KEY,
        digest text NOT NULL,
        date timestamptz(3) NOT NULL DEFAULT now()
      )`);
    // The answers to calls that a client may repeat without doing their work twice.
    await runner.query(`
      CREATE TABLE idempotency_keys (
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        key text NOT NULL,
        digest bytea NOT NULL,
        answer json NOT NULL,
        creation_date timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (user_id, key)
      );
      CREATE INDEX idempotency_keys_creation_date_idx ON idempotency_keys (creation_date);
      COMMENT ON COLUMN idempotency_keys.digest IS 'of the resource and the body of the call'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropTables(runner, ['idempotency_keys', 'seeds', 'audit_streams', 'audit', 'parameters']);
    await runner.query('DROP SEQUENCE audit_id_seq');
  }
}
