import type { MigrationInterface, QueryRunner } from 'typeorm';
import { analyze, createIndex, dropIndex, replaceIndex } from './schema-helpers.js';

/** The most bytes of a description that an index has as a whole: an entry may have 2,704 bytes only. */
const MAX_WHOLE = 200;

/** Links that many tasks do not have. */
const OWNERS = ['assignee_id', 'group_id'];

/** SQL of the text as lists compare it. */
const folded = (column: string): string => `fold(${column} COLLATE "C")`;

/**
 * Indexes whole descriptions, so that filters inside of them read no row, and pays for it with what two indexes of a
 * column have in common, and with the tasks that have no assignee or no group (docs/decisions/0036).
 */
export class IndexDescriptionsOfTasks1802600000000 implements MigrationInterface {
  name = 'IndexDescriptionsOfTasks1802600000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndex(runner, {
      name: 'tasks_description_whole_idx',
      on: `tasks (${folded('description')}, id) INCLUDE (description)
       WHERE octet_length(description) <= ${MAX_WHOLE}`,
    });
    await createIndex(runner, {
      name: 'tasks_description_long_idx',
      on: `tasks (id) WHERE octet_length(description) > ${MAX_WHOLE}`,
    });
    await replaceIndex(runner, {
      name: 'tasks_reference_key',
      on: `tasks (${folded('reference')}) INCLUDE (id, reference)`,
      unique: true,
    });
    await dropIndex(runner, 'tasks_reference_sort_idx');
    for (const column of OWNERS)
      await replaceIndex(runner, {
        name: `tasks_${column}_idx`,
        on: `tasks (${column}, application_id, status, id) WHERE ${column} IS NOT NULL`,
      });
    await analyze(runner, 'tasks');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const part of ['whole', 'long']) await dropIndex(runner, `tasks_description_${part}_idx`);
    await replaceIndex(runner, {
      name: 'tasks_reference_key',
      on: `tasks (${folded('reference')})`,
      unique: true,
    });
    await createIndex(runner, {
      name: 'tasks_reference_sort_idx',
      on: `tasks (${folded('reference')}, id) INCLUDE (reference)`,
    });
    for (const column of OWNERS)
      await replaceIndex(runner, {
        name: `tasks_${column}_idx`,
        on: `tasks (${column}, application_id, status, id)`,
      });
  }
}
