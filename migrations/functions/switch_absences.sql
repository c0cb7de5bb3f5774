-- Switches the rules of absence whose time has come or passed, or those of one substitute: writing a row is enough. The server
-- calls it as time passes.
CREATE OR REPLACE FUNCTION switch_absences(substitute bigint DEFAULT NULL) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE absences a SET revision = revision + 1, modification_date = now()
  WHERE (a.active OR (a.start_date <= now() AND a.end_date > now()))
    AND (substitute IS NULL OR a.substitute_id = substitute)
    AND a.active <> absence_is_active(a);
END $$;
