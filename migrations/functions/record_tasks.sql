-- Appends changed tasks to the journal, with their assignees and groups before and after, and the application of a task that
-- was open before or after: the feed tells substitutes of no task that was never in their sight (docs/decisions/0044).
CREATE OR REPLACE FUNCTION record_tasks() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE newest integer := newest_part();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO changes (part, kind, object, revision, operation, principals, application)
    SELECT newest, 'tasks', id, revision, 'I', array_remove(ARRAY[assignee_id, group_id], NULL),
      CASE WHEN status = 'open' THEN application_id ELSE 0 END
    FROM added;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO changes (part, kind, object, revision, operation, principals, application)
    SELECT newest, 'tasks', coalesce(n.id, o.id), n.revision, 'U',
      -- Without a subquery, which would double the time of the trigger.
      array_remove(ARRAY[
        o.assignee_id, CASE WHEN n.assignee_id IS DISTINCT FROM o.assignee_id THEN n.assignee_id END,
        o.group_id, CASE WHEN n.group_id IS DISTINCT FROM o.group_id THEN n.group_id END], NULL),
      CASE WHEN 'open' IN (o.status, n.status) THEN coalesce(n.application_id, o.application_id) ELSE 0 END
    FROM removed o FULL JOIN added n ON n.id = o.id;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO changes (part, kind, object, revision, operation, principals, application)
    SELECT newest, 'tasks', id, revision, 'D', array_remove(ARRAY[assignee_id, group_id], NULL),
      CASE WHEN status = 'open' THEN application_id ELSE 0 END
    FROM removed;
  ELSE
    INSERT INTO changes (part, kind, operation) VALUES (newest, 'tasks', 'T');
  END IF;
  RETURN NULL;
END $$;

SELECT execute_on_changes('tasks', 'record_tasks');
