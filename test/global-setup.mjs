// One PostgreSQL for all test files, and in it one template database: migrated, with the
// demonstration portal. Each file copies it. `TEST_DATABASE` names one that runs already (scripts/mutation-check.mjs).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { demoMigrations } from '../dist/migrations/demo/index.js';
import { migrations } from '../dist/migrations/index.js';
import { loadConfig } from '../dist/src/config/config.js';
import { setFirstSysadminPassword } from '../dist/src/credentials/sysadmin-password.js';
import { startEmbeddedServer } from '../dist/src/database/embedded/embedded-server.js';
import { migrate } from '../dist/src/database/migrate.js';

const SYSADMIN_PASSWORD = 'Sysadmin-Test-2026';

export default async function setUp() {
  if (process.env.TEST_DATABASE !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'process-platform-test-'));
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    // test/http/fuzz.spec.ts looks which statements there were in its database: those of the others would displace them.
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.max': '10000',
    'pg_stat_statements.track': 'none',
  };
  const server = await startEmbeddedServer({ folder, settings });
  const environment = { DEMO_DATA: 'true', SYSADMIN_PASSWORD };
  const config = loadConfig(environment).withDatabase(server.connection);
  await migrate(config, { migrations, demonstration: demoMigrations }, async () => {
    await setFirstSysadminPassword(config);
  });
  const superuser = new pg.Client(server.superuser);
  await superuser.connect();
  await superuser.query(`ALTER DATABASE ${server.connection.database} IS_TEMPLATE true`);
  await superuser.end();
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
