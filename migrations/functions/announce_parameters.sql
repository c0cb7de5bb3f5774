-- Tells every instance to read the parameters again.
CREATE OR REPLACE FUNCTION announce_parameters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('parameters', '');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER parameters_announce AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON parameters
  FOR EACH STATEMENT EXECUTE FUNCTION announce_parameters();
