-- Adds parts to the audit trail: this month and the next, by UTC, and the past months of lines in the default part. That part
-- takes the lines of months that have none, so that a wrong clock or a server that was off loses nothing. Runs as the owner of
-- the trail, which the role of the server cannot change.
CREATE OR REPLACE FUNCTION add_audit_parts() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  this_month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
  month timestamp;
  part text;
  first timestamptz;
  next timestamptz;
BEGIN
  -- An array, because a table that an open query reads cannot be altered.
  FOREACH month IN ARRAY ARRAY(
    SELECT this_month UNION SELECT this_month + interval '1 month'
    UNION SELECT date_trunc('month', date AT TIME ZONE 'UTC') FROM audit_default WHERE isfinite(date) AND date < now()
  ) LOOP
    part := 'audit_' || to_char(month, 'YYYY_MM');
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    first := month AT TIME ZONE 'UTC';
    next := (month + interval '1 month') AT TIME ZONE 'UTC';
    PERFORM lock_briefly('audit_default');
    EXECUTE format('CREATE TABLE %s (LIKE audit INCLUDING DEFAULTS INCLUDING INDEXES)', part);
    EXECUTE format('CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %s
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', part);
    EXECUTE format('INSERT INTO %s SELECT * FROM audit_default WHERE date >= $1 AND date < $2', part) USING first, next;
    IF EXISTS (SELECT FROM audit_default WHERE date >= first AND date < next) THEN
      ALTER TABLE audit_default DISABLE TRIGGER audit_append_only;
      DELETE FROM audit_default WHERE date >= first AND date < next;
      ALTER TABLE audit_default ENABLE TRIGGER audit_append_only;
    END IF;
    EXECUTE format('ALTER TABLE audit ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', part, first, next);
  END LOOP;
END $$;
