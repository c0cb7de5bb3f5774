import { BASE, send } from '../../api-client/api.js';

export type Delivery = 'mail' | 'link';

/** What became of the invitation of one user. */
export interface InvitationResult {
  id: string;
  login: string | null;
  code: string | null;
  expiration: string | null;
  mailedTo: string | null;
  problem: 'unknown' | 'protected' | 'status' | 'no-email' | null;
}

/** Maximum number of users that one call invites (docs/api-contract.md#accounts). */
const MAX_INVITED = 500;

/** Invites users. @throws ApiProblem */
export async function inviteUsers(
  users: string[],
  delivery: Delivery,
): Promise<InvitationResult[]> {
  const results: InvitationResult[] = [];
  for (let at = 0; at < users.length; at += MAX_INVITED) {
    const body = { users: users.slice(at, at + MAX_INVITED), delivery };
    const answer = await send('/api/v2/directory/users/invitations', { method: 'POST', body });
    results.push(...((await answer.json()) as InvitationResult[]));
  }
  return results;
}

/** The address of the page that accepts a code, which no server sees in a fragment. */
export const invitationLink = (code: string): string =>
  `${location.origin}${BASE}/workplace/invitation#${code}`;
