-- Voids the codes for a new password of an account whose e-mail address or status changes.
CREATE OR REPLACE FUNCTION void_password_resets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM password_resets WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_void_password_resets AFTER UPDATE OF email, status ON users
  FOR EACH ROW WHEN ((OLD.email, OLD.status) IS DISTINCT FROM (NEW.email, NEW.status))
  EXECUTE FUNCTION void_password_resets();
