import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  analyze,
  createIndex,
  dropIndex,
  inBatches,
  replaceIndex,
  sortIndexes,
} from '../../migrations/schema-helpers.js';

/** Builds, replaces and drops indexes of tables in use. */
export class IndexTexts1900000000000 implements MigrationInterface {
  name = 'IndexTexts1900000000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await sortIndexes(runner, 'tasks', { longTexts: ['comment'] });
    await replaceIndex(runner, { name: 'tasks_outcome_idx', on: 'tasks (outcome, id)' });
    await replaceIndex(runner, {
      name: 'tasks_source_external_id_key',
      on: 'tasks (source_id, external_id) WHERE external_id IS NOT NULL',
      unique: true,
    });
    await dropIndex(runner, 'tasks_confirmation_idx');
    await createIndex(runner, { name: 'documents_version_idx', on: 'documents (version)' });
    await runner.query(
      'CREATE STATISTICS IF NOT EXISTS tasks_comment_stats ON (left(comment, 40)) FROM tasks',
    );
    await analyze(runner, 'tasks');
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** Extends a table in use, and refers to it. */
export class NoteReaders1900000001000 implements MigrationInterface {
  name = 'NoteReaders1900000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tasks ADD read_date timestamptz(3)');
    await runner.query(`
      CREATE TABLE task_readers (
        task_id bigint NOT NULL REFERENCES tasks ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        PRIMARY KEY (task_id, user_id)
      )`);
    await runner.query(`COMMENT ON TABLE changes IS 'of rows'`);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** Writes all rows of a table in use, without an event and without a change of the feed. */
export class FillReadDates1900000002000 implements MigrationInterface {
  name = 'FillReadDates1900000002000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inBatches(runner, 'tasks', async (batch) => {
      await runner.query(`
        ALTER TABLE tasks DISABLE TRIGGER USER;
        UPDATE tasks SET read_date = creation_date WHERE read_date IS NULL AND ${batch};
        ALTER TABLE tasks ENABLE TRIGGER USER`);
    });
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** Mends rows in a block. */
export class MendPaths1900000003000 implements MigrationInterface {
  name = 'MendPaths1900000003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$ BEGIN
        IF EXISTS (SELECT FROM organizations WHERE path = '{}') THEN
          UPDATE organizations SET path = ARRAY[id] WHERE path = '{}';
        END IF;
      END $$`);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** Migrations as later versions may have them, of tables that are in use. */
export const LATER = [
  IndexTexts1900000000000,
  NoteReaders1900000001000,
  FillReadDates1900000002000,
  MendPaths1900000003000,
];
