import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex, sortIndexes } from './schema-helpers.js';

/** Adds service accounts: users of a program, with limited API keys, who may act for people. */
export class CreateServiceAccounts1795400014000 implements MigrationInterface {
  name = 'CreateServiceAccounts1795400014000';

  async up(runner: QueryRunner): Promise<void> {
    // Lists of people leave service accounts out by their ids, of which there are few, so that all indexes of the lists serve.
    await runner.query(`
      ALTER TABLE users ADD service boolean NOT NULL DEFAULT false, ADD calls_per_minute integer,
        ADD CONSTRAINT users_service_check CHECK (NOT (service AND sysadmin));
      -- What the key permits at most; null for all that its account may do.
      ALTER TABLE api_keys ADD permissions text[];
      -- The service account that got the token on behalf of its user.
      ALTER TABLE tokens ADD agent_id bigint REFERENCES users ON DELETE CASCADE;
      ALTER TABLE audit ADD agent_uri text, ADD agent_login text`);
    await createIndex(runner, { name: 'users_service_idx', on: 'users (id) WHERE service' });
    const on = 'tokens (agent_id, user_id) WHERE agent_id IS NOT NULL';
    await createIndex(runner, { name: 'tokens_agent_id_idx', on });
    await sortIndexes(runner, 'audit', { texts: ['agent_uri', 'agent_login'] });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audit DROP agent_uri, DROP agent_login;
      DELETE FROM users WHERE service;
      ALTER TABLE tokens DROP agent_id CASCADE;
      ALTER TABLE api_keys DROP permissions;
      ALTER TABLE users DROP service CASCADE, DROP calls_per_minute CASCADE`);
  }
}
