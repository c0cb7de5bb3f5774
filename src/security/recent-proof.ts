import { proofRequired } from '../errors/api-errors.js';
import type { Caller } from './caller.js';

/** Seconds for which a sign-in, or a password confirmed since, proves who the caller is. */
export const PROOF_SECONDS = 300;

/**
 * Asks for a recent proof before a credential or a right is made that outlives the session: whoever
 * has merely found a token, or the token of an API key, must not turn it into more than it is.
 * @throws ApiError 403 that says how to confirm (RFC 9470)
 */
export function requireRecentProof({ provenUntil }: Caller): void {
  if (performance.now() >= provenUntil) throw proofRequired(PROOF_SECONDS);
}
