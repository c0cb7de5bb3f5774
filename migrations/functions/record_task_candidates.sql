-- The candidates of a task are part of it: the journal has the task, and the people and groups whom the change concerns, so
-- that their own view of things follows. A change of `open` alone is that of its task.
CREATE OR REPLACE FUNCTION record_task_candidates() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE newest integer := newest_part();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO changes (part, kind, object, operation)
    SELECT DISTINCT newest, 'tasks', r.task_id, 'U'::"char" FROM added AS r;
    INSERT INTO changes (part, kind, object, operation, principals)
    SELECT newest, 'candidates', r.task_id, 'U', array_agg(r.principal_id) FROM added AS r GROUP BY r.task_id;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO changes (part, kind, object, operation)
    SELECT DISTINCT newest, 'tasks', r.task_id, 'U'::"char" FROM (
      (SELECT task_id, principal_id FROM removed EXCEPT SELECT task_id, principal_id FROM added)
      UNION ALL (SELECT task_id, principal_id FROM added EXCEPT SELECT task_id, principal_id FROM removed)) AS r;
    INSERT INTO changes (part, kind, object, operation, principals)
    SELECT newest, 'candidates', r.task_id, 'U', array_agg(r.principal_id) FROM (
      (SELECT task_id, principal_id FROM removed EXCEPT SELECT task_id, principal_id FROM added)
      UNION ALL (SELECT task_id, principal_id FROM added EXCEPT SELECT task_id, principal_id FROM removed)) AS r GROUP BY r.task_id;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO changes (part, kind, object, operation)
    SELECT DISTINCT newest, 'tasks', r.task_id, 'U'::"char" FROM removed AS r;
    INSERT INTO changes (part, kind, object, operation, principals)
    SELECT newest, 'candidates', r.task_id, 'U', array_agg(r.principal_id) FROM removed AS r GROUP BY r.task_id;
  ELSE
    INSERT INTO changes (part, kind, operation) VALUES (newest, 'tasks', 'T');
  END IF;
  RETURN NULL;
END $$;

SELECT execute_on_changes('task_candidates', 'record_task_candidates');
