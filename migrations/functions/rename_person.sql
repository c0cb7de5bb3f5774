-- JSON that names a person, with the former employee instead: in the Refs of the person, in the links of deliveries, and where
-- an attribute that names people has one of the names. Any other text stays, even where it is the same.
CREATE OR REPLACE FUNCTION rename_person(document jsonb, of_user bigint, keys text[], named boolean DEFAULT false)
RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  uri text := '/directory/users/' || of_user;
  former text := 'former-' || of_user;
  label text := 'Former employee ' || of_user;
  content text := document #>> '{}';
  is_person boolean;
BEGIN
  CASE jsonb_typeof(document)
    WHEN 'object' THEN
      is_person := document ->> 'uri' = uri;
      RETURN (SELECT coalesce(jsonb_object_agg(key, CASE
          WHEN is_person AND key IN ('login', 'reference') THEN to_jsonb(former)
          WHEN is_person AND key IN ('label', 'title') THEN to_jsonb(label)
          WHEN key IN ('assignee_id', 'closed_by_id', 'closed_for_id') AND value ->> 0 = of_user::text
            THEN jsonb_build_array(of_user::text, former, label)
          ELSE rename_person(value, of_user, keys, key IN ('assignee', 'candidates', 'names')) END), '{}')
        FROM jsonb_each(document));
    WHEN 'array' THEN
      RETURN (SELECT coalesce(jsonb_agg(rename_person(value, of_user, keys, named) ORDER BY place), '[]')
        FROM jsonb_array_elements(document) WITH ORDINALITY AS element (value, place));
    WHEN 'string' THEN
      IF named AND login_key(content) = ANY (keys) THEN RETURN to_jsonb(former); END IF;
      -- JSON that the audit trail has cut: what is left of it cannot be walked, so that its end alone stays.
      IF left(content, 1) IN ('[', '{') AND strpos(content, to_json(uri)::text) > 0 AND strpos(content, '… (') > 0 THEN
        RETURN to_jsonb(substr(content, strpos(content, '… (')));
      END IF;
      RETURN document;
    ELSE RETURN document;
  END CASE;
END $$;
