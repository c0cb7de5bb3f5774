import type { Request } from 'express';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Express's pattern of what no other route takes. */
const EVERYTHING = '/*splat';

/** The method of a request, if it is one that this server knows. */
export const methodOf = ({ method }: Request): string => (METHODS.has(method) ? method : 'other');

/**
 * The pattern of the route that took a request, `unknown` where no route did; undefined for what was
 * refused before that.
 */
export function routeOf({ route }: Request): string | undefined {
  const path = (route as { path?: unknown } | undefined)?.path;
  if (typeof path !== 'string') return undefined;
  return path === EVERYTHING ? 'unknown' : path;
}
