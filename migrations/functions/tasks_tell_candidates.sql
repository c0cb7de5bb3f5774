-- Keeps `open` of the candidates of changed tasks, and tells the journal whom these tasks concern.
CREATE OR REPLACE FUNCTION tasks_tell_candidates() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE task_candidates c SET open = n.status = 'open'
  FROM added n JOIN removed o ON o.id = n.id
  WHERE c.task_id = n.id AND (n.status = 'open') <> (o.status = 'open');
  INSERT INTO changes (part, kind, object, operation, principals)
  SELECT newest_part(), 'candidates', c.task_id, 'U', array_agg(c.principal_id)
  FROM added n JOIN task_candidates c ON c.task_id = n.id GROUP BY c.task_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER tasks_tell_candidates AFTER UPDATE ON tasks
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tasks_tell_candidates();
