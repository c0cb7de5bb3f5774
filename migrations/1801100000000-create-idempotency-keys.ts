import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the answers to calls that a client may repeat without doing their work twice. */
export class CreateIdempotencyKeys1801100000000 implements MigrationInterface {
  name = 'CreateIdempotencyKeys1801100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        key text NOT NULL,
        digest bytea NOT NULL,
        answer json NOT NULL,
        creation_date timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (user_id, key)
      )`);
    await runner.query(
      'CREATE INDEX idempotency_keys_creation_date_idx ON idempotency_keys (creation_date)',
    );
    await runner.query(`
      COMMENT ON COLUMN idempotency_keys.digest IS 'of the resource and the body of the call'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
