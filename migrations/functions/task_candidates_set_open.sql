-- Copies whether the task is open into a new candidate's row. The share lock makes the row wait for a change of its task that
-- is under way.
CREATE OR REPLACE FUNCTION task_candidates_set_open() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  SELECT status = 'open' INTO NEW.open FROM tasks WHERE id = NEW.task_id FOR SHARE;
  NEW.open := coalesce(NEW.open, true);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER task_candidates_set_open BEFORE INSERT ON task_candidates
  FOR EACH ROW EXECUTE FUNCTION task_candidates_set_open();
