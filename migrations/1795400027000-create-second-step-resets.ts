import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex, dropTables } from './schema-helpers.js';

const PERMISSION = 'users:reset-second-step';

/** Lets the helpdesk remove lost second steps, for which one person asks and another one confirms. */
export class CreateSecondStepResets1795400027000 implements MigrationInterface {
  name = 'CreateSecondStepResets1795400027000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE second_step_resets (
        user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        requester_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        creation_date timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT second_step_resets_check CHECK (user_id <> requester_id)
      )`);
    for (const column of ['requester_id', 'creation_date'])
      await createIndex(runner, {
        name: `second_step_resets_${column}_idx`,
        on: `second_step_resets (${column})`,
      });
    await runner.query(
      `UPDATE roles SET permissions = permissions || $1 WHERE reference = 'helpdesk' AND shipped`,
      [[PERMISSION]],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('UPDATE roles SET permissions = array_remove(permissions, $1)', [
      PERMISSION,
    ]);
    await dropTables(runner, ['second_step_resets']);
  }
}
