-- The ranges that contain a prefix, one for each of eight widths; each width is four times the previous one.
CREATE OR REPLACE FUNCTION title_prefix_ranges(prefix integer) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
BEGIN
  RETURN ARRAY[prefix, 100000 + prefix / 4, 200000 + prefix / 16, 300000 + prefix / 64,
    400000 + prefix / 256, 500000 + prefix / 1024, 600000 + prefix / 4096, 700000 + prefix / 16384];
END $$;
