import { BASE, send } from '../../api-client/api.js';

export type Delivery = 'mail' | 'link';

/** The result of the invitation of one user. */
export interface InvitationResult {
  id: string;
  login: string | null;
  code: string | null;
  expiration: string | null;
  mailedTo: string | null;
  problem: 'unknown' | 'protected' | 'status' | 'directory-password' | 'no-email' | null;
}

/** Maximum number of users that one call invites (docs/api-contract.md#accounts). */
const MAX_INVITED = 500;

/**
 * Invites users, and yields the results call by call.
 * @throws ApiProblem when a call fails; the earlier calls have taken effect
 */
export async function* inviteUsers(
  users: string[],
  delivery: Delivery,
): AsyncGenerator<InvitationResult[]> {
  for (let at = 0; at < users.length; at += MAX_INVITED)
    yield await invite(users.slice(at, at + MAX_INVITED), delivery);
}

/** Invites one user. @throws ApiProblem */
export async function inviteUser(user: string, delivery: Delivery): Promise<InvitationResult> {
  const [result] = await invite([user], delivery);
  return result!;
}

async function invite(users: string[], delivery: Delivery): Promise<InvitationResult[]> {
  const body = { users, delivery };
  const answer = await send('/api/v2/directory/users/invitations', { method: 'POST', body });
  return (await answer.json()) as InvitationResult[];
}

/** The address of the page that accepts a code. The fragment hides the code from servers. */
export const invitationLink = (code: string): string =>
  `${location.origin}${BASE}/workplace/invitation#${code}`;
