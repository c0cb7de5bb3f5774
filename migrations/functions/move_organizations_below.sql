-- Gives all organizations below one that has moved their new paths.
CREATE OR REPLACE FUNCTION move_organizations_below() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE organizations
  SET path = NEW.path || path[array_length(OLD.path, 1) + 1 : array_length(path, 1)]
  WHERE path @> ARRAY[NEW.id] AND id <> NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER organizations_move_below AFTER UPDATE OF parent_id ON organizations
  FOR EACH ROW WHEN (OLD.path IS DISTINCT FROM NEW.path) EXECUTE FUNCTION move_organizations_below();
