-- Drops the parts of the journal whose rows are all older than the retention, and keeps the last transaction of each:
-- positions before it are no longer complete. Runs as the owner of the journal, which the role of the server cannot change.
CREATE OR REPLACE FUNCTION drop_journal_parts() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  old integer;
BEGIN
  FOR old IN
    SELECT part FROM (
      SELECT part, dropped_until, lead(creation_date) OVER (ORDER BY part) AS end_date FROM change_parts
    ) AS p WHERE dropped_until IS NULL AND end_date < now() - retention('changes.retention') ORDER BY part
  LOOP
    PERFORM lock_briefly('changes');
    -- A long transaction may write to an older part than a later one, so the greatest counts.
    EXECUTE format('UPDATE change_parts SET dropped_until = greatest(
        (SELECT xid FROM changes_%s ORDER BY xid DESC LIMIT 1),
        (SELECT max(dropped_until) FROM change_parts), ''0'') WHERE part = $1', old) USING old;
    EXECUTE format('DROP TABLE changes_%s', old);
    DELETE FROM change_parts WHERE part < old;
  END LOOP;
END $$;
