import { AccountModule } from '../directory/account.module.js';
import { AccountService } from '../directory/account.service.js';
import { Misuse, print, type PrintOptions } from './output.js';
import { idOf } from './users.actions.js';
import { withServer } from './with-server.js';

export const revoke = (
  login: string | undefined,
  { all = false, ...options }: PrintOptions & { all?: boolean },
): Promise<void> =>
  withServer([AccountModule], async (server) => {
    if (all === (login !== undefined)) throw new Misuse('give either a login or --all');
    const account = server.get(AccountService);
    const count =
      login === undefined
        ? await account.endAllSessions(server.auditContext)
        : await account.endSessions(server.auditContext, await idOf(server, login));
    const line = `${count} sessions of ${login ?? 'everybody'} ended`;
    print([{ login: login ?? null, sessions: count }], options, line);
  });
