import { demoMigrations } from '../../migrations/demo/index.js';
import { functions, migrations } from '../../migrations/index.js';
import { type DatabaseConnection, loadConfig } from '../../src/base/config/config.js';
import { setFirstSysadminPassword } from '../../src/auth/credentials/sysadmin-password.js';
import { migrate } from '../../src/database/migrate.js';

/** The password of sysadmin in databases that `prepareDatabase` made. */
export const SYSADMIN_PASSWORD = 'Sysadmin-Report-2026';

/** Creates the schema, the demonstration portal and the password of sysadmin. */
export async function prepareDatabase(connection: DatabaseConnection): Promise<void> {
  const config = loadConfig({ DEMO_DATA: 'true', SYSADMIN_PASSWORD }).withDatabase(connection);
  await migrate(config, { migrations, functions, demonstration: demoMigrations }, async () => {
    await setFirstSysadminPassword(config);
  });
}
