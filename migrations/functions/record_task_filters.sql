-- Appends changed filters of the inbox to the journal, with the people and groups who see them; those that all people see
-- without principals (docs/decisions/0046).
CREATE OR REPLACE FUNCTION record_task_filters() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE newest integer := newest_part();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO changes (part, kind, object, revision, operation, principals)
    SELECT newest, 'task-filters', r.id, max(r.revision), 'I',
      CASE WHEN bool_or(r.shared_with_everyone) THEN '{}' ELSE array_agg(DISTINCT r.owner_id)
        || ARRAY(SELECT g.group_id FROM task_filter_groups g WHERE g.filter_id = r.id) END
    FROM added AS r GROUP BY r.id;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO changes (part, kind, object, revision, operation, principals)
    SELECT newest, 'task-filters', r.id, max(r.revision), 'U',
      CASE WHEN bool_or(r.shared_with_everyone) THEN '{}' ELSE array_agg(DISTINCT r.owner_id)
        || ARRAY(SELECT g.group_id FROM task_filter_groups g WHERE g.filter_id = r.id) END
    FROM (SELECT * FROM removed UNION ALL SELECT * FROM added) AS r GROUP BY r.id;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO changes (part, kind, object, revision, operation, principals)
    SELECT newest, 'task-filters', r.id, max(r.revision), 'D',
      CASE WHEN bool_or(r.shared_with_everyone) THEN '{}' ELSE array_agg(DISTINCT r.owner_id)
        || ARRAY(SELECT g.group_id FROM task_filter_groups g WHERE g.filter_id = r.id) END
    FROM removed AS r GROUP BY r.id;
  ELSE
    INSERT INTO changes (part, kind, operation) VALUES (newest, 'task-filters', 'T');
  END IF;
  RETURN NULL;
END $$;

SELECT execute_on_changes('task_filters', 'record_task_filters');
