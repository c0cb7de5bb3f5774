import pg from 'pg';
import { functions, migrations } from '../../migrations/index.js';
import { type DatabaseConnection, loadConfig } from '../../src/base/config/config.js';
import { clientOptions, requestLimits } from '../../src/database/connection-options.js';
import { migrate } from '../../src/database/migrate.js';

export const configOf = (connection: DatabaseConnection) =>
  loadConfig({ DEMO_DATA: 'false' }).withDatabase(connection);

/** A database of this version with this many tasks, most of them closed by the account of their source. */
export async function makeFormer(connection: DatabaseConnection, tasks: number): Promise<void> {
  await migrate(configOf(connection), {
    migrations,
    functions,
    demonstration: [],
  });
  const client = new pg.Client(clientOptions(configOf(connection)));
  await client.connect();
  await client.query(`
    INSERT INTO users (login, last_name, title)
    SELECT 'person-' || n, 'Person', 'Person ' || n FROM generate_series(1, 100) n;
    INSERT INTO applications (title, type) SELECT 'Application ' || n, 'PROCESS' FROM generate_series(1, 10) n;
    INSERT INTO sources (label, service_account_id) SELECT 'Source', max(id) FROM users;
    INSERT INTO documents (title, keywords) SELECT 'Document ' || n, 'keyword ' || n FROM generate_series(1, 500) n;
    ALTER TABLE tasks DISABLE TRIGGER USER;
    INSERT INTO tasks (reference, title, description, application_id, assignee_id, status, priority, due_date, source_id, external_id,
      outcome, closed_by_id, closed_date)
    SELECT 'TASK-' || n, 'Approve the invoice ' || n, repeat('Please check the amount and the account. ', 3) || n,
      (SELECT min(id) FROM applications) + n % 10, (SELECT min(id) FROM users WHERE NOT sysadmin) + n % 100,
      CASE WHEN n % 5 = 0 THEN 'open' ELSE 'done' END, n % 3, now() + n * interval '1 minute', s.id, 'external-' || n,
      CASE WHEN n % 5 > 0 THEN 'approved' END, CASE WHEN n % 5 > 0 THEN s.service_account_id END,
      CASE WHEN n % 5 > 0 THEN now() END
    FROM generate_series(1, ${tasks}) n, sources s;
    ALTER TABLE tasks ENABLE TRIGGER USER`);
  await client.query('VACUUM ANALYZE');
  await client.end();
}

/** Reads and writes of tasks, as the servers of this version make them. */
const CALLS: Record<string, string[]> = {
  reader: [
    `SELECT id, title, due_date FROM tasks WHERE assignee_id = $1 AND status = 'open' ORDER BY id LIMIT 25`,
    `SELECT id, reference, title FROM tasks ORDER BY fold(reference COLLATE "C"), id OFFSET $1 LIMIT 25`,
  ],
  writer: [
    `UPDATE tasks SET title = title || '.', revision = revision + 1 WHERE id = $1`,
    `INSERT INTO tasks (title, application_id) SELECT 'Added ' || $1, min(id) FROM applications`,
    `UPDATE tasks SET status = 'done' WHERE id = $1`,
  ],
};

/** What callers met. */
export interface Calls {
  /** The slowest call of each in milliseconds. */
  slowest: Record<string, number>;
  count: Record<string, number>;
  /** The messages of refused calls. */
  refused: string[];
}

/** Starts a reader and a writer with the time limits of a server. @returns stops them */
export function keepUsingTasks(connection: DatabaseConnection): () => Promise<Calls> {
  const pool = new pg.Pool({ ...clientOptions(configOf(connection)), ...requestLimits, max: 2 });
  // The end of the pool does not wait until PostgreSQL has closed a connection.
  pool.on('error', () => undefined);
  const calls: Calls = { slowest: {}, count: {}, refused: [] };
  let running = true;
  const loops = Object.entries(CALLS).map(async ([caller, statements]) => {
    calls.slowest[caller] = 0;
    for (let n = 1; running; n++) {
      const started = performance.now();
      await pool
        .query(statements[n % statements.length]!, [1 + ((n * 7) % 1_000)])
        .catch(({ message }: Error) => calls.refused.push(`${caller}: ${message}`));
      calls.slowest[caller] = Math.max(calls.slowest[caller], performance.now() - started);
      calls.count[caller] = n;
    }
  });
  return async () => {
    running = false;
    await Promise.all(loops);
    await pool.end();
    return calls;
  };
}
