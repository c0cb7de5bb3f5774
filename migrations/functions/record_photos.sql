-- A photo is part of its user: the journal has the user as changed.
CREATE OR REPLACE FUNCTION record_photos() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE newest integer := newest_part();
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    INSERT INTO changes (part, kind, operation) VALUES (newest, 'users', 'T');
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO changes (part, kind, object, operation)
    SELECT newest, 'users', user_id, 'U' FROM removed;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO changes (part, kind, object, operation)
    SELECT newest, 'users', user_id, 'U' FROM added;
  END IF;
  RETURN NULL;
END $$;

SELECT execute_on_changes('photos', 'record_photos');
