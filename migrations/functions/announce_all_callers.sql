-- Announces the end of all tokens at once.
CREATE OR REPLACE FUNCTION announce_all_callers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('callers', '');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER tokens_announce_truncation AFTER TRUNCATE ON tokens
  FOR EACH STATEMENT EXECUTE FUNCTION announce_all_callers();
