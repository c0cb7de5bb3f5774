import type { Command } from 'commander';
import { VERSION } from '../operations/version.js';
import { backUp } from '../transfer/backup.js';
import { restore } from '../transfer/restore.js';
import { action } from './action.js';
import { writeFile } from './files.js';
import { SHIPPED } from './migrate.commands.js';
import { print, type PrintOptions } from './output.js';
import { progress } from './progress.js';
import { commandLine, withDatabase, withTables } from './with-server.js';

/** `backup` and `restore` */
export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .argument('<file>', '- for standard output; it holds password hashes: keep it as safe as them')
    .option('--json', 'print JSON')
    .description('write the whole database into one file, from one snapshot, while servers run')
    .action(action(runBackup));
  program
    .command('restore')
    .argument('<file>')
    .option('--force', 'drop what the database holds')
    .option('--json', 'print JSON')
    .description(
      'load a backup into an empty database, while no server runs; nobody stays signed in',
    )
    .action(action(runRestore));
}

async function runBackup(path: string, options: PrintOptions): Promise<void> {
  const bar = progress('writing tables');
  let done = 0;
  const rows = await withTables((config) =>
    writeFile(path, (write) =>
      backUp(config, { server: VERSION, write, progress: () => bar.update(++done) }),
    ),
  );
  bar.end();
  if (path !== '-') print(countsOf(rows), options);
}

async function runRestore(
  path: string,
  { force = false, ...options }: PrintOptions & { force?: boolean },
): Promise<void> {
  const bar = progress('loading tables');
  let done = 0;
  const rows = await withDatabase((config) =>
    restore(config, {
      path,
      plan: SHIPPED,
      force,
      origin: commandLine(),
      progress: () => bar.update(++done),
    }),
  );
  bar.end();
  print(countsOf(rows), options);
}

const countsOf = (tables: Record<string, number>): Record<string, unknown>[] =>
  Object.entries(tables).map(([table, rows]) => ({ table, rows }));
