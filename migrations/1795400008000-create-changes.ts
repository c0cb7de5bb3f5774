import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropTables } from './schema-helpers.js';

/**
 * Creates the journal of changes (docs/decisions/0032): a row for each changed row, with the transaction that changed it.
 * Parts have numbers, not dates, so that a clock that is set back loses nothing. The newest takes the rows.
 */
export class CreateChanges1795400008000 implements MigrationInterface {
  name = 'CreateChanges1795400008000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE change_parts (
        part integer PRIMARY KEY,
        creation_date timestamptz(3) NOT NULL DEFAULT now(),
        dropped_until xid8
      );
      COMMENT ON COLUMN change_parts.dropped_until IS
        'of the newest part that was dropped: its last transaction; null for a part that exists';
      INSERT INTO change_parts (part) VALUES (1);
      CREATE SEQUENCE changes_id_seq AS bigint;
      CREATE TABLE changes (
        part integer NOT NULL,
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        id bigint NOT NULL DEFAULT nextval('changes_id_seq'),
        kind text NOT NULL,
        object bigint,
        revision integer,
        operation "char" NOT NULL,
        principals bigint[] NOT NULL DEFAULT '{}',
        date timestamptz(3) NOT NULL DEFAULT now(),
        application bigint
      ) PARTITION BY LIST (part);
      COMMENT ON TABLE changes IS
        'operation: I inserted, U updated, M moved to another application, D deleted, T the whole table emptied (object is null)';
      COMMENT ON COLUMN changes.application IS
        'of a task that was open before or after; 0 for others; M has the former one, and who had the task in it';
      CREATE INDEX changes_xid_idx ON changes (xid, id);
      CREATE TABLE changes_1 PARTITION OF changes FOR VALUES IN (1)`);
    // Signs the cursors of the change feed: all servers on one database share it. 244 random bits; the server hashes them to
    // a key.
    await runner.query(`
      CREATE TABLE feed_secrets (secret bytea NOT NULL);
      INSERT INTO feed_secrets (secret) VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropTables(runner, ['feed_secrets', 'changes', 'change_parts']);
    await runner.query('DROP SEQUENCE changes_id_seq');
  }
}
