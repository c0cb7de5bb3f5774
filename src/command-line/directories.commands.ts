import type { Command } from 'commander';
import { action } from './action.js';

const load = () => import('./directories.actions.js');

/** `directories sync` */
export function addDirectoryCommands(program: Command): void {
  program
    .command('directories')
    .description('LDAP directories whose people and groups are kept here')
    .command('sync')
    .argument('<provider>', 'its reference or id')
    .option('--dry-run', 'list every change with its reason, and make none')
    .option('--without-brake', 'deactivate people however many have left the directory')
    .option('--incremental', 'read only what has changed since the last run')
    .description('compare the whole directory, and bring people and groups in step')
    .action(action(load, 'sync'));
}
