// One PostgreSQL for all test files, and in it one template database: migrated, with the
// demonstration portal. Each file copies it. `TEST_DATABASE` names one that runs already (scripts/mutation-check.mjs).
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedServer } from '../dist/src/database/embedded/embedded-server.js';

const SYSADMIN_PASSWORD = 'Sysadmin-Test-2026';

/** The role of the servers of the tests, which owns nothing (test/support/test-server.ts). */
const RUNTIME_ROLE = 'platform_server';

/** The prepared data folder, which the next run copies. A build deletes it. */
const PREPARED = 'dist/test-database';

/** The dates of the demonstration count from the moment of its creation, in milliseconds. */
const MAX_AGE = 60 * 60_000;

const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // test/http/fuzz.long.spec.ts looks which statements there were in its database: those of the others would displace them.
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '10000',
  'pg_stat_statements.track': 'none',
};

const newFolder = () => mkdtempSync(join(tmpdir(), 'process-platform-test-'));

async function prepare() {
  const { loadConfig } = await import('../dist/src/base/config/config.js');
  const { migrate } = await import('../dist/src/database/migrate.js');
  const { functions, migrations } = await import('../dist/migrations/index.js');
  const { demoMigrations } = await import('../dist/migrations/demo/index.js');
  const { setFirstSysadminPassword } =
    await import('../dist/src/auth/credentials/sysadmin-password.js');
  const folder = newFolder();
  const server = await startEmbeddedServer({ folder, settings: SETTINGS });
  const superuser = new pg.Client(server.superuser);
  await superuser.connect();
  await superuser.query(`CREATE ROLE ${RUNTIME_ROLE} LOGIN`);
  const config = loadConfig({ DEMO_DATA: 'true', SYSADMIN_PASSWORD, RUNTIME_ROLE }).withDatabase(
    server.connection,
  );
  await migrate(config, { migrations, functions, demonstration: demoMigrations }, async () => {
    await setFirstSysadminPassword(config);
  });
  // Tests end sessions of the servers, and give them further tables.
  const { user, database } = server.connection;
  await superuser.query(`GRANT ${RUNTIME_ROLE} TO ${user}`);
  const owner = new pg.Client(server.connection);
  await owner.connect();
  await owner.query(
    `ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${RUNTIME_ROLE};
     ALTER DEFAULT PRIVILEGES GRANT USAGE ON SEQUENCES TO ${RUNTIME_ROLE}`,
  );
  await owner.end();
  await superuser.query(`ALTER DATABASE ${database} IS_TEMPLATE true`);
  await superuser.end();
  await server.stop();
  rmSync(PREPARED, { recursive: true, force: true });
  execFileSync('cp', ['-a', folder, `${PREPARED}.new`]);
  rmSync(folder, { recursive: true, force: true });
  renameSync(`${PREPARED}.new`, PREPARED);
}

export default async function setUp() {
  if (process.env.TEST_DATABASE !== undefined) return;
  if (!existsSync(PREPARED) || Date.now() - statSync(PREPARED).mtimeMs > MAX_AGE) await prepare();
  const folder = newFolder();
  execFileSync('cp', ['-a', `${PREPARED}/.`, folder]);
  const server = await startEmbeddedServer({ folder, settings: SETTINGS });
  process.env.TEST_DATABASE = JSON.stringify({
    connection: server.connection,
    superuser: server.superuser,
    sysadminPassword: SYSADMIN_PASSWORD,
  });
  globalThis.stopTestDatabase = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
