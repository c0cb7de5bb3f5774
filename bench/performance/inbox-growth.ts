import { median } from 'simple-statistics';
import type { TestDatabase } from '../../test/support/test-database.js';
import { insertTokens } from '../../test/support/tokens.js';
import { type BenchServer, request } from '../support/bench-server.js';
import { atMost, type Result } from './result.js';

const TASKS = '/api/v2/process/tasks';

/** What a person asks for whose tasks are few of many. */
const READS: Record<string, string> = {
  'tiles with counters': '/navigation/workplace/categories',
  inbox: `${TASKS}/waiting?range=0-25`,
  'counts of the inbox': `${TASKS}/waiting/counts`,
  'open tasks by due date': `${TASKS}?range=0-25&filters=status:eq:open&sorter=dueDate`,
  'tasks by title': `${TASKS}?range=0-25&sorter=title`,
  'tasks by a piece of text': `${TASKS}?range=0-25&filters=title:contains:own`,
};

/** Calls of each read to each server; the first ones warm it up. */
const CALLS = 60;
const WARM_UP = 10;

/** Gives a new person 40 open tasks, 10 open ones of a group, and 200 that are done. @returns the token of the person */
async function createPerson({ client }: BenchServer): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `WITH person AS (INSERT INTO users (login, last_name, title, status) VALUES ('owner', 'Owner', 'Owner', 1) RETURNING id),
       own AS (INSERT INTO groups (label, reference) VALUES ('Owners', 'OWNERS') RETURNING id),
       member AS (INSERT INTO group_members (user_id, group_id) SELECT person.id, own.id FROM person, own)
     INSERT INTO tasks (title, application_id, assignee_id, group_id, status, due_date)
     SELECT 'Own task ' || i, (SELECT min(id) FROM applications), CASE WHEN i > 10 THEN person.id END,
       CASE WHEN i <= 10 THEN own.id END, CASE WHEN i <= 50 THEN 'open' ELSE 'done' END, now() + i * interval '1 hour'
     FROM generate_series(1, 250) AS i, person, own RETURNING coalesce(assignee_id, 0)::text AS id`,
  );
  const id = rows.find((row) => row.id !== '0')!.id;
  const query: TestDatabase['query'] = async (text, values) =>
    (await client.query(text, values)).rows as never;
  const [token] = await insertTokens({ query }, [id]);
  return token!;
}

/** Compares what a person with 50 open tasks reads among few tasks and among many, alternately. */
export async function inboxGrowth(few: BenchServer, many: BenchServer): Promise<Result[]> {
  const servers = [few, many];
  const tokens = [await createPerson(few), await createPerson(many)];
  const results: Result[] = [];
  for (const [work, path] of Object.entries(READS)) {
    const times: number[][] = [[], []];
    for (let call = -WARM_UP; call < CALLS; call++)
      for (const [at, server] of servers.entries()) {
        const started = performance.now();
        await request(server, path, { token: tokens[at]! });
        if (call >= 0) times[at]!.push(performance.now() - started);
      }
    const [small, large] = times.map((all) => median(all)) as [number, number];
    const figures = `${small.toFixed(1)} and ${large.toFixed(1)} ms`;
    results.push(atMost(`many tasks: ${work}`, large / small, 1.5, 'times', figures));
  }
  return results;
}
