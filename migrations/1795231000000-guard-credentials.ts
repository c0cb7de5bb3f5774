import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a sign-in that is under way conflicts with. Every change of what an account is proved by
 * (password, status, identity) raises the version in the account's row of sign_ins. A sign-in
 * remembers the version that it verified; the statement that issues its token writes the same row
 * and finds that version gone. The order matters: first the version, then the deletion of tokens,
 * which sees the tokens of every sign-in that came before.
 *
 * Also when a session proved who the caller is: a token of an API key never does.
 */
export class GuardCredentials1795231000000 implements MigrationInterface {
  name = 'GuardCredentials1795231000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sign_ins ADD credential_version integer NOT NULL DEFAULT 0');
    await runner.query('ALTER TABLE tokens ADD proof_date timestamptz(3)');
    // An account that is being deleted has no row any more, and needs no version.
    await runner.query(`
      CREATE FUNCTION raise_credential_version(account bigint) RETURNS void LANGUAGE sql AS $$
        INSERT INTO sign_ins AS s (user_id, credential_version) SELECT id, 1 FROM users WHERE id = account
        ON CONFLICT (user_id) DO UPDATE SET credential_version = s.credential_version + 1
      $$`);
    await runner.query(endSessions('raise_credential_version'));
    await runner.query(`
      CREATE FUNCTION password_changed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM raise_credential_version(OLD.user_id);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER passwords_changed AFTER UPDATE OF hash OR DELETE ON passwords
        FOR EACH ROW EXECUTE FUNCTION password_changed()`);
    await runner.query(`
      CREATE FUNCTION identity_unbound() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM raise_credential_version(OLD.user_id);
        DELETE FROM tokens WHERE user_id = OLD.user_id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER identities_unbound AFTER UPDATE OR DELETE ON identities
        FOR EACH ROW EXECUTE FUNCTION identity_unbound()`);
    await runner.query(`
      CREATE TRIGGER tokens_announce_proof AFTER UPDATE OF proof_date ON tokens
        FOR EACH ROW EXECUTE FUNCTION announce_token_revocation()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER tokens_announce_proof ON tokens');
    await runner.query('DROP TRIGGER identities_unbound ON identities');
    await runner.query('DROP TRIGGER passwords_changed ON passwords');
    await runner.query('DROP FUNCTION identity_unbound()');
    await runner.query('DROP FUNCTION password_changed()');
    await runner.query(endSessions());
    await runner.query('DROP FUNCTION raise_credential_version(bigint)');
    await runner.query('ALTER TABLE tokens DROP proof_date');
    await runner.query('ALTER TABLE sign_ins DROP credential_version');
  }
}

/** What a change of a user ends, and announces to every instance. */
const endSessions = (raise?: string): string => `
  CREATE OR REPLACE FUNCTION end_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    ${raise ? `IF NEW.status <> OLD.status THEN PERFORM ${raise}(NEW.id); END IF;` : ''}
    IF NEW.status <> 1 THEN
      DELETE FROM tokens WHERE user_id = NEW.id;
    END IF;
    PERFORM pg_notify('callers', NEW.id::text);
    RETURN NULL;
  END $$`;
