-- Keeps the state of each task after a change, the former values, which endpoints there were, and which of them confirmed
-- decisions: the answers of these settle a decision that became pending by the change, and no other's, whatever is switched
-- before it is delivered (docs/decisions/0038, 0043). Writes nothing while there is no endpoint. Long texts are named, not
-- copied.
CREATE OR REPLACE FUNCTION tasks_tell() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  present bigint[] := (SELECT array_agg(id) FROM endpoints);
  confirming bigint[] := ARRAY(SELECT id FROM endpoints WHERE confirms OR adapter IS NOT NULL);
  long text[] := '{description,variables,outcomes,source_digest}';
BEGIN
  IF present IS NULL THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO task_changes (task_id, operation, task, endpoints, confirming)
    SELECT n.id, 'I', to_jsonb(n) - long, present, confirming FROM added n;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO task_changes (task_id, operation, task, before, endpoints, confirming)
    SELECT n.id, 'U', to_jsonb(n) - long, coalesce((
        SELECT jsonb_object_agg(e.key, CASE WHEN e.key = ANY (long) THEN 'null' ELSE e.value END)
        FROM jsonb_each(to_jsonb(o) - '{revision,modification_date,source_digest}'::text[]) e
        WHERE to_jsonb(n)->e.key IS DISTINCT FROM e.value), '{}'), present, confirming
    FROM removed o JOIN added n ON n.id = o.id;
  ELSE
    INSERT INTO task_changes (task_id, operation, task, endpoints, confirming)
    SELECT o.id, 'D', to_jsonb(o) - long, present, confirming FROM removed o;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER tasks_tell_insert AFTER INSERT ON tasks REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tasks_tell();
CREATE OR REPLACE TRIGGER tasks_tell_update AFTER UPDATE ON tasks REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tasks_tell();
CREATE OR REPLACE TRIGGER tasks_tell_delete AFTER DELETE ON tasks REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION tasks_tell();
