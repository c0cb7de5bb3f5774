-- Refuses every change of the audit trail, even by the server's own role; a superuser can disable triggers. PostgreSQL fires it
-- only for the table that a statement names, so each part has the trigger too.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE OR REPLACE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_default
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- The triggers of the parts need this function.
SELECT add_audit_parts();
