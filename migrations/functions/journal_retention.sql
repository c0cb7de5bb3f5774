-- For how long the journal is kept, by the server parameter.
CREATE OR REPLACE FUNCTION journal_retention() RETURNS interval LANGUAGE sql STABLE
RETURN make_interval(days => coalesce((SELECT value::integer FROM parameters WHERE key = 'changes.retention'), 30));
