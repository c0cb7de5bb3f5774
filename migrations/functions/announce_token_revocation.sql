-- Instances cache tokens with data of their user. Each deletion and each change is announced, so that changes by SQL or the
-- command line reach every instance too.
CREATE OR REPLACE FUNCTION announce_token_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('callers', OLD.user_id::text);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER tokens_announce_revocation AFTER DELETE ON tokens
  FOR EACH ROW WHEN (OLD.expiration > now()) EXECUTE FUNCTION announce_token_revocation();
CREATE OR REPLACE TRIGGER tokens_announce_proof AFTER UPDATE OF proof_date ON tokens
  FOR EACH ROW EXECUTE FUNCTION announce_token_revocation();
CREATE OR REPLACE TRIGGER tokens_announce_change AFTER UPDATE OF expiration, user_id, hash, adds_second_step ON tokens
  FOR EACH ROW EXECUTE FUNCTION announce_token_revocation();
CREATE OR REPLACE TRIGGER api_keys_announce_addresses AFTER UPDATE OF addresses ON api_keys
  FOR EACH ROW EXECUTE FUNCTION announce_token_revocation();
