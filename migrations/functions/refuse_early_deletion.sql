-- A line of the audit trail can be deleted only when it is older than the retention parameter.
CREATE OR REPLACE FUNCTION refuse_early_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  days integer := coalesce((SELECT value::integer FROM parameters WHERE key = 'audit.retention'), 365);
BEGIN
  IF OLD.date > now() - make_interval(days => days) THEN
    RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN OLD;
END $$;

CREATE OR REPLACE TRIGGER audit_keep BEFORE DELETE ON audit
  FOR EACH ROW EXECUTE FUNCTION refuse_early_deletion();
