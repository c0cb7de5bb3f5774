import type { MigrationInterface, QueryRunner } from 'typeorm';
import { replaceIndex } from './schema-helpers.js';

/**
 * Gives the unique index of the external ids the ids of the tasks: lists of those with an external id, which may be most,
 * read no task (docs/decisions/0036).
 */
export class IndexIdsOfExternalTasks1809405000000 implements MigrationInterface {
  name = 'IndexIdsOfExternalTasks1809405000000';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return this.recreate(runner, 'INCLUDE (id)');
  }

  down(runner: QueryRunner): Promise<void> {
    return this.recreate(runner, '');
  }

  private recreate(runner: QueryRunner, include: string): Promise<void> {
    return replaceIndex(runner, {
      name: 'tasks_source_external_id_key',
      on: `tasks (source_id, external_id) ${include} WHERE external_id IS NOT NULL`,
      unique: true,
    });
  }
}
