import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex, dropIndex } from './schema-helpers.js';

/** Finds open tasks without an assignee by their group, for the tasks that nobody can decide. */
export class IndexUnassignedTasks1795400025000 implements MigrationInterface {
  name = 'IndexUnassignedTasks1795400025000';

  async up(runner: QueryRunner): Promise<void> {
    await createIndex(runner, {
      name: 'tasks_unassigned_idx',
      on: `tasks (group_id, id) WHERE status = 'open' AND assignee_id IS NULL`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, 'tasks_unassigned_idx');
  }
}
