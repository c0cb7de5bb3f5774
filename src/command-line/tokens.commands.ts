import type { Command } from 'commander';
import { AccountService } from '../directory/account.service.js';
import { action } from './action.js';
import { idOf } from './users.commands.js';
import { withServer } from './with-server.js';

/** `tokens revoke` */
export function addTokenCommands(program: Command): void {
  program
    .command('tokens')
    .description('sessions')
    .command('revoke')
    .argument('<login>')
    .description('end all sessions of a user, at once on every running server')
    .action(action(revoke));
}

const revoke = (login: string): Promise<void> =>
  withServer(async (server) => {
    const id = await idOf(server, login);
    const count = await server.get(AccountService).endSessions(server.origin, id);
    process.stdout.write(`${count} sessions of ${login} ended\n`);
  });
