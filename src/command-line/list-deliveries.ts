import { presentAttempt, type StoredAttempt } from '../deliveries/events/attempts.js';
import { DELIVERY_STATES } from '../deliveries/engines/endpoint-choices.js';
import { endpoints } from '../deliveries/endpoints/endpoint.resource.js';
import { tasks } from '../process/tasks/task.resource.js';
import { idOf } from './id-of.js';
import { Misuse, print, type PrintOptions } from './output.js';
import { withReader } from './with-database.js';

interface ListOptions extends PrintOptions {
  state?: string;
  task?: string;
  limit: string;
}

/** `deliveries list` */
export const listDeliveries = (name: string, options: ListOptions): Promise<void> =>
  withReader(async (reader) => {
    const { state = null, task, limit, json } = options;
    if (state !== null && !DELIVERY_STATES.includes(state))
      throw new Misuse(`the state must be one of ${DELIVERY_STATES.join(', ')}`);
    if (!/^[1-9]\d{0,5}$/.test(limit)) throw new Misuse('the limit must be a whole number');
    const rows = await reader.query<Record<string, unknown>>({
      text: `SELECT d.id::text, d.kind, t.reference AS task, d.revision, d.status, d.attempts,
          CASE WHEN d.status = 'waiting' THEN d.next_attempt END AS "nextAttemptDate",
          ${json ? 'd.log' : `d.log->-1->>'date' AS "lastAttemptDate", (d.log->-1->>'status')::integer AS answer, d.log->-1->>'message' AS message`}
        FROM deliveries d LEFT JOIN tasks t ON t.id = d.task_id
        WHERE d.endpoint_id = $1 AND ($2::text IS NULL OR d.status = $2) AND ($3::bigint IS NULL OR d.task_id = $3)
        ORDER BY d.id DESC LIMIT $4`,
      values: [
        await idOf(reader, endpoints, name),
        state,
        task === undefined ? null : await idOf(reader, tasks, task),
        limit,
      ],
    });
    for (const row of json ? rows : []) row.log = (row.log as StoredAttempt[]).map(presentAttempt);
    print(rows, options);
  });
