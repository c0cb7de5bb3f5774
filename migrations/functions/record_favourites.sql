-- A favourite concerns its user alone.
CREATE OR REPLACE FUNCTION record_favourites() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE newest integer := newest_part();
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    INSERT INTO changes (part, kind, operation) VALUES (newest, 'favourites', 'T');
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO changes (part, kind, object, operation, principals)
    SELECT newest, 'favourites', application_id, 'U', ARRAY[user_id] FROM removed;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO changes (part, kind, object, operation, principals)
    SELECT newest, 'favourites', application_id, 'U', ARRAY[user_id] FROM added;
  END IF;
  RETURN NULL;
END $$;

SELECT execute_on_changes('favourites', 'record_favourites');
