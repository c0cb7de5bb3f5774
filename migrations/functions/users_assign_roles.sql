-- Gives and takes the roles that two attributes of a user are.
CREATE OR REPLACE FUNCTION users_assign_roles() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM role_assignments a USING roles r WHERE a.user_id = NEW.id AND r.id = a.role_id
    AND num_nonnulls(a.organization_id, a.group_id, a.application_id) = 0
    AND (r.reference = 'administrator' AND NOT NEW.administrator OR r.reference = 'process-engine' AND NOT NEW.process_engine);
  INSERT INTO role_assignments (user_id, role_id) SELECT NEW.id, id FROM roles
  WHERE reference = 'administrator' AND NEW.administrator OR reference = 'process-engine' AND NEW.process_engine
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_assign_roles AFTER UPDATE OF administrator, process_engine ON users
  FOR EACH ROW WHEN ((OLD.administrator, OLD.process_engine) IS DISTINCT FROM (NEW.administrator, NEW.process_engine))
  EXECUTE FUNCTION users_assign_roles();

CREATE OR REPLACE TRIGGER users_assign_first_roles AFTER INSERT ON users
  FOR EACH ROW WHEN (NEW.administrator OR NEW.process_engine) EXECUTE FUNCTION users_assign_roles();
