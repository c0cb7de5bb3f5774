import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex, dropTables } from './schema-helpers.js';

/** Adds where people are in their directory, so that groups that have changed find members that have not. */
export class CreateDirectoryPeople1795400020000 implements MigrationInterface {
  name = 'CreateDirectoryPeople1795400020000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE directory_people (
        user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        dn text NOT NULL,
        -- The primary group of Active Directory, which lists no such members.
        number text
      )`);
    // A DN may be longer than a row of an index.
    await createIndex(runner, {
      name: 'directory_people_dn_idx',
      on: 'directory_people (md5(dn))',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropTables(runner, ['directory_people']);
  }
}
