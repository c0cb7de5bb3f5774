-- Voids the open invitation of an account whose e-mail address, login or rights change, or that a source or an endpoint names:
-- the code may be with a stranger at a mistyped address, or made without a proof for an account without rights.
-- Its argument is the column with the id of the user.
CREATE OR REPLACE FUNCTION void_invitation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM invitations WHERE user_id = (to_jsonb(NEW) ->> TG_ARGV[0])::bigint;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_void_invitation AFTER UPDATE OF email, login, rights ON users
  FOR EACH ROW WHEN (
    (OLD.email, OLD.login, OLD.rights)
    IS DISTINCT FROM
    (NEW.email, NEW.login, NEW.rights))
  EXECUTE FUNCTION void_invitation('id');

CREATE OR REPLACE TRIGGER sources_void_invitation AFTER INSERT OR UPDATE OF service_account_id ON sources
  FOR EACH ROW WHEN (NEW.service_account_id IS NOT NULL)
  EXECUTE FUNCTION void_invitation('service_account_id');

CREATE OR REPLACE TRIGGER endpoints_void_invitation AFTER INSERT OR UPDATE OF account_id ON endpoints
  FOR EACH ROW WHEN (NEW.account_id IS NOT NULL)
  EXECUTE FUNCTION void_invitation('account_id');
