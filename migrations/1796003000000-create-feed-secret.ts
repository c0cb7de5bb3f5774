import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the secret that signs the cursors of the change feed: all servers on one database share it. */
export class CreateFeedSecret1796003000000 implements MigrationInterface {
  name = 'CreateFeedSecret1796003000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE feed_secrets (secret bytea NOT NULL)');
    // 244 random bits; the server hashes them to a key.
    await runner.query(`
      INSERT INTO feed_secrets (secret)
      VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE feed_secrets');
  }
}
