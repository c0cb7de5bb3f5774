import type { IncomingMessage } from 'node:http';

/** The headers that carry a token, as Vary names them in an answer (docs/api-contract.md#tokens). */
export const TOKEN_HEADERS = 'X-AUTHENTICATION-KEY, Authorization';

/** RFC 6750 section 2.1; the scheme is case-insensitive (RFC 9110 section 11.1). */
const BEARER = /^Bearer +(.+)$/i;

/** The tokens in the headers of a request, without blank ones. It ignores other schemes of Authorization. */
export function tokensInHeaders({ headersDistinct }: IncomingMessage): string[] {
  const bearers = (headersDistinct.authorization ?? []).flatMap(
    (value) => BEARER.exec(value)?.[1] ?? [],
  );
  return [...(headersDistinct['x-authentication-key'] ?? []), ...bearers].filter(
    (token) => token.trim() !== '',
  );
}
