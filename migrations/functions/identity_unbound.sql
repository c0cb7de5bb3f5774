-- An account that loses its identity at a provider is signed out.
CREATE OR REPLACE FUNCTION identity_unbound() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM raise_credential_version(OLD.user_id);
  DELETE FROM tokens WHERE user_id = OLD.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER identities_unbound AFTER UPDATE OF issuer, subject, user_id OR DELETE ON identities
  FOR EACH ROW EXECUTE FUNCTION identity_unbound();
