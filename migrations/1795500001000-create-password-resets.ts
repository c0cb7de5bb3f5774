import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates what a forgotten password needs: one-time codes, and the e-mail addresses that get none. */
export class CreatePasswordResets1795500001000 implements MigrationInterface {
  name = 'CreatePasswordResets1795500001000';

  async up(runner: QueryRunner): Promise<void> {
    // Not a row of invitations: a stranger who asks for a reset must not replace an administrator's invitation.
    await runner.query(`
      CREATE TABLE password_resets (
        hash bytea PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        mail_id bigint NOT NULL UNIQUE,
        creation_date timestamptz(3) NOT NULL DEFAULT now(),
        expiration timestamptz(3) NOT NULL
      )`);
    await runner.query('CREATE INDEX password_resets_user_id_idx ON password_resets (user_id)');
    await runner.query(`
      CREATE TABLE unproven_emails (
        user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE FUNCTION void_password_resets() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM password_resets WHERE user_id = NEW.id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_void_password_resets AFTER UPDATE OF email, status ON users
        FOR EACH ROW WHEN ((OLD.email, OLD.status) IS DISTINCT FROM (NEW.email, NEW.status))
        EXECUTE FUNCTION void_password_resets()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER users_void_password_resets ON users');
    await runner.query('DROP FUNCTION void_password_resets()');
    await runner.query('DROP TABLE unproven_emails');
    await runner.query('DROP TABLE password_resets');
  }
}
