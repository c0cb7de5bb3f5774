import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keeps when a task was closed, in whatever way: a substitute reads what was closed since the absence began, and later changes
 * of the task must not move that moment (docs/decisions/0044). Keeps also whether the source closed it, which may open it again
 * when it has another account by then. Neither is known of what was closed before.
 */
export class NoteClosings1809300000000 implements MigrationInterface {
  name = 'NoteClosings1809300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE tasks ADD closed_date timestamptz(3), ADD closed_by_source boolean NOT NULL DEFAULT false',
    );
    const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
      { schema: string },
    ];
    await runner.query(`
      CREATE FUNCTION tasks_note_closing() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = ${schema}, pg_temp AS $$
      BEGIN
        NEW.closed_date := CASE WHEN NEW.status <> 'open' THEN now() END;
        NEW.closed_by_source := NEW.status <> 'open' AND EXISTS (
          SELECT FROM sources s WHERE s.id = NEW.source_id AND s.service_account_id = NEW.closed_by_id);
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER tasks_note_closing_insert BEFORE INSERT ON tasks FOR EACH ROW
        WHEN (NEW.status <> 'open') EXECUTE FUNCTION tasks_note_closing()`);
    await runner.query(`
      CREATE TRIGGER tasks_note_closing BEFORE UPDATE OF status ON tasks FOR EACH ROW
        WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tasks_note_closing()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION tasks_note_closing() CASCADE');
    await runner.query('ALTER TABLE tasks DROP closed_date, DROP closed_by_source');
  }
}
