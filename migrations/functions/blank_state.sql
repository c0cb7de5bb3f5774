-- A state of the audit trail of which only the names of the attributes are left.
CREATE OR REPLACE FUNCTION blank_state(state jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT CASE WHEN jsonb_typeof(state) = 'object' THEN (SELECT jsonb_object_agg(key, NULL) FROM jsonb_object_keys(state) AS key) END
$$;
