import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts the bytes of files (docs/decisions/0047): those that a person has sent on a day, and those of all files. The latter
 * are changes whose sum is the size of all files: a change waits for no other transaction, and an upload sums them up.
 */
export class CountBytesOfFiles1809420000000 implements MigrationInterface {
  name = 'CountBytesOfFiles1809420000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE task_file_senders (
        user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        day date NOT NULL,
        bytes bigint NOT NULL
      )`);
    await runner.query('CREATE TABLE task_file_bytes (bytes bigint NOT NULL)');
    await runner.query(`
      CREATE FUNCTION count_task_file() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE change bigint := 0;
      BEGIN
        IF TG_OP <> 'INSERT' AND OLD.stored THEN change := change - OLD.size; END IF;
        IF TG_OP <> 'DELETE' AND NEW.stored THEN change := change + NEW.size; END IF;
        IF change <> 0 THEN INSERT INTO task_file_bytes VALUES (change); END IF;
        RETURN NULL;
      END $$`);
    // Before the sum: the trigger's lock keeps out files that it would count twice or not at all.
    await runner.query(`
      CREATE TRIGGER task_files_count AFTER INSERT OR DELETE OR UPDATE OF stored, size ON task_files
        FOR EACH ROW EXECUTE FUNCTION count_task_file()`);
    await runner.query(
      'INSERT INTO task_file_bytes SELECT sum(size) FROM task_files WHERE stored HAVING sum(size) > 0',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER task_files_count ON task_files');
    await runner.query('DROP FUNCTION count_task_file()');
    await runner.query('DROP TABLE task_file_bytes, task_file_senders');
  }
}
