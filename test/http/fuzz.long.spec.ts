import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import {
  createTestDatabase,
  superuser,
  sysadminPassword,
  type TestDatabase,
} from '../support/test-database.js';
import { ATTACKS } from '../hardening/fuzz/attacks.js';
import { AUDIENCE, startIssuer } from '../hardening/fuzz/forged-tokens.js';
import { faultsOf, runClass } from '../hardening/fuzz/run-class.js';
import { prepare, type Target } from '../hardening/fuzz/target.js';

/**
 * A sample of the hostile input of `npm run fuzz`, from the same generators. No input may crash the server,
 * disclose its internals, change unrelated data or get a wrong answer.
 */

const SCALE = Number(process.env.FUZZ_SCALE || 0.03);
const SEED = Number(process.env.FUZZ_SEED || randomInt(2 ** 31));
const DATABASE_PASSWORD = 'canary-of-the-database';

let database: TestDatabase;
let watcher: pg.Client;
let server: ServerProcess;
let target: Target;
let hasEnded = false;
const issuer = await startIssuer();

beforeAll(async () => {
  process.stdout.write(`FUZZ_SEED=${SEED} repeats this run\n`);
  database = await createTestDatabase();
  watcher = new pg.Client(superuser());
  await watcher.connect();
  await watcher.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const { user, host, database: name } = database.connection;
  await watcher.query(`ALTER DATABASE ${name} SET pg_stat_statements.track = 'top'`);
  server = await startServerProcess({
    DATABASE_URL: `postgresql://${user}:${DATABASE_PASSWORD}@localhost/${name}?host=${encodeURIComponent(host)}`,
    OIDC_ISSUER: issuer.address,
    OIDC_AUDIENCE: AUDIENCE,
  });
  target = await prepare({
    port: server.port,
    query: (text, values) => database.query(text, values) as never,
    statements: async () => {
      const { rows } = await watcher.query<{ query: string }>(
        `SELECT DISTINCT query FROM pg_stat_statements
          WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1)`,
        [name],
      );
      return rows.map(({ query }) => query);
    },
    isAlive: () => !hasEnded && isRunning(server.pid),
    printed: () => server.printed(),
    sysadminPassword: sysadminPassword(),
    issuer,
    secrets: [DATABASE_PASSWORD],
  });
});
afterAll(async () => {
  hasEnded = true;
  await server.stop();
  await issuer.stop();
  await watcher.end();
  await database.drop();
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('hostile input', () => {
  it.each(ATTACKS.map((attack) => [attack.id, attack.goal, attack] as const))(
    '%s %s',
    async (_id, _goal, attack) => {
      const outcome = await runClass(attack, target, SCALE, SEED);
      const { failed, hangs } = outcome;
      const shown = faultsOf(outcome).slice(0, 5);
      expect({ seed: SEED, failed, hangs, faults: shown }).toEqual({
        seed: SEED,
        failed: 0,
        hangs: 0,
        faults: [],
      });
    },
    120_000,
  );
});
