-- The n-grams of one, two and three characters of a folded text, without spaces, in one pass. A GIN index over them
-- finds every substring. The result may contain duplicates; the index stores each n-gram once. COST accounts for
-- reading the row, which evaluating the function outside the index requires; it makes the planner prefer the index.
CREATE OR REPLACE FUNCTION ngrams(value text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
DECLARE
  found text[] := array_remove(string_to_array(value, NULL), ' ');
  pair text := '';
  previous text := '';
  current text;
BEGIN
  FOREACH current IN ARRAY string_to_array(value, NULL) LOOP
    IF current = ' ' THEN
      pair := '';
      previous := '';
    ELSIF previous = '' THEN
      previous := current;
    ELSE
      IF pair <> '' THEN
        found := found || (pair || current);
      END IF;
      pair := previous || current;
      found := found || pair;
      previous := current;
    END IF;
  END LOOP;
  RETURN found;
END $$;
