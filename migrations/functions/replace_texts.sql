-- JSON with some texts replaced where each is a whole value, also in the text of JSON that the audit trail has cut.
CREATE OR REPLACE FUNCTION replace_texts(document jsonb, texts text[], replacements text[]) RETURNS jsonb LANGUAGE plpgsql STABLE STRICT AS $$
DECLARE
  json text := document::text;
  quoted text;
  special text := '([][\\.^$*+?(){}|])';
BEGIN
  FOR at IN 1 .. cardinality(texts) LOOP
    quoted := to_json(texts[at])::text;
    -- A name of an attribute is followed by a colon.
    json := regexp_replace(json, regexp_replace(quoted, special, '\\\1', 'g') || '(?!:)', '"' || replacements[at] || '"', 'g');
    quoted := substr(to_json(quoted)::text, 2, length(to_json(quoted)::text) - 2);
    json := replace(json, quoted, '\"' || replacements[at] || '\"');
  END LOOP;
  RETURN json::jsonb;
END $$;
