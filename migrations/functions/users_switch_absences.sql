-- Switches the rules of a substitute who may, or may no longer, sign in.
CREATE OR REPLACE FUNCTION users_switch_absences() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM switch_absences(NEW.id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_switch_absences AFTER UPDATE OF status ON users
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION users_switch_absences();
