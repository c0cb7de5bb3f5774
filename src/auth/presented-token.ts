import type { Request } from 'express';
import { portalQueryOf, TOKEN_PARAMETER } from '../http/query-string.js';
import { stateOf } from '../http/request-state.js';
import { tokensInHeaders } from '../http/token-headers.js';

/** Replaces an unreadable token in the query; the server has issued no such token. */
const UNREADABLE = '%';

/** The token of a request. A blank counts as missing, and two different tokens count as none. */
export function presentedToken(request: Request): string | undefined {
  const given = tokensInHeaders(request);
  if (stateOf(request).facts.takesTokenInQuery) {
    given.push(...tokensInQuery(request));
  }
  const [token, ...others] = new Set(given.filter((value) => value.trim() !== ''));
  return others.length === 0 ? token : undefined;
}

function tokensInQuery(request: Request): string[] {
  try {
    return portalQueryOf(request, [TOKEN_PARAMETER]).get(TOKEN_PARAMETER) ?? [];
  } catch {
    return [UNREADABLE];
  }
}
