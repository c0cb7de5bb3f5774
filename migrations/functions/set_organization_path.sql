-- Derives the path of an organization, the ids from the root to itself, from its parent. An advisory lock serializes moves:
-- two concurrent moves could otherwise create a cycle undetected.
CREATE OR REPLACE FUNCTION set_organization_path() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE parent_path bigint[] := '{}';
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.parent_id IS NOT DISTINCT FROM OLD.parent_id
     AND pg_trigger_depth() > 1 THEN
    RETURN NEW; -- move_organizations_below() writes path itself
  END IF;
  -- The path depends on no other row, and none on it.
  IF NEW.parent_id IS NULL AND (TG_OP = 'INSERT' OR OLD.parent_id IS NULL) THEN
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
END $$;

CREATE OR REPLACE TRIGGER organizations_set_path BEFORE INSERT OR UPDATE OF parent_id, path ON organizations
  FOR EACH ROW EXECUTE FUNCTION set_organization_path();
