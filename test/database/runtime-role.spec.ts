import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { runCommand } from '../support/command-line.js';
import { type ServerProcess, startServerProcess, urlOf } from '../support/server-process.js';
import { createTestDatabase, superuser, type TestDatabase } from '../support/test-database.js';

/** The role of the servers where another one owns the tables (docs/deployment.md). */

const ROLE = `runtime_${process.pid}`;
const SYSADMIN_PASSWORD = 'Sysadmin-Runtime-2026';

let database: TestDatabase;
let server: ServerProcess;
let runtime: pg.Client;
let asRuntime: string;

const asSuperuser = async (text: string) => {
  const client = new pg.Client(superuser());
  await client.connect();
  await client.query(text).finally(() => client.end());
};

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  await asSuperuser(`CREATE ROLE ${ROLE} LOGIN`);
  const migrated = await runCommand(['migrate', 'run'], {
    env: { DATABASE_URL: urlOf(database.connection), RUNTIME_ROLE: ROLE, SYSADMIN_PASSWORD },
  });
  expect([migrated.code, migrated.error]).toEqual([0, expect.not.stringContaining('rror')]);
  asRuntime = urlOf({ ...database.connection, user: ROLE });
  server = await startServerProcess({ DATABASE_URL: asRuntime, DEMO_DATA: 'false' });
  runtime = new pg.Client({ ...database.connection, user: ROLE });
  await runtime.connect();
});
afterAll(async () => {
  await server.stop();
  await runtime.end();
  await database.drop();
  await asSuperuser(`DROP ROLE ${ROLE}`);
});

const call = async (method: string, path: string, body?: unknown, token = '') => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v2${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', 'X-AUTHENTICATION-KEY': token },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

describe('a server whose role owns nothing', () => {
  it('signs in, writes, and has its writes in the journal and the audit trail', async () => {
    const signedIn = await call('POST', '/authentication', {
      login: 'sysadmin',
      password: SYSADMIN_PASSWORD,
    });
    expect(signedIn.status).toBe(200);
    const token = String(signedIn.body.token);
    const created = await call('POST', '/directory/groups', { label: 'Runtime' }, token);
    expect(created.status).toBe(201);
    const { rows } = await runtime.query(
      `SELECT (SELECT count(*)::integer FROM changes WHERE kind = 'groups') AS changes,
        (SELECT count(*)::integer FROM audit WHERE action = 'create') AS audited`,
    );
    expect(rows).toEqual([{ changes: 1, audited: 1 }]);
  });

  it('keeps the audit trail in parts', async () => {
    await database.query(
      `INSERT INTO audit (date, action) VALUES (now() - interval '70 days', 'seed'), ('2020-01-01', 'seed')`,
    );
    await runtime.query('SELECT add_audit_parts()');
    await runtime.query('SELECT drop_audit_parts()');
    const { rows } = await runtime.query<{ name: string; lines: number }>(
      `SELECT tableoid::regclass::text AS name, count(*)::integer AS lines FROM audit WHERE action = 'seed' GROUP BY 1`,
    );
    expect(rows).toEqual([{ name: expect.stringMatching(/^audit_20\d\d_\d\d$/), lines: 1 }]);
  });

  it('keeps the journal in parts', async () => {
    await database.query(`UPDATE change_parts SET creation_date = now() - interval '4 days'`);
    await runtime.query('SELECT add_journal_part()');
    await runtime.query('SELECT add_journal_part()');
    const { rows } = await runtime.query('SELECT part FROM change_parts ORDER BY part');
    expect(rows).toEqual([{ part: 1 }, { part: 2 }]);
    await runtime.query('SELECT drop_journal_parts(), drop_foreign_changes()');
    expect((await runtime.query('SELECT FROM changes')).rowCount).toBeGreaterThan(0);
  });

  it.each([
    ['backup', '-'],
    ['export', 'users'],
    ['users', 'list'],
    ['audit', 'export'],
    ['migrate', 'plan'],
    ['tokens', 'revoke', '--all'],
  ])('serves the command line: %s %s', async (...args) => {
    const { code, error } = await runCommand(args, { env: { DATABASE_URL: asRuntime } });
    expect([code, error]).toEqual([0, expect.not.stringContaining('denied')]);
  });

  it('imports, though an import makes tables of its own', async () => {
    const { code, out } = await runCommand(['import', 'groups', '-', '--format', 'csv', '--json'], {
      env: { DATABASE_URL: asRuntime },
      input: 'reference,label\nIMPORTED,Imported\n',
    });
    expect([code, JSON.parse(out)]).toEqual([0, [expect.objectContaining({ created: 1 })]]);
  });

  it.each([
    'ALTER TABLE audit DISABLE TRIGGER USER',
    'TRUNCATE audit',
    `UPDATE audit SET action = 'sign-in'`,
    'DELETE FROM audit',
    `DELETE FROM audit WHERE date < now() - interval '11 years'`,
    'DELETE FROM audit_default',
    'TRUNCATE audit_default',
    'ALTER TABLE audit_default DISABLE TRIGGER USER',
    'ALTER TABLE audit DETACH PARTITION audit_default',
    'DROP TABLE audit_default',
    `INSERT INTO audit_default (action) VALUES ('sign-in')`,
    'TRUNCATE changes',
    `INSERT INTO changes (part, kind, operation) VALUES (1, 'users', 'U')`,
    `UPDATE changes SET kind = 'news'`,
    'DELETE FROM changes',
    'DELETE FROM changes_1',
    'DELETE FROM change_parts',
    'DROP TABLE users',
    'CREATE TABLE mine (id integer)',
    `UPDATE applied_functions SET digest = ''`,
    'ALTER FUNCTION refuse_change() RENAME TO allow_change',
  ])('cannot %s', async (text) => {
    await expect(runtime.query(text)).rejects.toMatchObject({ code: '42501' });
  });

  it('does not start on a schema that is pending, and says who may change it', async () => {
    await database.query(`UPDATE applied_functions SET digest = '' WHERE name = 'record_tasks'`);
    const { code, error } = await runCommand(['migrate', 'run'], {
      env: { DATABASE_URL: asRuntime },
    });
    expect([code, error.trim()]).toEqual([
      1,
      'The creation of functions is pending, and the role of DATABASE_URL may not change the schema: run "process-platform migrate run" as the owner of the tables',
    ]);
  });
});
