import type pg from 'pg';
import { median } from 'simple-statistics';
import { createBenchFolder, inDatabase, removeBenchFolder } from './bench-database.js';
import { request, startBenchServer, SYSADMIN } from './bench-server.js';
import { loadData } from './load-data.js';
import { printTable } from './table.js';
import { LAST_NAMES } from './words.js';

/** The indexes of the table of users that only search needs. */
const SEARCH_INDEXES = [
  'users_search_order_idx',
  'users_search_order_long_idx',
  'users_quick_search_idx',
];

const WRITES = 2_000;
const ROUNDS = 5;

/**
 * Prints the size of the indexes of search, and the cost of creating users with and without them. Rounds with
 * and without alternate, each user is a statement of its own, and everything is rolled back at the end.
 */
export async function measureWrites(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; size: string }>(
    `SELECT relname AS name, pg_size_pretty(pg_relation_size(oid)) AS size FROM pg_class
     WHERE relname ~ '^(users|documents)(_search_order(_long)?_idx|_quick_search_idx)?$' ORDER BY relname`,
  );
  printTable(
    ['relation', 'size'],
    rows.map(({ name, size }) => [name, size]),
  );
  const times = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round < ROUNDS; round++)
    for (const kind of ['with', 'without'] as const) {
      await client.query('BEGIN');
      if (kind === 'without') await dropSearchIndexes(client);
      const started = performance.now();
      for (let n = 0; n < WRITES; n++)
        await client.query(
          `INSERT INTO users (login, first_name, last_name, title, email, user_function, status)
           VALUES ($1, 'Brigitte', $2, 'Brigitte ' || $2, $1 || '@company.example', 'Project manager', 1)`,
          [`new.${round}.${n}`, LAST_NAMES[n % LAST_NAMES.length]],
        );
      times[kind].push(((performance.now() - started) * 1000) / WRITES);
      await client.query('ROLLBACK');
    }
  printRatio('creating a user by SQL', 'µs', times);
}

/** Number of users in each of the two databases for creation over HTTP, and in a round. */
const FEW_USERS = 20_000;
const CREATIONS = 150;

/**
 * Prints the cost of creating a user over HTTP on two servers that differ only in the indexes of search, in
 * alternating rounds.
 */
export async function measureCreations(): Promise<void> {
  const folders: string[] = [];
  const stops: (() => Promise<void>)[] = [];
  try {
    const times = { with: [] as number[], without: [] as number[] };
    const creators: { kind: 'with' | 'without'; create: (n: number) => Promise<void> }[] = [];
    for (const kind of ['with', 'without'] as const) {
      const folder = await createBenchFolder((client) =>
        loadData(client, { users: FEW_USERS, documents: 0 }),
      );
      folders.push(folder);
      if (kind === 'without') await inDatabase(folder, dropSearchIndexes);
      const server = await startBenchServer(folder, { login: SYSADMIN });
      stops.push(() => server.stop());
      const { token } = server;
      const create = async (n: number): Promise<void> => {
        const lastName = LAST_NAMES[n % LAST_NAMES.length]!;
        const body = {
          login: `new.${n}`,
          firstName: 'Brigitte',
          lastName,
          userFunction: 'Juriste',
        };
        const path = '/api/v2/directory/users';
        await request(server, path, { method: 'POST', token, body });
      };
      creators.push({ kind, create });
    }
    for (let round = 0; round < ROUNDS; round++)
      for (const { kind, create } of creators) {
        const started = performance.now();
        for (let n = 0; n < CREATIONS; n++) await create(round * CREATIONS + n);
        times[kind].push((performance.now() - started) / CREATIONS);
      }
    printRatio('creating a user over HTTP', 'ms', times);
  } finally {
    for (const stop of stops) await stop();
    for (const folder of folders) removeBenchFolder(folder);
  }
}

async function dropSearchIndexes(client: pg.Client): Promise<void> {
  for (const index of SEARCH_INDEXES) await client.query(`DROP INDEX ${index}`);
}

/** Prints the medians of the rounds and their ratio. */
function printRatio(head: string, unit: string, times: Record<'with' | 'without', number[]>): void {
  const [costly, plain] = [median(times.with), median(times.without)];
  printTable(
    [head, unit],
    [
      ['with the search indexes', costly.toFixed(2)],
      ['without', plain.toFixed(2)],
      ['ratio', (costly / plain).toFixed(2)],
    ],
  );
}
