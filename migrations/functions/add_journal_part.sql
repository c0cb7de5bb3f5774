-- Adds a part to the journal once the newest is older than a tenth of the retention. The first call attaches it, which
-- blocks no other session, unlike creating it in place; a call in a later transaction opens it, because sessions must know a
-- part before they use it. Runs as the owner of the journal, which the role of the server cannot change.
CREATE OR REPLACE FUNCTION add_journal_part() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  next integer;
  is_old boolean;
BEGIN
  SELECT part + 1, creation_date < now() - retention('changes.retention') / 10 INTO next, is_old
  FROM change_parts ORDER BY part DESC LIMIT 1;
  IF is_old IS NOT TRUE THEN
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass('changes_' || next) AND inhparent = 'changes'::regclass) THEN
    INSERT INTO change_parts (part) VALUES (next);
    RETURN;
  END IF;
  EXECUTE format('CREATE TABLE changes_%1$s (LIKE changes INCLUDING DEFAULTS INCLUDING INDEXES, CHECK (part = %1$s))', next);
  EXECUTE format('ALTER TABLE changes ATTACH PARTITION changes_%1$s FOR VALUES IN (%1$s)', next);
END $$;
