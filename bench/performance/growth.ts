import { median } from 'simple-statistics';
import type { TestDatabase } from '../../test/support/test-database.js';
import { insertTokens } from '../../test/support/tokens.js';
import type { BenchServer } from '../support/bench-server.js';
import { processorTimeOfSessions } from './costs.js';
import { atMost, type Result } from './result.js';
import { COUNT, COUNTS, LIST_READS, searchPath, USERS } from './workloads.js';

const TASKS = '/api/v2/process/tasks';
const AUDIT = '/api/v2/administration/audit';
const CHANGES = '/api/v2/changes?kinds=organizations';

/** Calls of each read to each server; the first ones warm it up. */
const CALLS = 40;
const WARM_UP = 10;

/** A read that takes longer than LONG milliseconds is called only so often. */
const LONG = 200;
const SOME = 7;

/** A read of one server. */
interface Read {
  path: string;
  token: string;
  headers?: Record<string, string>;
}

/** A read at every size. */
interface GrownRead {
  read: string;
  /** Median milliseconds of an answer, and of processor time of PostgreSQL for it, for each size. */
  times: number[];
  database: number[];
}

/** What the report keeps of the growth. */
export interface Growth {
  date: Date;
  /** The numbers of tasks, from the fewest to the most. */
  steps: number[];
  /** The users and the lines of the audit trail, as many as tasks but at most these. */
  users: number;
  audit: number;
  reads: GrownRead[];
}

/** Gives a new person 40 open tasks, 10 open ones of a group, and 200 that are done. @returns the token of the person */
async function createPerson({ client }: BenchServer): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `WITH person AS (INSERT INTO users (login, last_name, title, status) VALUES ('owner.' || gen_random_uuid(), 'Owner', 'Owner', 1) RETURNING id),
       own AS (INSERT INTO groups (label, reference) VALUES ('Owners', 'OWNERS-' || gen_random_uuid()) RETURNING id),
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

/** What a person asks for whose tasks are few of many. */
const OWN_READS: Record<string, string> = {
  'tiles with counters': '/navigation/workplace/categories',
  inbox: `${TASKS}/waiting?range=0-25`,
  'counts of the inbox': `${TASKS}/waiting/counts`,
  'own open tasks by due date': `${TASKS}?range=0-25&filters=status:eq:open&sorter=dueDate`,
  'own tasks by title': `${TASKS}?range=0-25&sorter=title`,
  'own tasks by a piece of text': `${TASKS}?range=0-25&filters=title:contains:own`,
  'search of own tasks': searchPath('own', 'workplace_searchTasks'),
};

const readsAs = (
  caller: Omit<Read, 'path'>,
  paths: Record<string, string>,
  prefix = '',
): Record<string, Read> =>
  Object.fromEntries(
    Object.entries(paths).map(([name, path]) => [prefix + name, { ...caller, path }]),
  );

/** The reads of a server, by name; the objects that they ask for lie in the middle of their tables. */
async function readsOf(server: BenchServer): Promise<Record<string, Read>> {
  const owner = await createPerson(server);
  const { rows } = await server.client.query<Record<'user' | 'login' | 'task' | 'outside', string>>(
    `SELECT u.id AS user, u.login, t.id AS task, t.external_id AS outside
     FROM (SELECT id, login FROM users WHERE status = 1 ORDER BY id OFFSET (SELECT count(*) / 2 FROM users) LIMIT 1) u,
       (SELECT id, external_id FROM tasks WHERE external_id IS NOT NULL ORDER BY id OFFSET (SELECT count(*) / 2 FROM tasks) LIMIT 1) t`,
  );
  const { user, login, task, outside } = rows[0]!;
  const month =
    'filters=creationDate:gte:2026-06-01T00:00:00.000Z&filters=creationDate:lt:2026-07-01T00:00:00.000Z';
  const all: Record<string, string> = {
    ...LIST_READS,
    'a user by id': `${USERS}/${user}`,
    'a user by login': `${USERS}?filters=login:eq:${login}`,
    'a task by id': `${TASKS}/${task}`,
    'a task by its id at the source': `${TASKS}?filters=externalId:eq:${outside}`,
    'page of tasks': `${TASKS}?range=0-50`,
    'open tasks by due date': `${TASKS}?range=0-50&filters=status:eq:open&sorter=dueDate`,
    'open tasks of an application': `${TASKS}?range=0-50&filters=status:eq:open&filters=application.label:starts:contract&sorter=-dueDate`,
    'tasks by the beginning of a title': `${TASKS}?range=0-50&filters=title:starts:invoice&sorter=-id`,
    'search for people, a common word': searchPath('martin'),
    'search for people, one character': searchPath('m'),
    'search for people, two words': searchPath('maria manager'),
    'search for people, late in the order': searchPath('vademecum'),
    'search for people, a rare word': searchPath('quillfeather'),
    'search for one person': searchPath(login),
    'search without a match': searchPath('contraction'),
    'search of documents': searchPath('contract', 'workplace_documents_search'),
    'search of news': searchPath('a', 'workplace_news_search'),
    'search of tiles': searchPath('invoice', 'workplace_searchApplications'),
    'search over everything': '/navigation/search/workplace/all?query=martin',
    'latest lines of the audit trail': `${AUDIT}?range=0-50&sorter=-creationDate`,
    'audit trail of a month': `${AUDIT}?range=0-50&${month}&sorter=-creationDate`,
    'audit trail of an object': `${AUDIT}?range=0-50&filters=object:eq:/directory/users/5000&sorter=-creationDate`,
    'sign-ins of a month': `${AUDIT}?range=0-50&${month}&filters=action:eq:sign-in&sorter=-creationDate`,
  };
  const { token } = server;
  return {
    ...readsAs({ token: owner }, OWN_READS),
    ...readsAs({ token }, all),
    ...readsAs({ token, headers: COUNT }, COUNTS, 'exact count '),
    'first page of a listing of the feed': { path: '/api/v2/changes?kinds=tasks', token },
    'latest changes of the feed': { path: `${CHANGES}&after=${await cursor(server)}`, token },
  };
}

/** A cursor of the feed after which there are changes of 100 organizations, which this makes. */
async function cursor(server: BenchServer): Promise<string> {
  const headers = { 'X-AUTHENTICATION-KEY': server.token, Accept: 'application/x-ndjson' };
  const listing = await fetch(`http://127.0.0.1:${server.port}${CHANGES}`, { headers });
  const last = (await listing.text()).trimEnd().split('\n').at(-1)!;
  await server.client.query(
    'UPDATE organizations SET revision = revision + 1 WHERE id IN (SELECT id FROM organizations ORDER BY id LIMIT 100)',
  );
  return (JSON.parse(last) as { next: string }).next;
}

/** Calls a read. @returns milliseconds of the answer, and of processor time of PostgreSQL; no other caller asks meanwhile */
async function called(
  server: BenchServer,
  { path, token, headers }: Read,
): Promise<[number, number]> {
  const before = processorTimeOfSessions(server);
  const started = performance.now();
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { 'X-AUTHENTICATION-KEY': token, ...headers },
  });
  const text = await answer.text();
  const time = performance.now() - started;
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return [time, processorTimeOfSessions(server) - before];
}

/**
 * Measures the same reads on servers with more and more rows, alternately, one call after another.
 * @param servers from the fewest rows to the most
 */
export async function growth(servers: BenchServer[]): Promise<GrownRead[]> {
  const reads = await Promise.all(servers.map(readsOf));
  const grown: GrownRead[] = [];
  for (const read of Object.keys(reads[0]!)) {
    const calls: [number, number][][] = servers.map(() => []);
    let left = WARM_UP + CALLS;
    while (left-- > 0)
      for (const [at, server] of servers.entries()) {
        const call = await called(server, reads[at]![read]!);
        if (left < CALLS) calls[at]!.push(call);
        if (call[0] > LONG) left = Math.min(left, SOME);
      }
    const medians = (of: 0 | 1): number[] =>
      calls.map((all) => Number(median(all.map((call) => call[of])).toFixed(2)));
    grown.push({ read, times: medians(0), database: medians(1) });
    process.stdout.write(`${read}\n`);
  }
  return grown;
}

/** The growth of a read from the fewest rows to the most. */
export const resultOf = ({ read, times, database }: GrownRead): Result =>
  atMost(
    `growth: ${read}`,
    times.at(-1)! / times[0]!,
    1.5,
    'times',
    `${times.join(', ')} ms; of PostgreSQL ${database.join(', ')} ms`,
  );
