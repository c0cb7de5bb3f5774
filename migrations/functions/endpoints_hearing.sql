-- The endpoints that hear of an event of a task. PostgreSQL makes it part of the statement that calls it.
-- applications, sources: the ids of those that the task has and had; is_engine_task: whether an engine can take the event
CREATE OR REPLACE FUNCTION endpoints_hearing(kind text, applications bigint[], sources bigint[], is_engine_task boolean)
RETURNS SETOF endpoints LANGUAGE sql STABLE AS $$
  SELECT p.* FROM endpoints p
  WHERE (p.kinds = '{}' OR kind = ANY (p.kinds))
    AND (NOT EXISTS (SELECT FROM endpoint_applications x WHERE x.endpoint_id = p.id)
      OR EXISTS (SELECT FROM endpoint_applications x WHERE x.endpoint_id = p.id AND x.application_id = ANY (applications)))
    AND (p.source_id IS NULL OR p.source_id = ANY (sources))
    AND (p.adapter IS NULL OR kind = 'task.decided' AND is_engine_task)
$$;
