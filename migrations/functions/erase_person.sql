-- Erases what is personal about a user (docs/decisions/0058). All that a deletion would take goes; the row stays under another
-- name, so that tasks, comments and the trail still say that it was the same person. Runs as the owner: the role of the server
-- cannot change the audit trail, and can have only a whole person erased there.
CREATE OR REPLACE FUNCTION erase_person(of_user bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  person users;
  link record;
  uri text := '/directory/users/' || of_user;
  within text := uri || '/';
  former text := 'former-' || of_user;
  label text := 'Former employee ' || of_user;
  -- Texts that name this user and no other. Whoever writes the user chooses them, so they decide only about what came after the
  -- user, and only where a name stands.
  names text[];
  keys text[];
  patterns text[];
BEGIN
  SELECT * INTO STRICT person FROM users WHERE id = of_user AND NOT sysadmin AND NOT service FOR UPDATE;
  -- The trail has earlier names and addresses too.
  names := ARRAY(
    SELECT DISTINCT text FROM (
      SELECT state.value ->> key AS text
      FROM audit a, unnest(ARRAY[a.before, a.after]) AS state (value), unnest('{login,reference,email,externalId}'::text[]) AS key
      WHERE fold(a.object_uri COLLATE "C") = fold(uri COLLATE "C") AND jsonb_typeof(state.value) = 'object'
      UNION SELECT unnest(ARRAY[person.login, person.email, person.external_id])
    ) AS found
    WHERE text <> '' AND NOT EXISTS (
      SELECT FROM users o WHERE o.id <> of_user
        AND (login_key(o.login) = login_key(text) OR lower(o.email) = lower(text) OR o.external_id = text)));
  keys := ARRAY(SELECT login_key(text) FROM unnest(names) AS text);
  patterns := ARRAY(
    SELECT '%' || regexp_replace(json, '([\\%_])', '\\\1', 'g') || '%'
    FROM unnest(names || uri) AS text, to_json(text) AS value, to_json(value::text) AS again,
      unnest(ARRAY[value::text, substr(again::text, 2, length(again::text) - 2)]) AS json);

  -- A forgotten password is asked for by a name; all other mails are for an id.
  DELETE FROM mails WHERE CASE kind WHEN 'password-reset' THEN login_key(recipient) = ANY (keys) ELSE recipient = of_user::text END;
  DELETE FROM provider_logouts l USING identities i WHERE i.user_id = of_user AND l.issuer = i.issuer AND l.subject = i.subject;
  -- A provider names people by attributes, and looks them up by a filter in the address.
  DELETE FROM provider_requests WHERE concat(path, ' ', body, ' ', answer) ~ ('/Users/' || of_user || '($|[/? "])')
    OR EXISTS (
      SELECT FROM unnest(names) AS name, to_json(name) AS value, regexp_replace(value::text, '([^[:alnum:]])', '\\\1', 'g') AS quoted
      WHERE concat(body, ' ', answer) ~* ('"(userName|externalId|value)"[[:space:]]*:[[:space:]]*' || quoted)
        OR replace(replace(path, '%40', '@'), '%22', '"') ~* ('(eq|EQ)(%20|[+])' || quoted));
  UPDATE provider_runs SET changes = NULL WHERE EXISTS (
    SELECT FROM jsonb_array_elements(changes) AS change WHERE login_key(change ->> 'name') = ANY (keys));
  -- What a deletion would take, in every table.
  FOR link IN
    SELECT c.conrelid::regclass AS of_table, a.attname AS of_column
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass AND c.confdeltype = 'c'
  LOOP
    EXECUTE format('DELETE FROM %s WHERE %I = $1', link.of_table, link.of_column) USING of_user;
  END LOOP;
  UPDATE users SET login = former, first_name = NULL, last_name = label, nick_name = NULL, title = label, email = NULL,
    phone_number = NULL, mobile_phone_number = NULL, user_function = NULL, description = NULL, locale = 'en', organization_id = NULL,
    manager_id = NULL, managed_by_id = NULL, status = 3, administrator = false, process_engine = false, external_id = NULL,
    revision = revision + 1, modification_date = now()
  WHERE id = of_user;

  INSERT INTO task_unknown_names (task_id, name, creation_date)
  SELECT task_id, former, min(creation_date) FROM task_unknown_names WHERE name = ANY (names) GROUP BY task_id
  ON CONFLICT DO NOTHING;
  DELETE FROM task_unknown_names WHERE name = ANY (names);
  UPDATE deliveries SET data = rename_person(data, of_user, keys) WHERE creation_date >= person.creation_date AND (
    data::text ILIKE ANY (patterns) OR data -> 'links' @? format('$.*[0] ? (@ == "%s")', of_user)::jsonpath);
  UPDATE idempotency_keys SET answer = rename_person(answer::jsonb, of_user, keys)::json
  WHERE creation_date >= person.creation_date AND answer::text ILIKE ANY (patterns);
  -- Of the states of the person, the names of the attributes stay.
  UPDATE audit SET
    before = CASE WHEN object_uri = uri OR starts_with(object_uri, within) THEN blank_state(before)
      ELSE rename_person(before, of_user, keys) END,
    after = CASE WHEN object_uri = uri OR starts_with(object_uri, within) THEN blank_state(after)
      ELSE rename_person(after, of_user, keys) END,
    actor_login = CASE WHEN actor_uri = uri THEN former ELSE actor_login END,
    agent_login = CASE WHEN agent_uri = uri THEN former ELSE agent_login END,
    address = CASE WHEN actor_uri = uri OR (actor_uri IS NULL AND object_uri = uri) THEN NULL ELSE address END
  WHERE object_uri = uri OR starts_with(object_uri, within) OR actor_uri = uri OR agent_uri = uri
    OR date >= person.creation_date AND concat(before::text, ' ', after::text) ILIKE ANY (patterns);
END $$;

-- The role of the server gets the right from the grants that follow the migrations.
REVOKE EXECUTE ON FUNCTION erase_person(bigint) FROM PUBLIC;
