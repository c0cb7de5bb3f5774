import type { Command } from 'commander';
import { action } from './action.js';

const load = () => import('./migrate.actions.js');

/** `migrate plan|run|revert` */
export function addMigrateCommands(program: Command): void {
  const command = program.command('migrate').description('the schema of the database');
  command
    .command('plan')
    .description(
      'list every migration and function, whether it has run, and what it locks and for about how long; changes nothing',
    )
    .action(action(load, 'plan'));
  command
    .command('run')
    .description(
      'run the pending migrations and changed functions, as a start of the server does, and print them',
    )
    .action(action(load, 'run'));
  command
    .command('revert')
    .argument('[name]', 'the name of the newest migration, which confirms the loss')
    .description(
      'revert the newest migration; the tables and columns that it created are lost with their data',
    )
    .action(action(load, 'revert'));
}
