-- The part of a folded title that orders a search: at most 736 bytes, which 184 characters never exceed, so that a
-- paging cursor fits into 1 KiB (src/search/cursor.ts).
CREATE OR REPLACE FUNCTION cut_title(folded text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(folded) <= 736 THEN folded ELSE left(folded, 184) END
$$;
