import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex, dropTables } from './schema-helpers.js';

/** Keeps people in step with the identity provider: who was made by it, and which sessions there have ended. */
export class CreateProviderLogouts1795400024000 implements MigrationInterface {
  name = 'CreateProviderLogouts1795400024000';

  async up(runner: QueryRunner): Promise<void> {
    // `provider_session` is the claim `sid` of the sign-in at the provider; empty where the token had none, and null for
    // every other sign-in. `claims_date` is the issue of the token whose claims changed the person last.
    await runner.query(`
      ALTER TABLE identities ADD made boolean NOT NULL DEFAULT false, ADD claims_date timestamptz(3);
      ALTER TABLE tokens ADD provider_session text;
      ALTER TABLE browser_sessions ADD provider_session text;
      CREATE TABLE provider_logouts (
        issuer text NOT NULL,
        token_id text NOT NULL,
        subject text,
        session text,
        issue_date timestamptz(3) NOT NULL,
        expiration timestamptz(3) NOT NULL,
        PRIMARY KEY (issuer, token_id)
      )`);
    for (const table of ['tokens', 'browser_sessions'])
      await createIndex(runner, {
        name: `${table}_provider_session_idx`,
        on: `${table} (provider_session) WHERE provider_session IS NOT NULL`,
      });
    for (const column of ['subject', 'session', 'expiration'])
      await createIndex(runner, {
        name: `provider_logouts_${column}_idx`,
        on: `provider_logouts (${column})`,
      });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropTables(runner, ['provider_logouts']);
    await runner.query(`
      ALTER TABLE browser_sessions DROP provider_session;
      ALTER TABLE tokens DROP provider_session;
      ALTER TABLE identities DROP made, DROP claims_date`);
  }
}
