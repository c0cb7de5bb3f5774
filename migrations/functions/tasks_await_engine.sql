-- The statement that decides a task makes its decision wait for the engine, also in plain SQL (docs/decisions/0043). What a
-- process engine closes itself waits for no engine. A decision that the engine had taken before people took it back becomes
-- that of the task again.
CREATE OR REPLACE FUNCTION tasks_await_engine() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.status = 'done' AND NEW.confirmation = 'confirmed' AND OLD.confirmation IS DISTINCT FROM 'confirmed' THEN
    RETURN NEW;
  END IF;
  NEW.decision := NULL;
  IF NEW.status = 'open' AND NEW.confirmation = 'refused' THEN RETURN NEW; END IF;
  NEW.confirmation := NULL;
  NEW.refusal_reason := NULL;
  IF NEW.status = 'done'
    AND EXISTS (
      SELECT FROM endpoints_hearing('task.decided', ARRAY[NEW.application_id], ARRAY[NEW.source_id], NEW.external_id IS NOT NULL) p
      WHERE p.confirms OR p.adapter IS NOT NULL)
    AND NOT EXISTS (SELECT FROM users u WHERE u.id = NEW.closed_by_id AND u.process_engine)
  THEN
    NEW.confirmation := 'pending';
    NEW.decision := gen_random_uuid();
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER tasks_await_engine BEFORE UPDATE OF status ON tasks
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tasks_await_engine();
