-- Creates the triggers that record the changes of a table in the journal: one for each event, because each has other
-- transition tables. Statement-level triggers also record plain SQL and imports.
CREATE OR REPLACE FUNCTION record_events(recorded text, recorder text, VARIADIC arguments text[] DEFAULT '{}')
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
    EXECUTE format('CREATE OR REPLACE TRIGGER %1$s_record_%2$s AFTER %2$s ON %1$s %3$s FOR EACH STATEMENT EXECUTE FUNCTION %4$s(%5$s)',
      recorded, event, transition, recorder, (SELECT string_agg(quote_literal(a), ', ') FROM unnest(arguments) AS a));
  END LOOP;
END $$;
