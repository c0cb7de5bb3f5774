import type { MigrationInterface, QueryRunner } from 'typeorm';
import { referenceFromId, sortIndexes } from './schema-helpers.js';

/** Creates users, the tree of organizations, groups with their members, and photos. */
export class CreateDirectory1795400001000 implements MigrationInterface {
  name = 'CreateDirectory1795400001000';

  async up(runner: QueryRunner): Promise<void> {
    // The three types of principal share a sequence, so that an audience can be one array of ids.
    await runner.query('CREATE SEQUENCE principal_ids AS bigint');
    await runner.query(`
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
      )`);
    await runner.query(`
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
      )`);
    await runner.query(`
      ALTER TABLE organizations ADD CONSTRAINT organizations_manager_id_fkey
        FOREIGN KEY (manager_id) REFERENCES users`);
    await runner.query('CREATE UNIQUE INDEX users_login_key ON users (login_key(login))');
    await runner.query('CREATE UNIQUE INDEX users_sysadmin_key ON users (sysadmin) WHERE sysadmin');
    await runner.query('CREATE INDEX users_organization_id_idx ON users (organization_id, id)');
    await runner.query('CREATE INDEX users_status_idx ON users (status, id)');
    await runner.query('CREATE INDEX users_creation_date_idx ON users (creation_date, id)');
    await runner.query('CREATE INDEX users_modification_date_idx ON users (modification_date, id)');
    await sortIndexes(runner, 'users', {
      texts: [
        'login',
        'first_name',
        'last_name',
        'nick_name',
        'title',
        'email',
        'phone_number',
        'mobile_phone_number',
        'user_function',
        'external_id',
      ],
      values: ['locale', 'manager_id', 'administrator', 'process_engine'],
    });

    await referenceFromId(runner, 'organizations', 'ORG');
    await sortIndexes(runner, 'organizations', {
      texts: ['label', 'external_id'],
      values: ['active', 'creation_date', 'modification_date'],
    });
    await runner.query('CREATE INDEX organizations_parent_id_idx ON organizations (parent_id, id)');
    await runner.query(
      'CREATE INDEX organizations_manager_id_idx ON organizations (manager_id, id)',
    );
    await runner.query('CREATE INDEX organizations_path_idx ON organizations USING gin (path)');
    await this.keepPaths(runner);

    await runner.query(`
      CREATE TABLE groups (
        id bigint PRIMARY KEY DEFAULT nextval('principal_ids'),
        reference text NOT NULL,
        label text NOT NULL,
        description text,
        external_id text,
        revision integer NOT NULL DEFAULT 1,
        creation_date timestamptz(3) NOT NULL DEFAULT now(),
        modification_date timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await referenceFromId(runner, 'groups', 'GROUP');
    await sortIndexes(runner, 'groups', {
      texts: ['label', 'external_id'],
      values: ['creation_date', 'modification_date'],
    });
    await runner.query(`
      CREATE TABLE group_members (
        group_id bigint NOT NULL REFERENCES groups ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        PRIMARY KEY (group_id, user_id)
      )`);
    await runner.query(
      'CREATE INDEX group_members_user_id_idx ON group_members (user_id, group_id)',
    );
    await runner.query(`
      CREATE TABLE photos (
        user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        content bytea NOT NULL,
        media_type text NOT NULL,
        digest text NOT NULL,
        modification_date timestamptz(3) NOT NULL DEFAULT now()
      )`);
  }

  /**
   * A trigger derives organizations.path (ids from the root to the organization itself) from parent_id. An
   * advisory lock serialises moves: two concurrent moves could otherwise create a cycle undetected.
   */
  private async keepPaths(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION set_organization_path() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE parent_path bigint[];
      BEGIN
        IF TG_OP = 'UPDATE' AND NEW.parent_id IS NOT DISTINCT FROM OLD.parent_id
           AND pg_trigger_depth() > 1 THEN
          RETURN NEW; -- the cascade below writes path itself
        END IF;
        IF NEW.parent_id IS NULL THEN
          NEW.path := ARRAY[NEW.id];
          RETURN NEW;
        END IF;
        PERFORM pg_advisory_xact_lock(hashtext('organizations.path'));
        SELECT path INTO parent_path FROM organizations WHERE id = NEW.parent_id;
        IF NEW.id = ANY (parent_path) OR NEW.id = NEW.parent_id THEN
          RAISE EXCEPTION 'organization % would be below itself', NEW.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'organizations_cycle_check';
        END IF;
        NEW.path := parent_path || NEW.id;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER organizations_set_path BEFORE INSERT OR UPDATE OF parent_id, path ON organizations
        FOR EACH ROW EXECUTE FUNCTION set_organization_path()`);
    await runner.query(`
      CREATE FUNCTION move_organizations_below() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE organizations
        SET path = NEW.path || path[array_length(OLD.path, 1) + 1 : array_length(path, 1)]
        WHERE path @> ARRAY[NEW.id] AND id <> NEW.id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER organizations_move_below AFTER UPDATE OF parent_id ON organizations
        FOR EACH ROW WHEN (OLD.path IS DISTINCT FROM NEW.path)
        EXECUTE FUNCTION move_organizations_below()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP CONSTRAINT organizations_manager_id_fkey');
    for (const table of ['photos', 'group_members', 'groups', 'users', 'organizations'])
      await runner.query(`DROP TABLE ${table}`);
    await runner.query('DROP FUNCTION set_organization_path()');
    await runner.query('DROP FUNCTION move_organizations_below()');
    for (const table of ['organizations', 'groups'])
      await runner.query(`DROP FUNCTION ${table}_set_reference()`);
    await runner.query('DROP SEQUENCE principal_ids');
  }
}
