import { execFileSync } from 'node:child_process';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrations } from '../../migrations/index.js';
import { runCommand } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { launchServer, startServerProcess, urlOf } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { DEMO_PASSWORD, send } from '../support/test-server.js';

const INTERRUPTED =
  'a restore into this database was interrupted, so its data is missing: repeat it (process-platform restore <file>)';
const RUNNING = 'a restore into this database is running: wait until it has ended';

let database: TestDatabase;
let folder: string;
let archive: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'process-platform-interrupted-'));
  archive = join(folder, 'backup.gz');
  const source = await createTestDatabase();
  await runCommand(['backup', archive], { env: { DATABASE_URL: urlOf(source.connection) } });
  await source.drop();
  database = await createTestDatabase({ empty: true });
}, 120_000);
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const env = () => ({ DATABASE_URL: urlOf(database.connection) });
const run = (args: string[]) => runCommand(args, { env: env() });

/** A start of the server, and every command but a restore, is refused with this message. */
async function expectRefused(message: string, commands: string[][]): Promise<void> {
  const server = launchServer({ DEMO_DATA: 'false', ...env() });
  const results = await Promise.all(commands.map(run));
  const ended = await Promise.race([server.ended, server.listening.catch(() => server.ended)]);
  await server.stop();
  expect([ended, server.printed()]).toEqual([1, `The server cannot start: ${message}\n`]);
  expect(results).toEqual(commands.map(() => ({ code: 1, out: '', error: `${message}\n` })));
}

/**
 * Starts a restore that reads the first half of the archive and waits for the rest: it has loaded some tables.
 * @returns kills it
 */
async function restoreHalf(): Promise<() => Promise<void>> {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const bytes = await readFile(archive);
  const restoring = launchServer(env(), { program: ['src/cli.js', 'restore', pipe] });
  // It reads the whole archive first, then migrates.
  await writeFile(pipe, bytes);
  await eventually(async () => {
    const names = await database.query('SELECT name FROM migrations ORDER BY id');
    expect(names).toEqual(migrations.map(({ name }) => ({ name })));
  });
  const second = await open(pipe, 'w');
  await second.write(bytes.subarray(0, bytes.length / 2));
  await eventually(async () => {
    const [copying] = await database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY %' AND state = 'active'`,
    );
    expect(copying).toBeDefined();
  });
  return async () => {
    restoring.child.kill('SIGKILL');
    await restoring.ended;
    await second.close();
    await rm(pipe);
    await eventually(async () =>
      expect(
        await database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        ),
      ).toEqual([]),
    );
  };
}

describe('a restore that kill -9 ends', () => {
  it('keeps servers, migrations and backups away until it is repeated', async () => {
    const kill = await restoreHalf();
    await expectRefused(RUNNING, [['migrate', 'run']]);
    expect(await run(['restore', archive])).toEqual({
      code: 1,
      out: '',
      error: 'another restore into this database is running\n',
    });
    await kill();
    await expectRefused(INTERRUPTED, [
      ['migrate', 'run'],
      ['backup', join(folder, 'empty.gz')],
      ['parameters', 'list'],
    ]);
    expect(await database.query('SELECT login FROM users')).toEqual([{ login: 'sysadmin' }]);

    // Nothing in the database is worth a --force.
    const repeated = await run(['restore', archive, '--json']);
    expect(repeated.code).toBe(0);
    expect(JSON.parse(repeated.out)).toContainEqual({ table: 'users', rows: 175 });
    const server = await startServerProcess(env());
    const signedIn = await send(server.port, '/api/v2/authentication', {
      method: 'POST',
      body: { login: 'bruno.keller', password: DEMO_PASSWORD },
    });
    expect(signedIn.status).toBe(200);
    await server.stop();
    expect((await run(['restore', archive])).error).toBe(
      'the database is not empty: restore into an empty one, or drop what it holds with --force\n',
    );
  }, 300_000);
});
