import { Database } from '../database/database.js';
import { DirectoryModule } from '../directory/directory.module.js';
import type { InvitationProblem } from '../directory/invitees.js';
import { type InvitationResult, InvitationsService } from '../directory/invitations.service.js';
import { USER_STATUS } from '../security/user-status.js';
import { EXIT } from './action.js';
import { Misuse } from './output.js';
import { type Server, withServer } from './with-server.js';

/** Maximum number of invitations of one transaction. */
const BATCH = 500;

const PROBLEMS: Record<InvitationProblem, string> = {
  unknown: 'there is no such user',
  protected: 'this account cannot be invited',
  status: 'only active and invited users can be invited',
  'no-email': 'has no e-mail address',
};

interface Options {
  invited?: boolean;
  mail?: boolean;
}

/** `users invite`: mails invitations, or prints a CSV table of logins and links. */
export const inviteUsers = (logins: string[], options: Options): Promise<void> =>
  withServer([DirectoryModule], async (server) => {
    if (logins.length === 0 && options.invited !== true)
      throw new Misuse('name logins, or give --invited for everybody who has the status 2');
    const ids = await findIds(server, logins, options);
    const delivery = options.mail === true ? 'mail' : 'link';
    if (delivery === 'link') process.stdout.write('login,link\n');
    let mails = 0;
    for (let start = 0; start < ids.length; start += BATCH) {
      const results = await server.get(InvitationsService).createMany({
        auditContext: server.auditContext,
        ids: ids.slice(start, start + BATCH),
        delivery,
      });
      for (const result of results) report(server, result);
      mails += results.filter(({ mailedTo }) => mailedTo !== null).length;
    }
    if (delivery === 'link' && server.config.env.PUBLIC_URL === undefined)
      process.stderr.write(
        `PUBLIC_URL is not set: the links lead to ${originOf(server)}, where PORT says that the server listens\n`,
      );
    if (delivery === 'mail') process.stdout.write(`${mails} mails wait in the outbox\n`);
  });

function report(server: Server, { login, code, problem }: InvitationResult): void {
  if (code !== null) process.stdout.write(`${login},${linkOf(server, code)}\n`);
  if (problem === null) return;
  process.stderr.write(`${login}: ${PROBLEMS[problem]}\n`);
  process.exitCode = EXIT.failed;
}

const originOf = ({ config: { env } }: Server): string =>
  env.PUBLIC_URL ?? `http://localhost:${env.PORT}`;

const linkOf = (server: Server, code: string): string =>
  `${originOf(server)}${server.config.env.BASE_PATH}/workplace/invitation#${code}`;

/** The ids of the users, in the order of their logins. An unknown login is reported. */
async function findIds(
  { get }: Server,
  logins: string[],
  { invited = false }: Options,
): Promise<string[]> {
  const rows = await get(Database).query<{ id: string | null; given: string | null }>({
    text: `SELECT u.id, given.login AS given
      FROM unnest($1::text[]) AS given (login)
        FULL JOIN (SELECT * FROM users WHERE status = ${USER_STATUS.invited} AND $2::boolean
          OR login_key(login) = ANY (SELECT login_key(one) FROM unnest($1::text[]) AS one)) u
        ON login_key(u.login) = login_key(given.login)
      ORDER BY coalesce(u.login, given.login)`,
    values: [logins, invited],
  });
  for (const { id, given } of rows)
    if (id === null) {
      process.stderr.write(`${given}: ${PROBLEMS.unknown}\n`);
      process.exitCode = EXIT.failed;
    }
  return [...new Set(rows.flatMap(({ id }) => id ?? []))];
}
