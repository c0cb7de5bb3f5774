-- Derives the rights of all who have a role after a change of what it permits.
CREATE OR REPLACE FUNCTION roles_compile_rights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM compile_rights(ARRAY(SELECT DISTINCT user_id FROM role_assignments WHERE role_id = NEW.id));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER roles_compile_rights AFTER UPDATE OF permissions ON roles
  FOR EACH ROW WHEN (OLD.permissions IS DISTINCT FROM NEW.permissions) EXECUTE FUNCTION roles_compile_rights();
