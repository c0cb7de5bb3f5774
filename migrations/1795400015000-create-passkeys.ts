import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropTables } from './schema-helpers.js';

/** Lets a second step be a passkey, of which the server knows the public key. */
export class CreatePasskeys1795400015000 implements MigrationInterface {
  name = 'CreatePasskeys1795400015000';

  async up(runner: QueryRunner): Promise<void> {
    // An authenticator finds its passkeys by `user_handle`. `sign_count` is that of its last signature; 0 where it counts none.
    await runner.query(`
      ALTER TABLE second_steps ALTER sealed DROP NOT NULL,
        ADD name text,
        ADD credential_id bytea UNIQUE,
        ADD public_key bytea,
        ADD sign_count bigint,
        ADD user_handle bytea,
        ADD CONSTRAINT second_steps_kind_check CHECK (CASE WHEN kind = 'passkey'
          THEN num_nulls(name, credential_id, public_key, sign_count, user_handle, confirmation_date) = 0
          ELSE sealed IS NOT NULL END)`);
    // The secret signs challenges, so that nothing is stored until somebody answers one; a used one stays until it expires.
    await runner.query(`
      CREATE TABLE passkey_secrets (secret bytea NOT NULL);
      INSERT INTO passkey_secrets (secret) VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
      CREATE TABLE used_challenges (
        challenge bytea PRIMARY KEY,
        expiration timestamptz(3) NOT NULL
      );
      CREATE INDEX used_challenges_expiration_idx ON used_challenges (expiration)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropTables(runner, ['passkey_secrets', 'used_challenges']);
    await runner.query(`
      DELETE FROM second_steps WHERE kind = 'passkey';
      ALTER TABLE second_steps DROP CONSTRAINT second_steps_kind_check, ALTER sealed SET NOT NULL,
        DROP name, DROP credential_id, DROP public_key, DROP sign_count, DROP user_handle`);
  }
}
