import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { AccountModule } from '../directory/account.module.js';
import { ErasureService } from '../directory/erasure.service.js';
import { exportPersonalData as readAll } from '../directory/personal-data.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { CommandError, print, type PrintOptions } from './output.js';
import { idOf } from './users.actions.js';
import { withServer } from './with-server.js';

/** Exports all that is held about a person as JSON. */
export const exportPersonalData = (
  login: string,
  { output, ...options }: PrintOptions & { output?: string },
): Promise<void> =>
  withServer([AccountModule], async (server) => {
    const id = await idOf(server, login);
    const data = await DedicatedConnection.on(server.config, (session) =>
      readAll(session, server.auditContext, id),
    );
    const text = `${JSON.stringify(data, undefined, 2)}\n`;
    if (output === undefined) return void process.stdout.write(text);
    await writeFile(output, text, { mode: 0o600, flag: 'wx' });
    print([{ login, output }], options, `the personal data of ${login} is in ${output}`);
  });

/** Erases a person, after a question unless `--yes`. */
export const erase = (
  login: string,
  { yes = false, ...options }: PrintOptions & { yes?: boolean },
): Promise<void> =>
  withServer([AccountModule], async (server) => {
    const id = await idOf(server, login);
    if (!yes) await confirm(login);
    const warnings = await server.get(ErasureService).erase(server.auditContext, id, login);
    print([{ login, id }], options, `${login} is erased, and is now former-${id}`);
    for (const warning of warnings) process.stderr.write(`${warning}\n`);
  });

/** @throws CommandError unless the person at the command line types the login */
async function confirm(login: string): Promise<void> {
  const dialog = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = new Promise<string>((resolve) => dialog.once('close', () => resolve('')));
    const question = dialog.question(
      `This erases ${login} for good: names, addresses, photo, keys, sessions and filters. Type the login to go on: `,
    );
    if ((await Promise.race([question, ended])) !== login)
      throw new CommandError('nothing was erased');
  } finally {
    dialog.close();
  }
}
