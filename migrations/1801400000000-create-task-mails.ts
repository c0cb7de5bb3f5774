import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates what digests and reminders of tasks need: what people want to get, which reminders were decided, and how far
 * the digests of the day are (docs/decisions/0045).
 */
export class CreateTaskMails1801400000000 implements MigrationInterface {
  name = 'CreateTaskMails1801400000000';

  async up(runner: QueryRunner): Promise<void> {
    // A hundred thousand digests must not delay an invitation.
    await runner.query('ALTER TABLE mails ADD bulk boolean NOT NULL DEFAULT false');
    await runner.query('DROP INDEX mails_next_attempt_idx');
    await runner.query('CREATE INDEX mails_next_attempt_idx ON mails (bulk, next_attempt)');
    // People without a row get both.
    await runner.query(`
      CREATE TABLE mail_settings (
        user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        digest boolean NOT NULL DEFAULT true,
        reminders boolean NOT NULL DEFAULT true
      )`);
    // The key allows a task two reminders. The user is the one whose mail has yet to be sent.
    await runner.query(`
      CREATE TABLE task_reminders (
        task_id bigint NOT NULL REFERENCES tasks ON DELETE CASCADE,
        kind text NOT NULL,
        user_id bigint REFERENCES users ON DELETE SET NULL,
        mail_id bigint,
        CONSTRAINT task_reminders_kind_check CHECK (kind IN ('due-soon', 'overdue')),
        PRIMARY KEY (task_id, kind)
      )`);
    await runner.query(
      'CREATE INDEX task_reminders_user_id_idx ON task_reminders (user_id) WHERE user_id IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE task_mail_rounds (
        one boolean PRIMARY KEY DEFAULT true,
        next_round timestamptz(3) NOT NULL DEFAULT now(),
        digest_day date,
        digest_start timestamptz(3),
        new_since timestamptz(3),
        after_user bigint,
        CONSTRAINT task_mail_rounds_one_check CHECK (one)
      )`);
    await runner.query('INSERT INTO task_mail_rounds DEFAULT VALUES');
    // 244 random bits; the server hashes them to a key.
    await runner.query('CREATE TABLE mail_secrets (secret bytea NOT NULL)');
    await runner.query(`
      INSERT INTO mail_secrets (secret)
      VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['mail_secrets', 'task_mail_rounds', 'task_reminders', 'mail_settings'])
      await runner.query(`DROP TABLE ${table}`);
    await runner.query(`DELETE FROM mails WHERE kind IN ('digest', 'reminder')`);
    await runner.query('DROP INDEX mails_next_attempt_idx');
    await runner.query('ALTER TABLE mails DROP COLUMN bulk');
    await runner.query('CREATE INDEX mails_next_attempt_idx ON mails (next_attempt)');
  }
}
