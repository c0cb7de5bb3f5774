import { ApiProblem, get, query, send } from '../api-client/api.js';
import type { Ref } from '../api-client/types.js';

/** Ways into an account besides the password. Sessions come last, because the caller's own may be among them. */
const WAYS_IN = ['api-keys', 'invitation', 'identities', 'tokens'];

/** Number of absences that one call lists. */
const PAGE = 100;

/**
 * Ends all absences, API keys, the open invitation, the bound identities and all sessions of a user.
 * @throws ApiProblem
 */
export async function endEverything(userId: string): Promise<void> {
  await endAbsences(userId);
  for (const way of WAYS_IN)
    await send(`/api/v2/directory/users/${userId}/${way}`, { method: 'DELETE' }).catch(
      (error: unknown) => {
        // Unbinding an identity has already ended every session, including the caller's own.
        if (way !== 'tokens' || !(error instanceof ApiProblem) || error.status !== 401) throw error;
      },
    );
}

/** Deletes the absences that have not ended, because substitutes see and decide the tasks of the account. */
async function endAbsences(userId: string): Promise<void> {
  const filters = [`user:eq:${userId}`, `endDate:gt:${new Date().toISOString()}`];
  const path = `/api/v2/process/absences${query({ filters, range: `0-${PAGE}` })}`;
  for (;;) {
    const absences = await get<Ref[]>(path);
    for (const { uri } of absences) await send(`/api/v2${uri}`, { method: 'DELETE' });
    if (absences.length < PAGE) return;
  }
}
