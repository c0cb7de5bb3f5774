import { text } from 'node:stream/consumers';
import { getRepositoryToken } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { generatePassword } from '../auth/credentials/generate-password.js';
import { SecondSteps } from '../auth/credentials/second-steps.service.js';
import { Database } from '../database/database.js';
import { AccountModule } from '../directory/account.module.js';
import { AccountService } from '../directory/account.service.js';
import { User } from '../directory/user.entity.js';
import { USER_STATUS } from '../security/user-status.js';
import { CommandError, print, type PrintOptions } from './output.js';
import { type Server, withServer } from './with-server.js';

export const unlock = (login: string, options: PrintOptions): Promise<void> =>
  withServer([AccountModule], async (server) => {
    const id = await idOf(server, login);
    const wasLocked = await server.get(AccountService).unlock(server.auditContext, id);
    const line = `${login} ${wasLocked ? 'is unlocked' : 'was not locked'}`;
    print([{ login, wasLocked }], options, line);
  });

export const resetPassword = (
  login: string,
  { stdin = false, ...options }: PrintOptions & { stdin?: boolean },
): Promise<void> =>
  withServer([AccountModule], async (server) => {
    const id = await idOf(server, login);
    const password = stdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : generatePassword();
    await server.get(AccountService).resetPassword(server.auditContext, id, password);
    if (stdin) print([{ login }], options, `the password of ${login} is set`);
    else print([{ login, password }], options, password);
    if (!(await isActive(server, id)))
      process.stderr.write(`${login} cannot sign in yet: only users with the status 1 can\n`);
  });

export const resetSecondStep = (login: string, options: PrintOptions): Promise<void> =>
  withServer([AccountModule], async (server) => {
    const id = await idOf(server, login);
    const removed = await server.get(SecondSteps).remove(server.auditContext, id);
    const line = removed > 0 ? `${login} signs in without a second step` : `${login} has none`;
    print([{ login, removed }], options, line);
  });

/** Whether a user may sign in at all: neither invited, nor disabled, nor archived. */
const isActive = ({ get }: Server, id: string): Promise<boolean> =>
  get<Repository<User>>(getRepositoryToken(User)).existsBy({ id, status: USER_STATUS.active });

/** @throws CommandError for an unknown login */
export async function idOf({ get }: Server, login: string): Promise<string> {
  const [row] = await get(Database).rows({
    text: 'SELECT id FROM users WHERE login_key(login) = login_key($1)',
    values: [login],
  });
  if (!row) throw new CommandError(`there is no user ${login}`);
  return String(row[0]);
}
