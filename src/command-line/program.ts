import { Command } from 'commander';
import { VERSION } from '../base/config/version.js';
import { EXIT } from './action.js';
import { addAbsenceCommands } from './absences.commands.js';
import { addAddressCommands } from './addresses.commands.js';
import { addRoleCommands } from './roles.commands.js';
import { addServiceAccountCommands } from './service-accounts.commands.js';
import { addAuditCommands } from './audit.commands.js';
import { addBackupCommands } from './backup.commands.js';
import { addCompletionCommand } from './completion.command.js';
import { addDeliveryCommands } from './deliveries.commands.js';
import { addDirectoryCommands } from './directories.commands.js';
import { addEndpointCommands } from './endpoints.commands.js';
import { addMigrateCommands } from './migrate.commands.js';
import { addParameterCommands } from './parameters.commands.js';
import { addSeedCommand } from './seed.command.js';
import { addServeCommand } from './serve.command.js';
import { addTransferCommands } from './transfer.commands.js';
import { addTokenCommands } from './tokens.commands.js';
import { addUserCommands } from './users.commands.js';

/** Commands without `--json`: they write a file in a format that is chosen otherwise, a script, or the log of the server. */
const WITHOUT_JSON = new Set(['export', 'stream', 'completion', 'serve']);

/**
 * The command line (docs/command-line.md). It works even when no user can sign in or the server is down.
 * @param serve runs the server
 */
export function makeProgram(serve: () => Promise<void>): Command {
  const program = new Command('process-platform')
    .description(
      'Runs the server, and administers it through its database; both read the same variables.',
    )
    .version(VERSION)
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.done : EXIT.misuse))
    .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 wrong usage.');
  addServeCommand(program, serve);
  for (const add of [
    addMigrateCommands,
    addSeedCommand,
    addTransferCommands,
    addBackupCommands,
    addParameterCommands,
    addAddressCommands,
    addUserCommands,
    addTokenCommands,
    addEndpointCommands,
    addDeliveryCommands,
    addDirectoryCommands,
    addAbsenceCommands,
    addRoleCommands,
    addServiceAccountCommands,
    addAuditCommands,
    addCompletionCommand,
  ])
    add(program);
  for (const command of leavesOf(program))
    if (!WITHOUT_JSON.has(command.name())) command.option('--json', 'print JSON');
  return program;
}

/** The commands that can be run: those without subcommands. */
export const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
