import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which of an organization's own seeds were applied, with the digest of what they said. */
export class CreateSeeds1795219300000 implements MigrationInterface {
  name = 'CreateSeeds1795219300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE seeds (
        file text PRIMARY KEY,
        digest text NOT NULL,
        date timestamptz(3) NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE seeds');
  }
}
