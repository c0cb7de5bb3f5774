import { demoMigrations } from '../../migrations/demo/index.js';
import { functions, migrations } from '../../migrations/index.js';
import { setFirstSysadminPassword } from '../auth/credentials/sysadmin-password.js';
import type { Config } from '../base/config/config.js';
import {
  migrate,
  type MigrationPlan,
  type MigrationState,
  planMigrations,
  revertMigration,
} from '../database/migrate.js';
import { print, type PrintOptions } from './output.js';
import { withDatabase } from './with-database.js';

/** The schema of this server. */
export const SHIPPED: MigrationPlan = {
  migrations,
  functions,
  demonstration: demoMigrations,
};

export const plan = (options: PrintOptions): Promise<void> =>
  withDatabase(async (config) => {
    const planned = await planMigrations(config, SHIPPED);
    const shown = planned.map(({ locks, seconds, ...state }) => ({
      ...state,
      locks: locks.join(', ') || null,
      seconds: state.applied ? null : seconds,
    }));
    print(options.json ? planned : shown, options);
  });

export const run = (options: PrintOptions): Promise<void> =>
  withDatabase(async (config) => print(await migrateAll(config), options));

export const revert = (name: string | undefined, options: PrintOptions): Promise<void> =>
  withDatabase(async (config) => {
    const reverted = await revertMigration(config, SHIPPED, name);
    print(reverted ? [reverted] : [], options);
  });

/** Migrates, and sets the first password of sysadmin. */
export const migrateAll = (config: Config): Promise<MigrationState[]> =>
  migrate(config, SHIPPED, () => setFirstSysadminPassword(config));
