import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the report of people and groups for whom a source has pushed tasks, and whom the directory does not know. */
export class CreateUnknownNames1801150000000 implements MigrationInterface {
  name = 'CreateUnknownNames1801150000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE task_unknown_names (
        task_id bigint NOT NULL REFERENCES tasks ON DELETE CASCADE,
        name text NOT NULL,
        creation_date timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (task_id, name)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE task_unknown_names');
  }
}
