-- Increments the version of an account's credentials. A sign-in remembers the version that it verified; the statement that
-- issues its token writes the same row and fails when the version has changed. The order matters: the version changes first,
-- then the deletion of tokens sees the tokens of every earlier sign-in. An account that is being deleted has no row any more
-- and needs no version.
CREATE OR REPLACE FUNCTION raise_credential_version(account bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO sign_ins AS s (user_id, credential_version) SELECT id, 1 FROM users WHERE id = account
  ON CONFLICT (user_id) DO UPDATE SET credential_version = s.credential_version + 1
$$;
