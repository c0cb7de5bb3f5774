-- A new or removed second step voids the sign-ins that verified the credentials before and have no token yet. An app that no
-- code has confirmed is none.
CREATE OR REPLACE FUNCTION second_step_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM raise_credential_version(coalesce(NEW.user_id, OLD.user_id));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER second_steps_added AFTER INSERT ON second_steps
  FOR EACH ROW WHEN (NEW.confirmation_date IS NOT NULL) EXECUTE FUNCTION second_step_changed();
CREATE OR REPLACE TRIGGER second_steps_confirmed AFTER UPDATE OF confirmation_date ON second_steps
  FOR EACH ROW EXECUTE FUNCTION second_step_changed();
CREATE OR REPLACE TRIGGER second_steps_removed AFTER DELETE ON second_steps
  FOR EACH ROW WHEN (OLD.confirmation_date IS NOT NULL) EXECUTE FUNCTION second_step_changed();
