-- For how long something is kept, by its server parameter and the default number of days.
CREATE OR REPLACE FUNCTION retention(parameter text, days integer) RETURNS interval LANGUAGE sql STABLE
RETURN make_interval(days => coalesce((SELECT value::integer FROM parameters WHERE key = parameter), days));
