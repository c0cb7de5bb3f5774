-- The first three characters of a title as a number in the same order: five bits per character, 0 before `a`, 27 after
-- `z`. The first character that is not a letter ends the prefix.
CREATE OR REPLACE FUNCTION title_prefix(title text) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  prefix integer := 0;
  letter integer := 1;
BEGIN
  FOR place IN 1..3 LOOP
    letter := CASE WHEN letter BETWEEN 1 AND 26
      THEN least(greatest(ascii(substr(title, place, 1)) - ascii('a') + 1, 0), 27) ELSE 0 END;
    prefix := prefix * 32 + letter;
  END LOOP;
  RETURN prefix;
END $$;
