import { errors, type JWTPayload } from 'jose';

/** The fault of a token of the provider: a fixed text for the log and the audit trail, which never quotes the token. */
export type TokenFault =
  | 'none is configured'
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
  | 'not valid yet'
  | 'event'
  | 'nonce'
  | 'token id';

/** By the claim that jose has found wrong or missing. */
const FAULTS: Record<string, TokenFault> = {
  iss: 'issuer',
  aud: 'audience',
  sub: 'subject',
  exp: 'expiry',
  iat: 'time of issue',
  nbf: 'not valid yet',
  jti: 'token id',
  events: 'event',
};

/** The kinds of tokens, with the types of their header and the value of `typ` in the payload that some providers add. */
const KINDS = {
  'ID token': { types: ['JWT'], payloadType: 'ID' },
  // OpenID Connect Back-Channel Logout 1.0 section 2.4 recommends the first.
  'logout token': {
    types: ['LOGOUT+JWT', 'APPLICATION/LOGOUT+JWT', 'JWT'],
    payloadType: 'Logout',
  },
};
export type TokenKind = keyof typeof KINDS;

/** A token of the provider that is not accepted. */
export class BadToken extends Error {
  constructor(readonly fault: TokenFault) {
    super(fault);
  }
}

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
 * The fault of a token whose signature, issuer and times are right. It is of the expected kind: an ID token is no access token (RFC 9068 section
 * 2.1; some providers say so in the payload). Its audiences are trusted clients. With several audiences, `azp` names
 * the client that asked for it, which must be trusted as well (OpenID Connect Core 1.0 section 3.1.3.7).
 */
export function faultOf(
  { aud, azp, typ }: JWTPayload,
  headerType: string | undefined,
  clients: readonly string[],
  kind: TokenKind,
): TokenFault | undefined {
  const { types, payloadType } = KINDS[kind];
  const isOfKind = headerType === undefined || types.includes(headerType.toUpperCase());
  if (!isOfKind || (typ !== undefined && typ !== payloadType)) return 'type';
  const audiences = new Set([aud].flat());
  if (![...audiences].every((one) => isOneOf(clients, one))) return 'audience';
  if (azp === undefined) return audiences.size > 1 ? 'authorized party' : undefined;
  return isOneOf(clients, azp) ? undefined : 'authorized party';
}

const isOneOf = (clients: readonly string[], value: unknown): boolean =>
  clients.some((client) => client === value);
