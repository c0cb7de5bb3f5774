-- A changed or deleted password voids the sign-ins that verified it and have no token yet.
CREATE OR REPLACE FUNCTION password_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM raise_credential_version(OLD.user_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER passwords_changed AFTER UPDATE OF hash OR DELETE ON passwords
  FOR EACH ROW EXECUTE FUNCTION password_changed();
