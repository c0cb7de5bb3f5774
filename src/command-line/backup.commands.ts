import type { Command } from 'commander';
import { action } from './action.js';

const load = () => import('./backup.actions.js');

/** `backup` and `restore` */
export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .argument('<file>', '- for standard output; it holds password hashes: keep it as safe as them')
    .option('--overwrite', 'replace a file of this name')
    .option('--key-file <file>', 'key of the digest, at least 32 characters')
    .description('write the whole database into one file, from one snapshot, while servers run')
    .action(action(load, 'runBackup'));
  program
    .command('restore')
    .argument('<file>')
    .option('--force', 'drop all data of the database first')
    .option('--key-file <file>', 'accept only a backup that was written with this key')
    .option('--as-superuser', 'allow a database role that may run programs on the database host')
    .description('load a backup into an empty database while no server runs; all sessions end')
    .action(action(load, 'runRestore'));
}
