import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps for whom a task was closed or commented on by somebody who stood in (docs/decisions/0044). */
export class CloseOnBehalf1801300001000 implements MigrationInterface {
  name = 'CloseOnBehalf1801300001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE tasks ADD closed_for_id bigint REFERENCES users ON DELETE SET NULL',
    );
    await runner.query(
      'CREATE INDEX tasks_closed_for_id_idx ON tasks (closed_for_id) WHERE closed_for_id IS NOT NULL',
    );
    await runner.query(
      'ALTER TABLE task_comments ADD on_behalf_of_id bigint REFERENCES users ON DELETE SET NULL',
    );
    await runner.query(
      'CREATE INDEX task_comments_on_behalf_of_id_idx ON task_comments (on_behalf_of_id) WHERE on_behalf_of_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE task_comments DROP on_behalf_of_id');
    await runner.query('ALTER TABLE tasks DROP closed_for_id');
  }
}
