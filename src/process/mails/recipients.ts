import type { Addressee } from '../../directory/account-mail.js';
import type { Reader } from '../../database/database.js';
import { USER_STATUS } from '../../security/user-status.js';

/** The mails about tasks that people may stop, by the names of the settings. */
export const STOPPABLE = ['digest', 'reminders'] as const;
export type Stoppable = (typeof STOPPABLE)[number];

/**
 * SQL of whether a user gets mails of one kind: an active account with an address, whose owner has not stopped them.
 * @param user alias of the users
 */
export const getsMails = (user: string, setting: Stoppable): string =>
  `${user}.status = ${USER_STATUS.active} AND ${user}.email IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM mail_settings m WHERE m.user_id = ${user}.id AND NOT m.${setting})`;

/** The recipient of a mail; undefined for a person who no longer gets it. */
export async function findRecipient(
  reader: Reader,
  id: string,
  setting: Stoppable,
): Promise<Addressee | undefined> {
  const [found] = await reader.query<Addressee>({
    text: `SELECT u.id, u.login, u.title, u.email, u.locale FROM users u
      WHERE u.id = $1 AND ${getsMails('u', setting)}`,
    values: [id],
  });
  return found;
}
