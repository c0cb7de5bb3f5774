import type { Command } from 'commander';
import { AccountService } from '../directory/account.service.js';
import { action } from './action.js';
import { Misuse } from './output.js';
import { idOf } from './users.commands.js';
import { withServer } from './with-server.js';

/** `tokens revoke` */
export function addTokenCommands(program: Command): void {
  program
    .command('tokens')
    .description('sessions')
    .command('revoke')
    .argument('[login]')
    .option('--all', 'end the sessions of all users, as a restore does')
    .description('end all sessions of a user immediately, on every running server')
    .action(action(revoke));
}

const revoke = (login: string | undefined, { all = false }: { all?: boolean }): Promise<void> =>
  withServer(async (server) => {
    if (all === (login !== undefined)) throw new Misuse('give either a login or --all');
    const account = server.get(AccountService);
    const count =
      login === undefined
        ? await account.endAllSessions(server.auditContext)
        : await account.endSessions(server.auditContext, await idOf(server, login));
    process.stdout.write(`${count} sessions of ${login ?? 'everybody'} ended\n`);
  });
