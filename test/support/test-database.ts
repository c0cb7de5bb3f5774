import { randomBytes } from 'node:crypto';
import pg from 'pg';

interface Connection {
  host: string;
  user: string;
  password?: string;
  database: string;
}

/** The values that the global setup passes to the test files. */
const shared = (): { connection: Connection; superuser: Connection; sysadminPassword: string } =>
  JSON.parse(process.env.TEST_DATABASE!) as ReturnType<typeof shared>;

/** The connection of a superuser to a separate database. */
export const superuser = (): Connection => shared().superuser;

export const sysadminPassword = (): string => shared().sysadminPassword;

/** A copy of the template database for one test file. */
export interface TestDatabase {
  connection: Connection;
  /** Runs SQL beside the server, e.g. to inspect stored rows. */
  query<T extends pg.QueryResultRow = pg.QueryResultRow>(
    text: string,
    values?: unknown[],
  ): Promise<T[]>;
  /** Runs a statement of the server; its rows are arrays, as the server reads them. */
  rows(statement: { text: string; values: unknown[] }): Promise<unknown[][]>;
  drop(): Promise<void>;
}

export async function createTestDatabase({
  empty = false,
  encoding,
}: { empty?: boolean; encoding?: string } = {}): Promise<TestDatabase> {
  const { connection, superuser } = shared();
  const database = `test_${randomBytes(6).toString('hex')}`;
  const source = empty ? 'template0' : connection.database;
  const encoded = encoding === undefined ? '' : ` ENCODING '${encoding}'`;
  // Copying files takes half the time of logging their pages.
  await asSuperuser(
    `CREATE DATABASE ${database} TEMPLATE ${source} STRATEGY file_copy OWNER ${connection.user}${encoded}`,
  );
  const own = { ...connection, database };
  // One connection, on which statements wait for each other.
  const pool = new pg.Pool({ ...own, max: 1, idleTimeoutMillis: 0 });
  // pool.end() does not wait until the connection is closed, and the DROP may terminate it.
  pool.on('error', () => undefined);
  return {
    connection: own,
    query: async (text, values) => (await pool.query(text, values)).rows as never,
    rows: async ({ text, values }) =>
      (await pool.query<unknown[]>({ text, values, rowMode: 'array' })).rows,
    drop: async () => {
      await pool.end();
      await asSuperuser(`DROP DATABASE ${database} WITH (FORCE)`);
    },
  };

  async function asSuperuser(text: string): Promise<void> {
    const admin = new pg.Client(superuser);
    await admin.connect();
    try {
      await admin.query(text);
    } finally {
      await admin.end();
    }
  }
}
