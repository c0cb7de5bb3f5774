-- Refuses every change of the audit trail, even by the server's own role; a superuser can disable triggers. The erasure of a
-- person alone may change lines. PostgreSQL fires the trigger only for the table that a statement names, so each part has it too.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  stack text;
BEGIN
  GET DIAGNOSTICS stack = PG_CONTEXT;
  IF TG_OP = 'UPDATE' AND stack ~ '\nPL/pgSQL function (?!pg_temp)([^\n]+\.)?erase_person\(bigint\) line' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE OR REPLACE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_default
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- The triggers of the parts need this function.
SELECT add_audit_parts();
