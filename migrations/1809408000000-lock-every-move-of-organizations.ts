import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Takes the lock of moves also where an organization moves to the top: one that another transaction puts below it
 * meanwhile kept the former path. Mends such paths.
 */
export class LockEveryMoveOfOrganizations1809408000000 implements MigrationInterface {
  name = 'LockEveryMoveOfOrganizations1809408000000';

  async up(runner: QueryRunner): Promise<void> {
    await keepPaths(
      runner,
      "NEW.parent_id IS NULL AND (TG_OP = 'INSERT' OR OLD.parent_id IS NULL)",
    );
    // From the top, because the trigger derives each path from that of the parent.
    await runner.query(`
      DO $$
      DECLARE wrong record;
      BEGIN
        FOR wrong IN
          WITH RECURSIVE tree AS (
            SELECT id, ARRAY[id] AS path FROM organizations WHERE parent_id IS NULL
            UNION ALL
            SELECT o.id, t.path || o.id FROM organizations o JOIN tree t ON t.id = o.parent_id)
          SELECT id, t.path FROM organizations o JOIN tree t USING (id)
          WHERE o.path <> t.path ORDER BY cardinality(t.path)
        LOOP
          UPDATE organizations SET path = wrong.path WHERE id = wrong.id AND path <> wrong.path;
        END LOOP;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await keepPaths(runner, 'NEW.parent_id IS NULL');
  }
}

/** @param staysAlone the condition under which the path depends on no other row, and none on it */
const keepPaths = (runner: QueryRunner, staysAlone: string): Promise<unknown> =>
  runner.query(`
    CREATE OR REPLACE FUNCTION set_organization_path() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE parent_path bigint[] := '{}';
    BEGIN
      IF TG_OP = 'UPDATE' AND NEW.parent_id IS NOT DISTINCT FROM OLD.parent_id
         AND pg_trigger_depth() > 1 THEN
        RETURN NEW; -- the cascade writes path itself
      END IF;
      IF ${staysAlone} THEN
        NEW.path := ARRAY[NEW.id];
        RETURN NEW;
      END IF;
      PERFORM pg_advisory_xact_lock(hashtext('organizations.path'));
      IF NEW.parent_id IS NOT NULL THEN
        SELECT path INTO parent_path FROM organizations WHERE id = NEW.parent_id;
      END IF;
      IF NEW.id = ANY (parent_path) OR NEW.id = NEW.parent_id THEN
        RAISE EXCEPTION 'organization % would be below itself', NEW.id
          USING ERRCODE = 'check_violation', CONSTRAINT = 'organizations_cycle_check';
      END IF;
      NEW.path := parent_path || NEW.id;
      RETURN NEW;
    END $$`);
