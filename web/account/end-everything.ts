import { ApiProblem, send } from '../api-client/api.js';

/** Ways into an account beside the password; sessions last, because the caller's own may be among them. */
const WAYS_IN = ['api-keys', 'invitation', 'identities', 'tokens'];

/**
 * Ends all API keys, the open invitation, the bound identities and all sessions of a user.
 * @throws ApiProblem
 */
export async function endEverything(userId: string): Promise<void> {
  for (const way of WAYS_IN)
    await send(`/api/v2/directory/users/${userId}/${way}`, { method: 'DELETE' }).catch(
      (error: unknown) => {
        // Unbinding an identity has ended every session already, the caller's own too.
        if (way !== 'tokens' || !(error instanceof ApiProblem) || error.status !== 401) throw error;
      },
    );
}
