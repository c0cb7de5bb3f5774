-- Creates triggers that execute a function after each statement that changes a table, with the rows `added` and `removed`: one
-- for each event, because each has other transition tables. So plain SQL and imports are seen too.
CREATE OR REPLACE FUNCTION execute_on_changes(of_table text, executed text, VARIADIC arguments text[] DEFAULT '{}')
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  transitions jsonb := '{
    "insert": "REFERENCING NEW TABLE AS added",
    "update": "REFERENCING OLD TABLE AS removed NEW TABLE AS added",
    "delete": "REFERENCING OLD TABLE AS removed",
    "truncate": ""}';
  event text;
  transition text;
BEGIN
  FOR event, transition IN SELECT * FROM jsonb_each_text(transitions) LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER %1$s_%2$s AFTER %2$s ON %3$s %4$s FOR EACH STATEMENT EXECUTE FUNCTION %1$s(%5$s)',
      executed, event, of_table, transition, (SELECT string_agg(quote_literal(a), ', ') FROM unnest(arguments) AS a));
  END LOOP;
END $$;
