-- A membership is part of the user and of the group: the journal has both as changed.
CREATE OR REPLACE FUNCTION record_group_members() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE newest integer := newest_part();
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    INSERT INTO changes (part, kind, operation) VALUES (newest, 'users', 'T'), (newest, 'groups', 'T');
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO changes (part, kind, object, operation, principals)
    SELECT newest, 'users', user_id, 'U', ARRAY[user_id] FROM removed;
    INSERT INTO changes (part, kind, object, operation)
    SELECT newest, 'groups', group_id, 'U' FROM removed;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO changes (part, kind, object, operation, principals)
    SELECT newest, 'users', user_id, 'U', ARRAY[user_id] FROM added;
    INSERT INTO changes (part, kind, object, operation)
    SELECT newest, 'groups', group_id, 'U' FROM added;
  END IF;
  RETURN NULL;
END $$;

SELECT execute_on_changes('group_members', 'record_group_members');
