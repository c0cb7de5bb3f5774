import type { IncomingMessage } from 'node:http';
import { EVERYTHING } from './routes-by-prefix.js';

/** The methods that this server knows. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The method of a request, if it is one that this server knows. */
export const methodOf = ({ method = '' }: IncomingMessage): string =>
  METHODS.includes(method) ? method : 'other';

/** The path of a request without the query, which can hold a token. */
export const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0]!;

/**
 * The pattern of the route that matched a request, `unknown` when none did; undefined for a request that was
 * answered before routing.
 */
export function requestRoute(request: IncomingMessage & { route?: unknown }): string | undefined {
  const path = (request.route as { path?: unknown } | undefined)?.path;
  if (typeof path !== 'string') return undefined;
  return path === EVERYTHING ? 'unknown' : path;
}
