import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addSearch, dropTables, referenceFromId, sortIndexes } from './schema-helpers.js';

/** Creates users, the tree of organizations, groups with their members, and photos. */
export class CreateDirectory1795400001000 implements MigrationInterface {
  name = 'CreateDirectory1795400001000';

  async up(runner: QueryRunner): Promise<void> {
    // The three types of principal share a sequence, so that an audience can be one array of ids.
    await runner.query(`
      CREATE SEQUENCE principal_ids AS bigint;
      CREATE TABLE organizations (
        id bigint PRIMARY KEY DEFAULT nextval('principal_ids'),
        reference text NOT NULL,
        label text NOT NULL,
        description text,
        parent_id bigint REFERENCES organizations,
        manager_id bigint,
        external_id text,
        active boolean NOT NULL DEFAULT true,
        path bigint[] NOT NULL,
        revision integer NOT NULL DEFAULT 1,
        creation_date timestamptz(3) NOT NULL DEFAULT now(),
        modification_date timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE TABLE users (
        id bigint PRIMARY KEY DEFAULT nextval('principal_ids'),
        login text NOT NULL,
        first_name text,
        last_name text NOT NULL,
        nick_name text,
        title text NOT NULL,
        email text,
        phone_number text,
        mobile_phone_number text,
        user_function text,
        description text,
        locale text NOT NULL DEFAULT 'en',
        organization_id bigint REFERENCES organizations,
        manager_id bigint REFERENCES users,
        status smallint NOT NULL DEFAULT 2,
        administrator boolean NOT NULL DEFAULT false,
        process_engine boolean NOT NULL DEFAULT false,
        sysadmin boolean NOT NULL DEFAULT false,
        external_id text,
        revision integer NOT NULL DEFAULT 1,
        creation_date timestamptz(3) NOT NULL DEFAULT now(),
        modification_date timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT users_status_check CHECK (status IN (0, 1, 2, 3)),
        CONSTRAINT users_sysadmin_check CHECK (NOT sysadmin OR (administrator AND status = 1))
      );
      ALTER TABLE organizations ADD CONSTRAINT organizations_manager_id_fkey
        FOREIGN KEY (manager_id) REFERENCES users;
      CREATE TABLE groups (
        id bigint PRIMARY KEY DEFAULT nextval('principal_ids'),
        reference text NOT NULL,
        label text NOT NULL,
        description text,
        external_id text,
        revision integer NOT NULL DEFAULT 1,
        creation_date timestamptz(3) NOT NULL DEFAULT now(),
        modification_date timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE TABLE group_members (
        group_id bigint NOT NULL REFERENCES groups ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        PRIMARY KEY (group_id, user_id)
      );
      CREATE INDEX group_members_user_id_idx ON group_members (user_id, group_id);
      CREATE TABLE photos (
        user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        content bytea NOT NULL,
        media_type text NOT NULL,
        digest text NOT NULL,
        modification_date timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX users_login_key ON users (login_key(login));
      CREATE UNIQUE INDEX users_sysadmin_key ON users (sysadmin) WHERE sysadmin;
      CREATE INDEX users_organization_id_idx ON users (organization_id, id);
      CREATE INDEX users_status_idx ON users (status, id);
      CREATE INDEX users_creation_date_idx ON users (creation_date, id);
      CREATE INDEX users_modification_date_idx ON users (modification_date, id);
      CREATE INDEX organizations_parent_id_idx ON organizations (parent_id, id);
      CREATE INDEX organizations_manager_id_idx ON organizations (manager_id, id);
      CREATE INDEX organizations_path_idx ON organizations USING gin (path)`);
    await sortIndexes(runner, 'users', {
      texts: [
        ...['login', 'first_name', 'last_name', 'nick_name', 'title', 'email', 'phone_number'],
        ...['mobile_phone_number', 'user_function', 'external_id'],
      ],
      longTexts: ['description'],
      values: ['locale', 'manager_id', 'administrator', 'process_engine'],
    });
    await referenceFromId(runner, 'organizations', 'ORG');
    await sortIndexes(runner, 'organizations', {
      texts: ['label', 'external_id'],
      longTexts: ['description'],
      values: ['active', 'creation_date', 'modification_date'],
    });
    await referenceFromId(runner, 'groups', 'GROUP');
    await sortIndexes(runner, 'groups', {
      texts: ['label', 'external_id'],
      longTexts: ['description'],
      values: ['creation_date', 'modification_date'],
    });
    await addSearch(runner, {
      table: 'users',
      extraTexts: ['description'],
      baseCondition: 'status = 1 AND NOT sysadmin',
      visibilityColumns: [],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropTables(runner, ['photos', 'group_members', 'groups', 'users', 'organizations']);
    await runner.query('DROP SEQUENCE principal_ids');
  }
}
