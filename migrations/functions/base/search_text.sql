-- The text in which a search looks for its terms: folded, followed by the other spellings of its words. `Müller` is also
-- `mueller`, and `Mueller` also `muller`, which is how `Müller` folds; so no search has to look for two terms. `ue` after a
-- vowel or q is mostly no umlaut (neue, Quelle).
CREATE OR REPLACE FUNCTION search_text(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  folded text := fold(value);
  others text;
BEGIN
  IF folded !~ '[aou]e' AND (octet_length(value) = length(value) OR normalize(value, NFC) !~ '[äöüøÄÖÜØ]') THEN
    RETURN folded;
  END IF;
  SELECT string_agg(DISTINCT spelling, ' ') INTO others
    FROM regexp_split_to_table(lower(normalize(value, NFC) COLLATE "und-x-icu"), '\s+') AS word,
      LATERAL (VALUES
        (fold(replace(replace(replace(replace(word, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'))),
        (regexp_replace(regexp_replace(fold(word), '([ao])e', '\1', 'g'), '(^|[^aeiouq])ue', '\1u', 'g'))) AS other (spelling)
    WHERE spelling <> fold(word);
  RETURN concat_ws(' ', folded, others) COLLATE "C";
END $$;
