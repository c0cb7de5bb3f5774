-- Withdraws the resets of a second step that somebody has asked for who is shut out or whose rights change: both people have to
-- be allowed to reset it when it happens.
CREATE OR REPLACE FUNCTION void_second_step_resets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM second_step_resets WHERE requester_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_void_second_step_resets AFTER UPDATE OF status, rights ON users
  FOR EACH ROW WHEN ((OLD.status, OLD.rights) IS DISTINCT FROM (NEW.status, NEW.rights))
  EXECUTE FUNCTION void_second_step_resets();
