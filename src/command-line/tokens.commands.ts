import type { Command } from 'commander';
import { action } from './action.js';

const load = () => import('./tokens.actions.js');

/** `tokens revoke` */
export function addTokenCommands(program: Command): void {
  program
    .command('tokens')
    .description('sessions')
    .command('revoke')
    .argument('[login]')
    .option('--all', 'end the sessions of all users, as a restore does')
    .description('end all sessions of a user immediately, on every running server')
    .action(action(load, 'revoke'));
}
