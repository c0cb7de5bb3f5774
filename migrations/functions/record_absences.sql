-- Appends changed rules of absence to the journal. A rule concerns both people, and the substitutes of the same person by other
-- rules, because the rule of an application takes its tasks from the general one (docs/decisions/0044).
CREATE OR REPLACE FUNCTION record_absences() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE newest integer := newest_part();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO changes (part, kind, object, revision, operation, principals)
    SELECT newest, 'absences', r.id, max(r.revision), 'I', array_agg(DISTINCT p.id)
    FROM added AS r CROSS JOIN LATERAL (
      SELECT r.user_id AS id UNION SELECT r.substitute_id
      UNION SELECT a.substitute_id FROM absences a WHERE a.user_id = r.user_id AND a.active) AS p
    GROUP BY r.id;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO changes (part, kind, object, revision, operation, principals)
    SELECT newest, 'absences', r.id, max(r.revision), 'U', array_agg(DISTINCT p.id)
    FROM (SELECT * FROM removed UNION ALL SELECT * FROM added) AS r CROSS JOIN LATERAL (
      SELECT r.user_id AS id UNION SELECT r.substitute_id
      UNION SELECT a.substitute_id FROM absences a WHERE a.user_id = r.user_id AND a.active) AS p
    GROUP BY r.id;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO changes (part, kind, object, revision, operation, principals)
    SELECT newest, 'absences', r.id, max(r.revision), 'D', array_agg(DISTINCT p.id)
    FROM removed AS r CROSS JOIN LATERAL (
      SELECT r.user_id AS id UNION SELECT r.substitute_id
      UNION SELECT a.substitute_id FROM absences a WHERE a.user_id = r.user_id AND a.active) AS p
    GROUP BY r.id;
  ELSE
    INSERT INTO changes (part, kind, operation) VALUES (newest, 'absences', 'T');
  END IF;
  RETURN NULL;
END $$;

SELECT execute_on_changes('absences', 'record_absences');
