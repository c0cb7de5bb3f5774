import { AccountService } from '../directory/account.service.js';
import { action } from './action.js';
import { CommandError } from './output.js';
import { idOf } from './users.commands.js';
import { withServer } from './with-server.js';
/** `tokens revoke` */
export function addTokenCommands(program) {
    program
        .command('tokens')
        .description('sessions')
        .command('revoke')
        .argument('[login]')
        .option('--all', 'of everybody, as after the restore of a backup')
        .description('end all sessions of a user, at once on every running server')
        .action(action(revoke));
}
const revoke = (login, { all = false }) => withServer(async (server) => {
    if (all === (login !== undefined))
        throw new CommandError('give a login, or --all');
    const account = server.get(AccountService);
    const count = login === undefined
        ? await account.endAllSessions(server.origin)
        : await account.endSessions(server.origin, await idOf(server, login));
    process.stdout.write(`${count} sessions of ${login ?? 'everybody'} ended\n`);
});
//# sourceMappingURL=tokens.commands.js.map