-- Ends what an account may no longer do when its status or its rights change, and announces the change. A change of status
-- voids an open invitation, which was made for an account in another state.
CREATE OR REPLACE FUNCTION end_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> OLD.status THEN
    PERFORM raise_credential_version(NEW.id);
    DELETE FROM invitations WHERE user_id = NEW.id;
  END IF;
  IF NEW.status <> 1 THEN
    DELETE FROM tokens WHERE user_id = NEW.id OR agent_id = NEW.id;
  END IF;
  PERFORM pg_notify('callers', NEW.id::text);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_end_sessions
  AFTER UPDATE OF status, rights, login, title, locale, calls_per_minute ON users
  FOR EACH ROW WHEN (
    (OLD.status, OLD.rights, OLD.login, OLD.title, OLD.locale, OLD.calls_per_minute)
    IS DISTINCT FROM
    (NEW.status, NEW.rights, NEW.login, NEW.title, NEW.locale, NEW.calls_per_minute))
  EXECUTE FUNCTION end_sessions();
