-- Folds a text for filters, sorting and search, which ignore case and accents (docs/api-contract.md#text-comparison). ASCII
-- has neither accents nor special letters, so it takes a fast path. Like all text functions it is IMMUTABLE, so that
-- indexes can store its results; the ICU root collation and "C" make it independent of the locale. It is in PL/pgSQL: an
-- SQL function that is not inlined starts an executor at each call, which took most of the time of an import.
CREATE OR REPLACE FUNCTION fold(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C") ELSE
    replace(replace(replace(replace(
      translate(
        lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]+', '', 'g') COLLATE "und-x-icu"),
        'øłđıðħŧς', 'oldidhtσ'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') COLLATE "C" END;
END $$;
