import { type Command, Option } from 'commander';
import { KINDS } from '../transfer/kinds.js';
import { action } from './action.js';
import { STANDARD } from './files.js';

const load = () => import('./transfer.actions.js');

/** `import` and `export` */
export function addTransferCommands(program: Command): void {
  program
    .command('import')
    .argument('<kind>', KINDS.join(', '))
    .argument('<file>', 'CSV with a header, or one JSON object a line; - for standard input')
    .option('--dry-run', 'do everything, then roll back')
    .option(
      '--without <attributes...>',
      'skip attributes, e.g. manager while the users do not exist yet',
    )
    .option('--format <format>', 'csv or jsonl; by default the extension of the file')
    .addOption(
      new Option(
        '--lines-at-once <number>',
        'commit after this number of lines, so that edits of these rows wait for a moment only',
      ).conflicts('dryRun'),
    )
    .description('create and update rows: the whole file or, with one invalid line, nothing')
    .action(action(load, 'runImport'));
  program
    .command('export')
    .argument('<kind>', KINDS.join(', '))
    .argument('[file]', '- or none for standard output', STANDARD)
    .option(
      '--format <format>',
      'csv or jsonl; by default the extension of the file, on standard output csv',
    )
    .description('write all rows in the format that import reads; never passwords')
    .action(action(load, 'runExport'));
}
