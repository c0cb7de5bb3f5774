import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, type ClientRequest, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from 'simple-statistics';
import { type BenchServer, residentMegabytes } from '../support/bench-server.js';
import { atMost, type Result } from './result.js';

const STREAMS = 10_000;
const IN_ONE_GROUP = 5_000;

/** Streams that are opened at a time, and clock ticks of a second (`getconf CLK_TCK`). */
const OPENED_TOGETHER = 50;
const TICKS = 100;

/** How long the idle streams are watched, and how long tasks change (seconds); changes a second. */
const IDLE = 60;
const CHANGING = 20;
const CHANGES = 100;

const agent = new Agent({ keepAlive: false, maxSockets: Infinity });

/** One open stream. */
interface Client {
  userId: string;
  request: ClientRequest;
  /** Its messages so far, and when the last one came. */
  messages: number;
  lastTime: number;
}

/**
 * Measures live counters with 10,000 streams of as many people in one process.
 * @param server started with METRICS_PORT
 */
export async function streams(server: BenchServer, metricsPort: number): Promise<Result[]> {
  const people = await preparePeople(server);
  const before = residentMegabytes(server.pid);
  const clients: Client[] = [];
  try {
    for (let at = 0; at < people.length; at += OPENED_TOGETHER)
      clients.push(
        ...(await Promise.all(
          people.slice(at, at + OPENED_TOGETHER).map((one) => open(server, one)),
        )),
      );
    await settled(clients);
    const memory = residentMegabytes(server.pid) - before;
    const processor = processorSeconds(server.pid);
    await delay(IDLE * 1_000);
    const idle = ((processorSeconds(server.pid) - processor) / IDLE) * 100;
    const group = await changeOfGroup(server, clients, metricsPort);
    const delays = await changesOfPeople(server, clients);
    const name = STREAMS.toLocaleString('en');
    return [
      atMost(`memory of ${name} streams`, memory, 250, 'MB'),
      atMost(`${name} idle streams`, idle, 2, '% of a core'),
      atMost(
        `a task for a group of ${IN_ONE_GROUP} people: all have the number`,
        group.time,
        1_000,
        'ms',
      ),
      atMost('statements for it', group.statements, 3, 'statements'),
      atMost(
        `change to client, p95 at ${CHANGES} changes a second`,
        quantile(delays, 0.95),
        300,
        'ms',
        `p50 ${Math.round(quantile(delays, 0.5))} ms of ${delays.length}`,
      ),
    ];
  } finally {
    for (const { request } of clients) request.destroy();
    agent.destroy();
  }
}

/** People with tokens and a tile; half of them are in one group, and each has groups of 20. */
async function preparePeople({ client }: BenchServer): Promise<{ id: string; token: string }[]> {
  await client.query(
    `INSERT INTO users (login, last_name, title, status)
     SELECT 'stream.' || n, 'Stream', 'Stream ' || n, 1 FROM generate_series(1, $1::int) n`,
    [STREAMS],
  );
  await client.query(
    `INSERT INTO groups (label, reference) SELECT 'Stream ' || n, 'S-' || n FROM generate_series(0, $1::int / 20) n`,
    [STREAMS],
  );
  await client.query(
    `WITH p AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users WHERE login LIKE 'stream.%')
     INSERT INTO group_members (group_id, user_id)
     SELECT g.id, p.id FROM p JOIN groups g ON g.reference = 'S-' || (1 + (p.n - 1) / 20)
     UNION ALL SELECT g.id, p.id FROM p, groups g WHERE g.reference = 'S-0' AND p.n <= ${IN_ONE_GROUP}`,
  );
  await client.query(
    `WITH a AS (INSERT INTO applications (title, type) SELECT 'Stream ' || n, 'PROCESS' FROM generate_series(1, 60) n RETURNING id),
       v AS (INSERT INTO views (label, application_id, filters, filter_mode)
         SELECT 'Open', id, CASE id % 3 WHEN 0 THEN '{status:eq:open}'::text[] WHEN 1 THEN '{status:eq:open,assignee:eq:@me}' ELSE '{status:eq:open,group:eq:@mygroups}' END, 'and' FROM a RETURNING id, application_id)
     SELECT 1`,
  );
  await client.query(
    `UPDATE applications a SET view_id = v.id FROM views v WHERE v.application_id = a.id AND a.title LIKE 'Stream %'`,
  );
  await client.query(
    `WITH a AS (SELECT array_agg(id) AS ids FROM applications WHERE title LIKE 'Stream %')
     INSERT INTO tasks (title, application_id, assignee_id, status)
     SELECT 'Stream', a.ids[1 + n % 60], u.id, CASE WHEN n % 2 = 0 THEN 'open' ELSE 'done' END
     FROM a, users u, generate_series(1, 10) n WHERE u.login LIKE 'stream.%'`,
  );
  await client.query('ANALYZE');
  const { rows } = await client.query<{ id: string }>(
    `SELECT id::text FROM users WHERE login LIKE 'stream.%' ORDER BY id`,
  );
  const people = rows.map(({ id }) => ({ id, token: randomBytes(32).toString('base64url') }));
  await client.query(
    `INSERT INTO tokens (user_id, hash, address, expiration)
     SELECT u.id, decode(u.hash, 'hex'), '127.0.0.1', now() + interval '1 hour' FROM unnest($1::bigint[], $2::text[]) AS u(id, hash)`,
    [
      people.map(({ id }) => id),
      people.map(({ token }) => createHash('sha256').update(token).digest('hex')),
    ],
  );
  return people;
}

function open({ port }: { port: number }, person: { id: string; token: string }): Promise<Client> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        agent,
        path: '/navigation/workplace/events',
        headers: { 'X-AUTHENTICATION-KEY': person.token },
      },
      (response) => {
        if (response.statusCode === 503) {
          // All clients at the same moment are more than the database takes.
          response.resume();
          delay(1_000).then(() => open({ port }, person).then(resolve, reject), reject);
          return;
        }
        const client = { userId: person.id, request, messages: 0, lastTime: 0 };
        response.on('data', (chunk: Buffer) => {
          if (chunk[0] === COLON) return;
          client.messages++;
          client.lastTime = performance.now();
        });
        response.on('error', () => undefined);
        resolve(client);
      },
    );
    request.on('error', reject);
    request.end();
  });
}

const COLON = ':'.charCodeAt(0);

/** Waits for the first message of each stream. */
async function settled(clients: Client[]): Promise<void> {
  while (clients.some(({ messages }) => messages === 0)) await delay(100);
  await delay(2_000);
}

async function changeOfGroup(server: BenchServer, clients: Client[], metricsPort: number) {
  const members = clients.slice(0, IN_ONE_GROUP);
  const before = members.map(({ messages }) => messages);
  const statements = await countedStatements(metricsPort);
  const started = performance.now();
  await server.client.query(
    `INSERT INTO tasks (title, application_id, group_id)
     SELECT 'Stream', (SELECT min(id) FROM applications WHERE title LIKE 'Stream %'), id FROM groups WHERE reference = 'S-0'`,
  );
  const isDone = () => members.every(({ messages }, at) => messages > before[at]!);
  while (!isDone() && performance.now() - started < 30_000) await delay(20);
  const time = Math.max(...members.map(({ lastTime }) => lastTime)) - started;
  return { time, statements: (await countedStatements(metricsPort)) - statements };
}

/** Statements that have counted for streams, by the metrics of the server. */
async function countedStatements(metricsPort: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  const [, value] = /^platform_counter_statements_total (\d+)$/m.exec(await answer.text()) ?? [];
  return Number(value);
}

/** Changes tasks of one person after another, half of them by their group of 20. @returns the delays in milliseconds */
async function changesOfPeople({ client }: BenchServer, clients: Client[]): Promise<number[]> {
  const delays: number[] = [];
  const watched: Promise<void>[] = [];
  for (let at = 0; at < CHANGING * CHANGES; at++) {
    // No person twice within a second, and no two people of the same group.
    const person = clients[(at * 20 + Math.floor(at / 500)) % clients.length]!;
    const ofGroup = at % 2 === 0;
    const before = person.messages;
    const started = performance.now();
    const written = client.query(
      `INSERT INTO tasks (title, application_id, ${ofGroup ? 'group_id' : 'assignee_id'})
       SELECT 'Stream', (SELECT min(id) FROM applications WHERE title LIKE 'Stream %'),
         ${ofGroup ? `(SELECT group_id FROM group_members m JOIN groups g ON g.id = m.group_id WHERE user_id = $1 AND g.reference <> 'S-0')` : '$1::bigint'}`,
      [person.userId],
    );
    watched.push(
      written.then(async () => {
        const committed = performance.now();
        while (person.messages === before && performance.now() - committed < 10_000) await delay(5);
        delays.push(Math.max(0, person.lastTime - committed));
      }),
    );
    await delay(Math.max(0, 1_000 / CHANGES - (performance.now() - started)));
  }
  await Promise.all(watched);
  return delays;
}

/** Processor time of a process since its start. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
