import type { Command } from 'commander';
import { action } from './action.js';

const load = () => import('./users.actions.js');

/** `users list|rights|unlock|reset-password|reset-second-step|erase|export-personal-data|invite` */
export function addUserCommands(program: Command): void {
  const users = program
    .command('users')
    .description('accounts')
    .addHelpText('after', '\nTo create and change users: process-platform import users <file>');
  users
    .command('list')
    .option('--status <status>', 'inactive, active, invited or archived')
    .option('--group <reference>', 'the members of a group')
    .option('--administrators', 'administrators alone')
    .description('list accounts by their logins')
    .action(action(() => import('./lists.actions.js'), 'listUsers'));
  users
    .command('rights')
    .argument('<login>')
    .description('what a person may do, and which roles give it')
    .action(action(() => import('./roles.actions.js'), 'rights'));
  users
    .command('unlock')
    .argument('<login>')
    .description('unlock an account after too many failed sign-ins')
    .action(action(load, 'unlock'));
  users
    .command('reset-password')
    .argument('<login>', 'sysadmin too')
    .option('--stdin', 'read the password from standard input instead of generating one')
    .description('set a password; ends the lock, all sessions, API keys and bound identities')
    .action(action(load, 'resetPassword'));
  users
    .command('reset-second-step')
    .argument('<login>', 'sysadmin too')
    .description('remove the second steps of a person who has lost them; ends all sessions')
    .action(action(load, 'resetSecondStep'));
  users
    .command('erase')
    .argument('<login>')
    .option('--yes', 'without a question')
    .description('erase what is personal about a person for good; links stay, to a former employee')
    .action(action(() => import('./personal-data.actions.js'), 'erase'));
  users
    .command('export-personal-data')
    .argument('<login>')
    .option('--output <file>', 'instead of standard output')
    .description('export all that is held about a person as JSON, without secrets')
    .action(action(() => import('./personal-data.actions.js'), 'exportPersonalData'));
  users
    .command('invite')
    .argument('[logins...]')
    .option('--invited', 'everybody who has the status 2')
    .option('--mail', 'send mails (SMTP_URL) instead of printing a CSV table of links')
    .description('create links with which people set their first or a new password')
    .action(action(() => import('./invite-users.js'), 'inviteUsers'));
}
