-- Appends filters whose groups have changed to the journal, with these groups.
CREATE OR REPLACE FUNCTION record_task_filter_groups() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE newest integer := newest_part();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO changes (part, kind, object, operation, principals)
    SELECT newest, 'task-filters', r.filter_id, 'U', array_agg(DISTINCT r.group_id)
    FROM added AS r GROUP BY r.filter_id;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO changes (part, kind, object, operation, principals)
    SELECT newest, 'task-filters', r.filter_id, 'U', array_agg(DISTINCT r.group_id)
    FROM (SELECT * FROM removed UNION ALL SELECT * FROM added) AS r GROUP BY r.filter_id;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO changes (part, kind, object, operation, principals)
    SELECT newest, 'task-filters', r.filter_id, 'U', array_agg(DISTINCT r.group_id)
    FROM removed AS r GROUP BY r.filter_id;
  ELSE
    INSERT INTO changes (part, kind, operation) VALUES (newest, 'task-filters', 'T');
  END IF;
  RETURN NULL;
END $$;

SELECT execute_on_changes('task_filter_groups', 'record_task_filter_groups');
