import type { Request } from 'express';
import { portalQueryOf, TOKEN_HEADER, TOKEN_PARAMETER } from '../http/query-string.js';
import { stateOf } from '../http/request-state.js';

/** The token of a request. A blank counts as missing, and two different tokens count as none. */
export function presentedToken(request: Request): string | undefined {
  const given = [...(request.headersDistinct[TOKEN_HEADER] ?? [])];
  if (stateOf(request).facts.takesTokenInQuery) {
    const query = portalQueryOf(request, [TOKEN_PARAMETER]);
    given.push(...(query.get(TOKEN_PARAMETER) ?? []));
  }
  const [token, ...others] = new Set(given.filter((value) => value.trim() !== ''));
  return others.length === 0 ? token : undefined;
}
