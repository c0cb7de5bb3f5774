import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Voids the open invitation of an account whose e-mail address, login or rights change. */
export class VoidInvitations1795507000000 implements MigrationInterface {
  name = 'VoidInvitations1795507000000';

  async up(runner: QueryRunner): Promise<void> {
    // The code may be with a stranger at a mistyped address, or made without a proof for an account without rights.
    await runner.query(`
      CREATE FUNCTION void_invitation() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM invitations WHERE user_id = NEW.id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_void_invitation AFTER UPDATE OF email, login, administrator, process_engine ON users
        FOR EACH ROW WHEN (
          (OLD.email, OLD.login, OLD.administrator, OLD.process_engine)
          IS DISTINCT FROM
          (NEW.email, NEW.login, NEW.administrator, NEW.process_engine))
        EXECUTE FUNCTION void_invitation()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER users_void_invitation ON users');
    await runner.query('DROP FUNCTION void_invitation()');
  }
}
