-- The few ranges that together cover every prefix before this one.
CREATE OR REPLACE FUNCTION title_prefix_ranges_before(prefix integer) RETURNS integer[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT ARRAY(
    SELECT size * 100000 + own - own % 4 + sibling
    FROM generate_series(0, 7) AS size, LATERAL (SELECT prefix / (4 ^ size)::integer) AS sized(own),
      generate_series(0, own % 4 - 1) AS sibling)
$$;
