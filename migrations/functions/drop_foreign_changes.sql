-- Empties a journal whose transactions this database has not reached: they come from another one, by pg_restore, and readers
-- would treat them as new with every read. Runs as the owner of the journal, which the role of the server cannot change.
CREATE OR REPLACE FUNCTION drop_foreign_changes() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  next xid8 := pg_snapshot_xmax(pg_current_snapshot());
BEGIN
  IF (SELECT xid FROM changes ORDER BY xid DESC LIMIT 1) >= next
    OR EXISTS (SELECT FROM change_parts WHERE dropped_until >= next) THEN
    TRUNCATE changes;
    DELETE FROM change_parts WHERE dropped_until IS NOT NULL;
  END IF;
END $$;
