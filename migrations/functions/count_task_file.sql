-- Adds the changes of the size of all files, whose sum it is: a change waits for no other transaction, and an upload sums them
-- up (docs/decisions/0047).
CREATE OR REPLACE FUNCTION count_task_file() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE change bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.stored THEN change := change - OLD.size; END IF;
  IF TG_OP <> 'DELETE' AND NEW.stored THEN change := change + NEW.size; END IF;
  IF change <> 0 THEN INSERT INTO task_file_bytes VALUES (change); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER task_files_count AFTER INSERT OR DELETE OR UPDATE OF stored, size ON task_files
  FOR EACH ROW EXECUTE FUNCTION count_task_file();
