import { proofRequired, signInRequired } from '../base/errors/api-errors.js';
import type { AccessRule } from './access.guard.js';
import type { Caller } from './caller.js';

/** Seconds for which a sign-in, or a password confirmation since, proves the caller's identity. */
export const PROOF_SECONDS = 300;

/**
 * Requires a recent proof of identity before the caller creates a credential or a right that outlives the
 * session: an attacker with a stolen token, or with the token of an API key, must not extend its reach.
 * @throws ApiError 401 that says how to confirm (RFC 9470); 403 for the token of an API key
 */
export function requireRecentProof(caller: Caller): void {
  if (caller.isKey) throw signInRequired(PROOF_SECONDS);
  if (!hasRecentProof(caller)) throw proofRequired(PROOF_SECONDS);
}

/**
 * The access rule of a confirmation, which the token of an API key cannot use.
 * @throws ApiError 403
 */
export const canConfirm: AccessRule<unknown> = (_, { isKey }) => {
  if (isKey) throw signInRequired(PROOF_SECONDS);
};

/** Whether the caller has proved their identity recently. */
export const hasRecentProof = ({ provenUntil }: Caller): boolean => performance.now() < provenUntil;
