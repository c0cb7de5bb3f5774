-- A rule of absence has an effect from its start until before its end, while its substitute may sign in.
CREATE OR REPLACE FUNCTION absence_is_active(absences) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT STABLE AS $$
BEGIN
  RETURN $1.start_date <= now() AND $1.end_date > now()
    AND EXISTS (SELECT FROM users u WHERE u.id = $1.substitute_id AND u.status = 1);
END $$;
