import { Database } from '../database/database.js';
import { DirectoryModule } from '../directory/directory.module.js';
import type { InvitationProblem } from '../directory/invitees.js';
import { type InvitationResult, InvitationsService } from '../directory/invitations.service.js';
import { USER_STATUS } from '../security/user-status.js';
import { EXIT } from './action.js';
import { Misuse, print, type PrintOptions } from './output.js';
import { type Server, withServer } from './with-server.js';

/** Maximum number of invitations of one transaction. */
const BATCH = 500;

const PROBLEMS: Record<InvitationProblem, string> = {
  unknown: 'there is no such user',
  protected: 'this account cannot be invited',
  status: 'only active and invited users can be invited',
  'directory-password': 'the directory that manages this person checks the password',
  'no-email': 'has no e-mail address',
};

interface Options extends PrintOptions {
  invited?: boolean;
  mail?: boolean;
}

/** `users invite`: mails invitations, or prints a CSV table of logins and links; as JSON, each person with the outcome. */
export const inviteUsers = (logins: string[], options: Options): Promise<void> =>
  withServer([DirectoryModule], async (server) => {
    if (logins.length === 0 && options.invited !== true)
      throw new Misuse('name logins, or give --invited for everybody who has the status 2');
    const { ids, unknown } = await findIds(server, logins, options);
    const delivery = options.mail === true ? 'mail' : 'link';
    const outcomes = unknown.map((login) => outcomeOf(server, { login, problem: 'unknown' }));
    const showLinks = delivery === 'link' && options.json !== true;
    if (showLinks) process.stdout.write('login,link\n');
    try {
      for (let start = 0; start < ids.length; start += BATCH) {
        const results = await server.get(InvitationsService).createMany({
          auditContext: server.auditContext,
          ids: ids.slice(start, start + BATCH),
          delivery,
        });
        for (const result of results) {
          const outcome = outcomeOf(server, result);
          outcomes.push(outcome);
          if (showLinks && outcome.link !== null)
            process.stdout.write(`${outcome.login},${outcome.link}\n`);
        }
      }
    } finally {
      // Even of a failure: what is printed here was committed.
      if (options.json) print(outcomes, options);
    }
    if (delivery === 'link' && server.config.env.PUBLIC_URL === undefined)
      process.stderr.write(
        `PUBLIC_URL is not set: the links lead to ${originOf(server)}, where PORT says that the server listens\n`,
      );
    const mails = outcomes.filter(({ mailedTo }) => mailedTo !== null).length;
    if (delivery === 'mail' && !options.json)
      process.stdout.write(`${mails} mails wait in the outbox\n`);
  });

/** The outcome for a person; a problem is also reported on standard error. */
function outcomeOf(
  server: Server,
  { login, code = null, mailedTo = null, problem }: Outcome,
): { login: string | null; link: string | null; mailedTo: string | null; problem: string | null } {
  if (problem !== null) {
    process.stderr.write(`${login}: ${PROBLEMS[problem]}\n`);
    process.exitCode = EXIT.failed;
  }
  return { login, link: code === null ? null : linkOf(server, code), mailedTo, problem };
}

type Outcome = Pick<InvitationResult, 'login' | 'problem'> & Partial<InvitationResult>;

const originOf = ({ config: { env } }: Server): string =>
  env.PUBLIC_URL ?? `http://localhost:${env.PORT}`;

const linkOf = (server: Server, code: string): string =>
  `${originOf(server)}${server.config.env.BASE_PATH}/workplace/invitation#${code}`;

/** The ids of the users in the order of their logins, and the logins that nobody has. */
async function findIds(
  { get }: Server,
  logins: string[],
  { invited = false }: Options,
): Promise<{ ids: string[]; unknown: string[] }> {
  const rows = await get(Database).query<{ id: string | null; given: string | null }>({
    text: `SELECT u.id, given.login AS given
      FROM unnest($1::text[]) AS given (login)
        FULL JOIN (SELECT * FROM users WHERE status = ${USER_STATUS.invited} AND $2::boolean
          OR login_key(login) = ANY (SELECT login_key(one) FROM unnest($1::text[]) AS one)) u
        ON login_key(u.login) = login_key(given.login)
      ORDER BY coalesce(u.login, given.login)`,
    values: [logins, invited],
  });
  return {
    ids: [...new Set(rows.flatMap(({ id }) => id ?? []))],
    unknown: rows.flatMap(({ id, given }) => (id === null ? (given ?? []) : [])),
  };
}
