-- Keeps all other statements from a table. They wait behind this one, which therefore soon gives up.
CREATE OR REPLACE FUNCTION lock_briefly(locked text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  SET LOCAL lock_timeout = '100ms';
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', locked);
END $$;
