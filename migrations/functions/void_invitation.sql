-- Voids the open invitation of an account whose e-mail address, login or rights change: the code may be with a stranger at a
-- mistyped address, or made without a proof for an account without rights.
CREATE OR REPLACE FUNCTION void_invitation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM invitations WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_void_invitation AFTER UPDATE OF email, login, rights ON users
  FOR EACH ROW WHEN (
    (OLD.email, OLD.login, OLD.rights)
    IS DISTINCT FROM
    (NEW.email, NEW.login, NEW.rights))
  EXECUTE FUNCTION void_invitation();
