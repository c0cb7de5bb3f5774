import type { Command } from 'commander';
import { demoMigrations } from '../../migrations/demo/index.js';
import { functions, migrations } from '../../migrations/index.js';
import { setFirstSysadminPassword } from '../credentials/sysadmin-password.js';
import type { Config } from '../config/config.js';
import {
  migrate,
  type MigrationPlan,
  type MigrationState,
  planMigrations,
  revertMigration,
} from '../database/migrate.js';
import { action } from './action.js';
import { print, type PrintOptions } from './output.js';
import { withDatabase } from './with-server.js';

/** The schema of this server. */
export const SHIPPED: MigrationPlan = {
  migrations,
  functions,
  demonstration: demoMigrations,
};

/** `migrate plan|run|revert` */
export function addMigrateCommands(program: Command): void {
  const command = program.command('migrate').description('the schema of the database');
  command
    .command('plan')
    .description(
      'list every migration and function, whether it has run, and what it locks and for about how long; changes nothing',
    )
    .option('--json', 'print JSON')
    .action(action(plan));
  command
    .command('run')
    .description(
      'run the pending migrations and changed functions, as a start of the server does, and print them',
    )
    .option('--json', 'print JSON')
    .action(action(run));
  command
    .command('revert')
    .argument('[name]', 'the name of the newest migration, which confirms the loss')
    .description(
      'revert the newest migration; the tables and columns that it created are lost with their data',
    )
    .option('--json', 'print JSON')
    .action(action(revert));
}

const plan = (options: PrintOptions): Promise<void> =>
  withDatabase(async (config) => {
    const planned = await planMigrations(config, SHIPPED);
    const shown = planned.map(({ locks, seconds, ...state }) => ({
      ...state,
      locks: locks.join(', ') || null,
      seconds: state.applied ? null : seconds,
    }));
    print(options.json ? planned : shown, options);
  });

const run = (options: PrintOptions): Promise<void> =>
  withDatabase(async (config) => print(await migrateAll(config), options));

const revert = (name: string | undefined, options: PrintOptions): Promise<void> =>
  withDatabase(async (config) => {
    const reverted = await revertMigration(config, SHIPPED, name);
    print(reverted ? [reverted] : [], options);
  });

/** Migrates, and sets the first password of sysadmin. */
export const migrateAll = (config: Config): Promise<MigrationState[]> =>
  migrate(config, SHIPPED, () => setFirstSysadminPassword(config));
