import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex, dropIndex } from './schema-helpers.js';

/** The most bytes of a description that the index had as a whole. */
const MAX_WHOLE = 200;

/** Drops the indexes of whole descriptions of tasks: filters no longer look inside of them (docs/decisions/0036). */
export class DropWholeDescriptions1809402000000 implements MigrationInterface {
  name = 'DropWholeDescriptions1809402000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const part of ['whole', 'long']) await dropIndex(runner, `tasks_description_${part}_idx`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await createIndex(runner, {
      name: 'tasks_description_whole_idx',
      on: `tasks (fold(description COLLATE "C"), id) INCLUDE (description)
       WHERE octet_length(description) <= ${MAX_WHOLE}`,
    });
    await createIndex(runner, {
      name: 'tasks_description_long_idx',
      on: `tasks (id) WHERE octet_length(description) > ${MAX_WHOLE}`,
    });
  }
}
