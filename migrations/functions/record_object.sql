-- Appends the changed rows of a table of objects, which have a revision, to the journal (docs/decisions/0032). A role that
-- writes needs no rights on the journal, and its search_path and temporary tables do not matter. Argument: `principal` where
-- a change affects the object's own view of things.
CREATE OR REPLACE FUNCTION record_object() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  newest integer := newest_part();
  is_principal boolean := TG_NARGS > 0;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO changes (part, kind, object, revision, operation, principals)
    SELECT newest, TG_TABLE_NAME, id, revision, 'I', CASE WHEN is_principal THEN ARRAY[id] ELSE '{}' END FROM added;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO changes (part, kind, object, revision, operation, principals)
    SELECT newest, TG_TABLE_NAME, coalesce(n.id, o.id), n.revision, 'U',
      CASE WHEN is_principal THEN ARRAY[coalesce(n.id, o.id)] ELSE '{}' END
    FROM removed o FULL JOIN added n ON n.id = o.id;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO changes (part, kind, object, revision, operation, principals)
    SELECT newest, TG_TABLE_NAME, id, revision, 'D', CASE WHEN is_principal THEN ARRAY[id] ELSE '{}' END FROM removed;
  ELSE
    INSERT INTO changes (part, kind, operation) VALUES (newest, TG_TABLE_NAME, 'T');
  END IF;
  RETURN NULL;
END $$;

SELECT execute_on_changes('users', 'record_object', 'principal');
SELECT execute_on_changes('organizations', 'record_object', 'principal');
SELECT execute_on_changes('groups', 'record_object');
SELECT execute_on_changes('categories', 'record_object');
SELECT execute_on_changes('applications', 'record_object');
SELECT execute_on_changes('views', 'record_object');
SELECT execute_on_changes('sources', 'record_object');
SELECT execute_on_changes('documents', 'record_object');
SELECT execute_on_changes('news', 'record_object');
SELECT execute_on_changes('faqs', 'record_object');
SELECT execute_on_changes('customers', 'record_object');
