-- Keeps when a task was closed, in whatever way: a substitute reads what was closed since the absence began, and later changes
-- of the task must not move that moment (docs/decisions/0044). A statement may say the moment itself. Keeps also whether the source closed it, which may open it again
-- when it has another account by then.
CREATE OR REPLACE FUNCTION tasks_note_closing() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  NEW.closed_date := CASE
    WHEN NEW.status = 'open' THEN NULL
    WHEN NEW.closed_date IS DISTINCT FROM OLD.closed_date THEN NEW.closed_date
    ELSE now() END;
  NEW.closed_by_source := NEW.status <> 'open' AND EXISTS (
    SELECT FROM sources s WHERE s.id = NEW.source_id AND s.service_account_id = NEW.closed_by_id);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER tasks_note_closing_insert BEFORE INSERT ON tasks
  FOR EACH ROW WHEN (NEW.status <> 'open') EXECUTE FUNCTION tasks_note_closing();
CREATE OR REPLACE TRIGGER tasks_note_closing BEFORE UPDATE OF status ON tasks
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tasks_note_closing();
