import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Says in the journal that a task has moved to another application. A substitute for the former one has to forget the task,
 * and nothing else tells the feed what it was (docs/decisions/0044).
 */
export class RecordMovedTasks1808700000000 implements MigrationInterface {
  name = 'RecordMovedTasks1808700000000';

  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
      { schema: string },
    ];
    await runner.query(`
      CREATE FUNCTION record_moved_tasks() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = ${schema}, pg_temp AS $$
      BEGIN
        INSERT INTO changes (part, kind, object, revision, operation, principals)
        SELECT (
            SELECT part FROM change_parts WHERE dropped_until IS NULL ORDER BY creation_date < now() DESC, part DESC LIMIT 1
          ), 'tasks', NEW.id, NEW.revision, 'M',
          array_remove(ARRAY[OLD.assignee_id, OLD.group_id, NEW.assignee_id, NEW.group_id], NULL);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER tasks_record_move AFTER UPDATE OF application_id ON tasks FOR EACH ROW
        WHEN (OLD.application_id IS DISTINCT FROM NEW.application_id) EXECUTE FUNCTION record_moved_tasks()`);
    await this.describe(runner, 'U updated, M moved to another application');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION record_moved_tasks() CASCADE');
    await this.describe(runner, 'U updated');
  }

  private async describe(runner: QueryRunner, updates: string): Promise<void> {
    await runner.query(`
      COMMENT ON TABLE changes IS
        'operation: I inserted, ${updates}, D deleted, T the whole table emptied (object is null)'`);
  }
}
