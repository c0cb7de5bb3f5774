import { errors, type JWTPayload } from 'jose';

/** The fault of an ID token: a fixed text for the log and the audit trail, which never quotes the token. */
export type TokenFault =
  | 'format'
  | 'algorithm'
  | 'signature'
  | 'unknown key'
  | 'type'
  | 'issuer'
  | 'audience'
  | 'authorized party'
  | 'subject'
  | 'expiry'
  | 'time of issue'
  | 'not valid yet';

/** By the claim that jose has found wrong or missing. */
const FAULTS: Record<string, TokenFault> = {
  iss: 'issuer',
  aud: 'audience',
  sub: 'subject',
  exp: 'expiry',
  iat: 'time of issue',
  nbf: 'not valid yet',
};

/** The fault behind an error of jose; undefined for any other error. */
export function faultBehind(error: unknown): TokenFault | undefined {
  if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed)
    return FAULTS[error.claim] ?? 'format';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof errors.JWKSNoMatchingKey) return 'unknown key';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'algorithm';
  return error instanceof errors.JOSEError || error instanceof TypeError ? 'format' : undefined;
}

/**
 * The fault of a token whose signature, issuer and times are right. An ID token is no access token (RFC 9068 section
 * 2.1; some providers say so in the payload). Its audiences are trusted clients. With several audiences, `azp` names
 * the client that asked for it, which must be trusted as well (OpenID Connect Core 1.0 section 3.1.3.7).
 */
export function faultOf(
  { aud, azp, typ }: JWTPayload,
  headerType: string | undefined,
  clients: readonly string[],
): TokenFault | undefined {
  const isOfIdType = headerType === undefined || headerType.toUpperCase() === 'JWT';
  if (!isOfIdType || (typ !== undefined && typ !== 'ID')) return 'type';
  const audiences = new Set([aud].flat());
  if (![...audiences].every((one) => isOneOf(clients, one))) return 'audience';
  if (azp === undefined) return audiences.size > 1 ? 'authorized party' : undefined;
  return isOneOf(clients, azp) ? undefined : 'authorized party';
}

const isOneOf = (clients: readonly string[], value: unknown): boolean =>
  clients.some((client) => client === value);
