-- The ids that an audience may name for a user to be in it: everyone, the user, the groups, the organizations above.
CREATE OR REPLACE FUNCTION principals(of_user bigint) RETURNS bigint[] LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
  SELECT ARRAY[0, of_user]
    || ARRAY(SELECT group_id FROM group_members WHERE user_id = of_user)
    || coalesce((SELECT o.path FROM users u JOIN organizations o ON o.id = u.organization_id WHERE u.id = of_user), '{}')
$$;
