import type { MigrationInterface, QueryRunner } from 'typeorm';
import { analyze, replaceIndex } from './schema-helpers.js';

/** SQL of the text as lists compare it. */
const OUTCOME = 'fold(outcome COLLATE "C")';

/**
 * Gives two indexes of closed tasks what lists read of many of them: without the id and the outcome, each task would be
 * read (docs/decisions/0036).
 */
export class IndexIdsOfClosedTasks1809403000000 implements MigrationInterface {
  name = 'IndexIdsOfClosedTasks1809403000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await this.recreate(runner, `${OUTCOME}, id) INCLUDE (outcome`, 'closed_by_id, id');
    await analyze(runner, 'tasks');
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.recreate(runner, OUTCOME, 'closed_by_id');
  }

  private async recreate(runner: QueryRunner, outcome: string, closedBy: string): Promise<void> {
    await replaceIndex(runner, {
      name: 'tasks_outcome_idx',
      on: `tasks (${outcome}) WHERE ${OUTCOME} IS NOT NULL`,
    });
    await replaceIndex(runner, {
      name: 'tasks_closed_by_id_idx',
      on: `tasks (${closedBy}) WHERE closed_by_id IS NOT NULL`,
    });
  }
}
