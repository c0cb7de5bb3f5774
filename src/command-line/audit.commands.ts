import type { Command } from 'commander';
import { action } from './action.js';
import { STANDARD } from './files.js';

const load = () => import('./audit.actions.js');

/** `audit export` */
export function addAuditCommands(program: Command): void {
  program
    .command('audit')
    .description('the audit trail')
    .command('export')
    .argument('[file]', '- or none for standard output', STANDARD)
    .option('--since <timestamp>', 'lines of this moment and later')
    .option('--until <timestamp>', 'lines before this moment')
    .option(
      '--format <format>',
      'csv or jsonl; by default the extension of the file, on standard output jsonl',
    )
    .description('write the lines of the audit trail, the oldest first')
    .action(action(load, 'exportAudit'));
}
