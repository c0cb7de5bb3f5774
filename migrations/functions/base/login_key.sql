-- The key by which logins are compared: it ignores case and compatibility forms, but not accents.
CREATE OR REPLACE FUNCTION login_key(login text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN octet_length(login) = length(login) THEN lower(login COLLATE "C") ELSE
    normalize(lower(normalize(login, NFKC) COLLATE "und-x-icu"), NFKC) COLLATE "C" END;
END $$;
