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

/** Invites users. @throws ApiProblem */
export async function inviteUsers(
  users: string[],
  delivery: Delivery,
): Promise<InvitationResult[]> {
  const call = { method: 'POST', body: { users, delivery } };
  const answer = await send('/api/v2/directory/users/invitations', call);
  return (await answer.json()) as InvitationResult[];
}

/** The address of the page that accepts a code, which no server sees in a fragment. */
export const invitationLink = (code: string): string =>
  `${location.origin}${BASE}/workplace/invitation#${code}`;
