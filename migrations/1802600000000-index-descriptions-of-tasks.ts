import type { MigrationInterface, QueryRunner } from 'typeorm';

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

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX tasks_description_whole_idx ON tasks (${folded('description')}, id) INCLUDE (description)
       WHERE octet_length(description) <= ${MAX_WHOLE}`,
    );
    await runner.query(
      `CREATE INDEX tasks_description_long_idx ON tasks (id) WHERE octet_length(description) > ${MAX_WHOLE}`,
    );
    await runner.query('DROP INDEX tasks_reference_key');
    await runner.query('DROP INDEX tasks_reference_sort_idx');
    await runner.query(
      `CREATE UNIQUE INDEX tasks_reference_key ON tasks (${folded('reference')}) INCLUDE (id, reference)`,
    );
    for (const column of OWNERS) {
      await runner.query(`DROP INDEX tasks_${column}_idx`);
      await runner.query(
        `CREATE INDEX tasks_${column}_idx ON tasks (${column}, application_id, status, id) WHERE ${column} IS NOT NULL`,
      );
    }
    // The planner knows nothing of an expression before it has statistics.
    await runner.query('ANALYZE tasks');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const part of ['whole', 'long'])
      await runner.query(`DROP INDEX tasks_description_${part}_idx`);
    await runner.query('DROP INDEX tasks_reference_key');
    await runner.query(`CREATE UNIQUE INDEX tasks_reference_key ON tasks (${folded('reference')})`);
    await runner.query(
      `CREATE INDEX tasks_reference_sort_idx ON tasks (${folded('reference')}, id) INCLUDE (reference)`,
    );
    for (const column of OWNERS) {
      await runner.query(`DROP INDEX tasks_${column}_idx`);
      await runner.query(
        `CREATE INDEX tasks_${column}_idx ON tasks (${column}, application_id, status, id)`,
      );
    }
  }
}
