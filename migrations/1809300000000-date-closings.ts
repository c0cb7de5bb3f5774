import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keeps when a task was closed, in whatever way: a substitute reads what was closed since the absence began, and later changes
 * of the task must not move that moment (docs/decisions/0044). It is unknown for what was closed before.
 */
export class DateClosings1809300000000 implements MigrationInterface {
  name = 'DateClosings1809300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tasks ADD closed_date timestamptz(3)');
    await runner.query(`
      CREATE FUNCTION tasks_set_closed_date() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.closed_date := CASE WHEN NEW.status <> 'open' THEN now() END;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER tasks_set_closed_date_insert BEFORE INSERT ON tasks FOR EACH ROW
        WHEN (NEW.status <> 'open') EXECUTE FUNCTION tasks_set_closed_date()`);
    await runner.query(`
      CREATE TRIGGER tasks_set_closed_date BEFORE UPDATE OF status ON tasks FOR EACH ROW
        WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tasks_set_closed_date()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION tasks_set_closed_date() CASCADE');
    await runner.query('ALTER TABLE tasks DROP closed_date');
  }
}
