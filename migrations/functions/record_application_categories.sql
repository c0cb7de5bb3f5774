-- The categories of an application are part of it: the journal has the application as changed.
CREATE OR REPLACE FUNCTION record_application_categories() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE newest integer := newest_part();
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    INSERT INTO changes (part, kind, operation) VALUES (newest, 'applications', 'T');
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO changes (part, kind, object, operation)
    SELECT newest, 'applications', application_id, 'U' FROM removed;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO changes (part, kind, object, operation)
    SELECT newest, 'applications', application_id, 'U' FROM added;
  END IF;
  RETURN NULL;
END $$;

SELECT execute_on_changes('application_categories', 'record_application_categories');
