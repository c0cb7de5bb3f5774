-- Says in the journal that a task has moved to another application. A substitute for the former one has to forget the task,
-- and nothing else tells the feed what it was (docs/decisions/0044).
CREATE OR REPLACE FUNCTION record_moved_tasks() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO changes (part, kind, object, revision, operation, principals, application)
  VALUES (newest_part(), 'tasks', NEW.id, NEW.revision, 'M', array_remove(ARRAY[OLD.assignee_id, OLD.group_id], NULL),
    CASE WHEN OLD.status = 'open' THEN OLD.application_id ELSE 0 END);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER tasks_record_move AFTER UPDATE OF application_id ON tasks
  FOR EACH ROW WHEN (OLD.application_id IS DISTINCT FROM NEW.application_id) EXECUTE FUNCTION record_moved_tasks();
