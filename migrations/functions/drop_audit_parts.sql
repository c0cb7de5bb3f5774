-- Drops the months of the audit trail whose lines are all older than the retention. Runs as the owner of the trail, which the
-- role of the server cannot change.
CREATE OR REPLACE FUNCTION drop_audit_parts() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  old text;
BEGIN
  FOR old IN
    SELECT inhrelid::regclass FROM pg_inherits JOIN pg_class ON oid = inhrelid
    WHERE inhparent = 'audit'::regclass AND relname ~ '^audit_\d{4}_\d\d$'
      AND (to_date(right(relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC'
        <= now() - retention('audit.retention')
    ORDER BY relname
  LOOP
    PERFORM lock_briefly('audit');
    EXECUTE format('DROP TABLE %s', old);
  END LOOP;
END $$;
