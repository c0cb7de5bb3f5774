-- Derives the rights of users after a change of their assignments. The lock of the roles waits for a concurrent change of what they
-- permit.
CREATE OR REPLACE FUNCTION assignments_compile_rights() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed bigint[] := '{}';
BEGIN
  IF TG_OP IN ('INSERT', 'UPDATE') THEN
    PERFORM FROM roles WHERE id IN (SELECT role_id FROM added) ORDER BY id FOR SHARE;
    changed := ARRAY(SELECT user_id FROM added);
  END IF;
  IF TG_OP IN ('UPDATE', 'DELETE') THEN
    changed := changed || ARRAY(SELECT user_id FROM removed);
  END IF;
  IF TG_OP = 'TRUNCATE' THEN
    changed := ARRAY(SELECT id FROM users WHERE rights <> '[]');
  END IF;
  IF changed <> '{}' THEN
    PERFORM compile_rights(ARRAY(SELECT DISTINCT unnest(changed)));
  END IF;
  RETURN NULL;
END $$;

SELECT execute_on_changes('role_assignments', 'assignments_compile_rights');
