import { type BenchServer, request } from '../support/bench-server.js';
import { atLeast, atMost, type Result } from './result.js';

/** Tasks of a call, and calls of a measurement. */
const BATCH = 1_000;
const CALLS = 20;

/** Calls with unchanged tasks: those of the goal, several times over. */
const ROUNDS = 3;

interface Pushed {
  created: number;
  updated: number;
  unchanged: number;
}

const itemsOf = (call: number, version: number) =>
  Array.from({ length: BATCH }, (_, at) => ({
    externalId: `process-${call}-${at}`,
    sourceVersion: version,
    title: `Approve the purchase ${call * BATCH + at}, version ${version}`,
    description: 'Three offers are attached; the cheapest one has the longest time of delivery.',
    application: 'BRIDGE',
    assignee: at % 2 === 0 ? `bridge.${at % 500}` : null,
    group: at % 2 === 0 ? null : 'BRIDGE-BUYERS',
    dueDate: '2031-03-04T05:06:07Z',
    correlationId: `order-${at}`,
    variables: [
      { name: 'amount', label: 'Amount', value: 1200.5 + at },
      { name: 'supplier', label: 'Supplier', value: 'Nordwind' },
    ],
    outcomes: [{ name: 'approve' }, { name: 'reject', commentRequired: true }],
  }));

/** A source with an application, a group and 500 people. */
async function prepare({ client }: BenchServer): Promise<void> {
  await client.query(
    `INSERT INTO users (login, last_name, title, status)
     SELECT 'bridge.' || n, 'Bridge', 'Bridge ' || n, 1 FROM generate_series(0, 499) n`,
  );
  await client.query(`INSERT INTO groups (label, reference) VALUES ('Buyers', 'BRIDGE-BUYERS')`);
  await client.query(
    `WITH a AS (INSERT INTO applications (title, reference, type) VALUES ('Purchase', 'BRIDGE', 'PROCESS') RETURNING id),
       s AS (INSERT INTO sources (label, reference) VALUES ('Engine', 'ENGINE') RETURNING id)
     INSERT INTO source_applications SELECT s.id, a.id FROM s, a`,
  );
}

/** Pushes all tasks in turn; returns how many a second. */
async function push(
  server: BenchServer,
  version: number,
  expected: Partial<Pushed>,
): Promise<number> {
  let time = 0;
  for (let call = 0; call < CALLS; call++) {
    const body = itemsOf(call, version);
    const started = performance.now();
    const answer = await request(server, '/api/v2/process/tasks?source=ENGINE', {
      method: 'PUT',
      token: server.token,
      body,
    });
    time += performance.now() - started;
    const pushed = JSON.parse(answer) as Pushed;
    for (const [name, count] of Object.entries(expected))
      if (pushed[name as keyof Pushed] !== count) throw new Error(answer.slice(0, 1_000));
  }
  return (CALLS * BATCH) / (time / 1_000);
}

/** Rows that the tables of a push have been written, and rows of the journal and the audit trail. */
async function writtenRows({ client }: BenchServer): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `SELECT (SELECT count(*) FROM changes) + (SELECT count(*) FROM audit) + (SELECT sum(revision) FROM tasks) AS count`,
  );
  return Number(rows[0]!.count);
}

/** Measures pushes of a source: new tasks, changed ones, and ones of which it says the same again. */
export async function bridge(server: BenchServer): Promise<Result[]> {
  await prepare(server);
  const created = await push(server, 1, { created: BATCH });
  const updated = await push(server, 2, { updated: BATCH });
  const before = await writtenRows(server);
  let unchanged = 0;
  for (let round = 0; round < ROUNDS; round++)
    unchanged = Math.max(unchanged, await push(server, 2, { unchanged: BATCH }));
  const written = (await writtenRows(server)) - before;
  return [
    atLeast('push: new tasks, 1,000 a call', created, 5_000, 'tasks/s'),
    atLeast('push: changed tasks', updated, 5_000, 'tasks/s'),
    atLeast('push: unchanged tasks', unchanged, 15_000, 'tasks/s'),
    atMost('push: rows written for them', written, 0, 'rows'),
  ];
}
