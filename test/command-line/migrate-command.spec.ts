import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { demoMigrations } from '../../migrations/demo/index.js';
import { functions, migrations } from '../../migrations/index.js';
import { runCommand } from '../support/command-line.js';
import { startServerProcess, urlOf } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { send } from '../support/test-server.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
});
afterAll(() => database.drop());

const run = (args: string[], env: Record<string, string> = {}) =>
  runCommand([...args, '--json'], {
    env: {
      DATABASE_URL: urlOf(database.connection),
      SYSADMIN_PASSWORD: 'First-Password-1',
      ...env,
    },
  });
const NAMES = migrations.map(({ name }) => name);
const FUNCTIONS = functions.map(({ name }) => name);
const planned = (applied: boolean, names = NAMES, history = 'migrations') =>
  states(applied, names, history).map((state) => ({ ...state, locks: [], seconds: 0 }));
const states = (applied: boolean, names = NAMES, history = 'migrations') =>
  names.map((name) => ({ history, name, applied }));
const created = states(true, FUNCTIONS, 'applied_functions');
const pending = (state: object) => ({
  ...state,
  locks: expect.any(Array),
  seconds: expect.any(Number),
});

describe('process-platform migrate', () => {
  it('plans without changing anything', async () => {
    const { code, out } = await run(['migrate', 'plan']);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      [...planned(false), ...planned(false, FUNCTIONS, 'applied_functions')],
    ]);
    expect(await database.query(`SELECT 1 FROM pg_class WHERE relname = 'users'`)).toEqual([]);
  }, 300_000);

  it('runs missing migrations once, and reverts the newest one', async () => {
    const first = await run(['migrate', 'run']);
    expect([first.code, first.error, JSON.parse(first.out)]).toEqual([
      0,
      '',
      [...states(true), ...created],
    ]);
    expect(JSON.parse((await run(['migrate', 'run'])).out)).toEqual([]);

    for (const unconfirmed of [[], [NAMES.at(-2)!]]) {
      const refused = await run(['migrate', 'revert', ...unconfirmed]);
      expect([refused.code, refused.out]).toEqual([1, '']);
      expect(refused.error).toContain(
        `to confirm, give its name: migrate revert ${NAMES.at(-1)}\n`,
      );
    }
    const reverted = await run(['migrate', 'revert', NAMES.at(-1)!]);
    expect(JSON.parse(reverted.out)).toEqual(states(false, NAMES.slice(-1)));
    const plan = JSON.parse((await run(['migrate', 'plan'])).out) as unknown[];
    expect(plan).toEqual([
      ...planned(true, NAMES.slice(0, -1)),
      ...states(false, NAMES.slice(-1)).map(pending),
      ...states(false, FUNCTIONS, 'applied_functions').map(pending),
    ]);
    expect(JSON.parse((await run(['migrate', 'run'])).out)).toEqual([
      ...states(true, NAMES.slice(-1)),
      ...created,
    ]);
  }, 300_000);

  it('seeds the demonstration portal, which is reverted first', async () => {
    const seeded = JSON.parse((await run(['seed', '--demo'])).out) as unknown;
    const names = demoMigrations.map(({ name }) => name);
    expect(seeded).toEqual(names.map((seed) => ({ seed, state: 'applied' })));
    expect(JSON.parse((await run(['seed', '--demo'])).out)).toEqual([]);
    const reverted = JSON.parse((await run(['migrate', 'revert', names.at(-1)!])).out) as unknown;
    expect(reverted).toEqual(states(false, names.slice(-1), 'demo_migrations'));
  }, 300_000);

  it('plans nothing for, and refuses, a database of a newer version', async () => {
    await database.query(`INSERT INTO migrations (timestamp, name) VALUES (1, 'FromTheFuture1')`);
    const plan = JSON.parse((await run(['migrate', 'plan'])).out) as unknown[];
    expect(plan).toContainEqual(planned(true, ['FromTheFuture1'])[0]);
    for (const command of ['run', 'revert']) {
      const refused = await run(['migrate', command]);
      expect([refused.code, refused.out]).toEqual([1, '']);
      expect(refused.error).toContain(
        'migrated by a newer version of this server (FromTheFuture1)',
      );
    }
    await database.query(`DELETE FROM migrations WHERE name = 'FromTheFuture1'`);
  }, 300_000);
});

describe('process-platform serve', () => {
  it('starts the server by the command serve', async () => {
    const env = { DATABASE_URL: urlOf(database.connection) };
    const server = await startServerProcess(env, { program: ['src/cli.js', 'serve'] });
    const answer = await send(server.port, '/health/ready');
    expect(answer.status).toBe(200);
    await server.stop();
  }, 300_000);
});
