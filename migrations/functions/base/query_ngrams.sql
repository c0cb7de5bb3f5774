-- The n-grams that a text must have to contain the value: at most seven of the longest of each word, spread evenly.
-- More n-grams would exclude few further rows, and the index reads the entries of each.
CREATE OR REPLACE FUNCTION query_ngrams(value text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT ARRAY(
    SELECT DISTINCT substr(word, place + 1, 3)
    FROM string_to_table(value, ' ') AS word, greatest(length(word) - 3, 0) AS last, generate_series(0, last) AS place
    WHERE word <> '' AND (place % (last / 6 + 1) = 0 OR place = last))
$$;
