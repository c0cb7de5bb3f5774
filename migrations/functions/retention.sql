-- For how long the audit trail or the journal is kept, by its server parameter.
CREATE OR REPLACE FUNCTION retention(parameter text) RETURNS interval LANGUAGE sql STABLE
RETURN make_interval(days => coalesce((SELECT value::integer FROM parameters WHERE key = parameter),
  CASE parameter WHEN 'audit.retention' THEN 365 WHEN 'changes.retention' THEN 30 END));
