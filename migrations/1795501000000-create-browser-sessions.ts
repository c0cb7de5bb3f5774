import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the sessions of browsers, which issue a token to each tab. */
export class CreateBrowserSessions1795501000000 implements MigrationInterface {
  name = 'CreateBrowserSessions1795501000000';

  async up(runner: QueryRunner): Promise<void> {
    // Only hashes are stored. The cookie holds two secrets: the first stays and finds the row, the second is
    // replaced at each renewal. The salt derives the current second secret from the previous one.
    // The ids come from the sequence of the tokens, because one list shows both.
    await runner.query(`
      CREATE TABLE browser_sessions (
        id bigint PRIMARY KEY DEFAULT nextval('tokens_id_seq'),
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        hash bytea NOT NULL UNIQUE,
        current_hash bytea NOT NULL,
        previous_hash bytea,
        salt bytea,
        credential_version integer NOT NULL,
        address text NOT NULL,
        user_agent text,
        creation_date timestamptz(3) NOT NULL DEFAULT now(),
        last_use_date timestamptz(3) NOT NULL DEFAULT now(),
        expiration timestamptz(3) NOT NULL
      ) WITH (fillfactor = 70)`);
    await runner.query(
      'CREATE INDEX browser_sessions_user_id_idx ON browser_sessions (user_id, id)',
    );
    await runner.query(
      'CREATE INDEX browser_sessions_expiration_idx ON browser_sessions (expiration)',
    );
    await runner.query(
      'ALTER TABLE tokens ADD browser_session_id bigint REFERENCES browser_sessions ON DELETE CASCADE',
    );
    await runner.query(
      'CREATE INDEX tokens_browser_session_id_idx ON tokens (browser_session_id) WHERE browser_session_id IS NOT NULL',
    );
    // One row a session: a browser with all of its tokens, or a token that belongs to no browser. A changed
    // credential ends a browser session by its version (docs/decisions/0026).
    await runner.query(`
      CREATE VIEW sessions AS
        SELECT b.id, b.user_id, b.creation_date, b.last_use_date, b.expiration, b.address, b.user_agent
        FROM browser_sessions b JOIN sign_ins s ON s.user_id = b.user_id AND s.credential_version = b.credential_version
        UNION ALL
        SELECT id, user_id, creation_date, NULL, expiration, address, NULL
        FROM tokens WHERE browser_session_id IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW sessions');
    await runner.query('ALTER TABLE tokens DROP COLUMN browser_session_id');
    await runner.query('DROP TABLE browser_sessions');
  }
}
