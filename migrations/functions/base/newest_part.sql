-- The newest part of the journal that was there before the transaction began: a session may not know a newer one yet, and
-- would refuse the row (docs/decisions/0032).
CREATE OR REPLACE FUNCTION newest_part() RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT part FROM change_parts WHERE dropped_until IS NULL ORDER BY creation_date < now() DESC, part DESC LIMIT 1);
END $$;
