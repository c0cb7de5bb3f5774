import type { Command } from 'commander';
import { action } from './action.js';
import { STANDARD } from './files.js';

/** `audit export|stream` */
export function addAuditCommands(program: Command): void {
  const command = program.command('audit').description('the audit trail');
  command
    .command('export')
    .argument('[file]', '- or none for standard output', STANDARD)
    .option('--since <timestamp>', 'lines of this moment and later')
    .option('--until <timestamp>', 'lines before this moment')
    .option(
      '--format <format>',
      'csv or jsonl; by default the extension of the file, on standard output jsonl',
    )
    .option('--follow', 'go on with new lines until a signal, by their ids')
    .option('--after <id>', 'with --follow, only lines after this one')
    .description('write the lines of the audit trail, the oldest first')
    .action(action(() => import('./audit.actions.js'), 'exportAudit'));
  command
    .command('stream')
    .argument(
      '<receiver>',
      'tcp://host:port or tls://host:port for syslog, - for JSON lines on standard output',
    )
    .option('--after <id>', 'where a stream to a new receiver begins; by default the oldest line')
    .description(
      'send the lines of the audit trail until a signal; the database keeps how far each receiver has come',
    )
    .action(action(() => import('./stream-audit.js'), 'streamAudit'));
}
