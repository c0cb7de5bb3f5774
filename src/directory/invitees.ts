import { directoryOf } from '../auth/credentials/directory-passwords.service.js';
import { Rights } from '../base/rights/rights.js';
import type { Transaction } from '../database/database.js';
import { USER_STATUS } from '../security/user-status.js';
import { RIGHTS_OF_ACCOUNT } from './hand-out.js';

/** How a code reaches a user: by mail, or as a link that an administrator hands over. */
export const DELIVERIES = ['mail', 'link'] as const;
export type Delivery = (typeof DELIVERIES)[number];

/** Why a user gets no invitation. */
export const INVITATION_PROBLEMS = [
  'unknown',
  'protected',
  'status',
  'directory-password',
  'no-email',
] as const;
export type InvitationProblem = (typeof INVITATION_PROBLEMS)[number];

/** The statuses that allow an invitation: without a password yet, or in need of a new one. */
export const INVITABLE = [USER_STATUS.active, USER_STATUS.invited];

/** A user who may be invited. */
interface Invitee {
  id: string;
  login: string;
  email: string | null;
  status: number;
  rights: Rights;
  /** Whether an invited user has never been able to sign in and has no rights of their own. */
  isUnused: boolean;
  /** Whether a directory checks the password: a code could set none. */
  hasDirectoryPassword: boolean;
}

/**
 * The accounts of users, by their ids. It locks them until the end of the transaction, so that no user is promoted
 * between this check and the invitation.
 */
export async function findInvitees(
  reader: Transaction,
  ids: string[],
): Promise<Map<string, Invitee>> {
  const rows = await reader.query<Omit<Invitee, 'rights'> & { rights: string; sysadmin: boolean }>({
    text: `SELECT u.id, u.login, u.email, u.status, ${RIGHTS_OF_ACCOUNT}::text AS rights, u.sysadmin,
        u.status = ${USER_STATUS.invited} AND ${RIGHTS_OF_ACCOUNT} = '[]' AND
        NOT EXISTS (SELECT 1 FROM sign_ins WHERE user_id = u.id AND last_login_date IS NOT NULL) AND
        NOT EXISTS (SELECT 1 FROM passwords WHERE user_id = u.id) AND
        NOT EXISTS (SELECT 1 FROM api_keys WHERE user_id = u.id) AND
        NOT EXISTS (SELECT 1 FROM identities WHERE user_id = u.id) AS "isUnused",
        ${directoryOf('u')} IS NOT NULL AS "hasDirectoryPassword"
      FROM users u WHERE u.id = ANY ($1::bigint[]) AND NOT u.service ORDER BY u.id FOR SHARE OF u`,
    values: [ids],
  });
  return new Map(
    rows.map(({ rights, sysadmin, ...row }) => [
      row.id,
      { ...row, rights: Rights.of(rights, sysadmin) },
    ]),
  );
}

/** @param own the rights of the caller, who invites nobody with more */
export function problemOf(
  invitee: Invitee | undefined,
  delivery: Delivery,
  own: Rights,
): InvitationProblem | null {
  if (!invitee) return 'unknown';
  if (!own.covers(invitee.rights)) return 'protected';
  if (!INVITABLE.includes(invitee.status)) return 'status';
  if (invitee.hasDirectoryPassword) return 'directory-password';
  return delivery === 'mail' && invitee.email === null ? 'no-email' : null;
}
