-- Derives what users may do from their roles (docs/decisions/0052): `rights`, which the server reads, and the attributes that
-- two of the roles are. It locks the users first, so that of two concurrent changes the later one sees both.
CREATE OR REPLACE FUNCTION compile_rights(of_users bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = ANY (of_users) ORDER BY id FOR NO KEY UPDATE;
  UPDATE users u SET
    rights = c.rights, administrator = c.administrator, process_engine = c.process_engine,
    revision = u.revision + ((u.administrator, u.process_engine) <> (c.administrator, c.process_engine))::integer,
    modification_date = CASE WHEN (u.administrator, u.process_engine) = (c.administrator, c.process_engine)
      THEN u.modification_date ELSE now() END
  FROM (
    SELECT p.id,
      coalesce(bool_or(r.reference = 'administrator' AND a.is_everywhere), false) AS administrator,
      coalesce(bool_or(r.reference = 'process-engine' AND a.is_everywhere), false) AS process_engine,
      coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('permissions', r.permissions,
        'organization', a.organization_id::text, 'group', a.group_id::text, 'application', a.application_id::text))
        ORDER BY r.id, a.organization_id, a.group_id, a.application_id) FILTER (WHERE r.id IS NOT NULL), '[]') AS rights
    FROM unnest(of_users) AS p (id)
    LEFT JOIN LATERAL (
      SELECT *, num_nonnulls(organization_id, group_id, application_id) = 0 AS is_everywhere
      FROM role_assignments WHERE user_id = p.id) a ON true
    LEFT JOIN roles r ON r.id = a.role_id
    GROUP BY p.id) c
  WHERE u.id = c.id
    AND (u.rights, u.administrator, u.process_engine) <> (c.rights, c.administrator, c.process_engine);
END $$;
