import type { Command } from 'commander';
import { action } from './action.js';

const load = () => import('./directories.actions.js');

/** `directories sync`, `directories test` */
export function addDirectoryCommands(program: Command): void {
  const directories = program
    .command('directories')
    .description('LDAP directories whose people and groups are kept here');
  directories
    .command('sync')
    .argument('<provider>', 'its reference or id')
    .option('--dry-run', 'list every change with its reason, and make none')
    .option('--without-brake', 'deactivate people however many have left the directory')
    .option('--incremental', 'read only what has changed since the last run')
    .description('compare the whole directory, and bring people and groups in step')
    .action(action(load, 'sync'));
  directories
    .command('test')
    .argument('<provider>', 'its reference or id')
    .option('--person <login>', 'show the entry of a person, and what a run would do with it')
    .description('try each server of the directory; nothing is written')
    .action(action(load, 'test'));
}
