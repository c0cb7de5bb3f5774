import type { IncomingMessage } from 'node:http';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Express's pattern of what no other route takes. */
const EVERYTHING = '/*splat';

/** The method of a request, if it is one that this server knows. */
export const methodOf = ({ method = '' }: IncomingMessage): string =>
  METHODS.has(method) ? method : 'other';

/** What was asked for, without the query, which can hold a token. */
export const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0]!;

/**
 * The pattern of the route that took a request, `unknown` where no route did; undefined for what was
 * refused before that.
 */
export function requestRoute(request: IncomingMessage & { route?: unknown }): string | undefined {
  const path = (request.route as { path?: unknown } | undefined)?.path;
  if (typeof path !== 'string') return undefined;
  return path === EVERYTHING ? 'unknown' : path;
}
