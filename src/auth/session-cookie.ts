import type { Request, Response } from 'express';
import type { Browser, SessionCookie } from './credentials/new-browser-session.js';
import { prefers } from '../http/preferences.js';
import { ownOrigin } from '../http/same-origin.js';

/** The preference by which a page asks to stay signed in (RFC 7240). */
export const RENEWAL = 'renewal';

/** The path of the only route that reads the cookie, below the base path. */
export const RENEWAL_PATH = 'api/v2/authentication/renewal';

const NAME = 'session';

/** The browser of a sign-in that asks to stay signed in; undefined for every other client. */
export function browserOf(request: Request): Browser | undefined {
  if (!prefers(request.headers.prefer, RENEWAL) || !ownOrigin(request)) return undefined;
  return { userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT) };
}

/** Maximum length of a stored User-Agent in characters. */
const MAX_USER_AGENT = 400;

/** The value of the session cookie, which needs no decoding (RFC 6265 section 4.2). */
export function cookieOf(request: Request, basePath: string): string | undefined {
  const start = `${cookieFor(request, basePath).name}=`;
  // Only a space is trimmed: with another blank before the name, a browser would not check its prefix.
  const pairs = request.headers.cookie?.split(/; */) ?? [];
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}

/** Sets the session cookie, which no script and no other site can read, and no other route accepts. */
export function setSessionCookie(
  request: Request,
  response: Response,
  basePath: string,
  { secret, maxAge }: SessionCookie,
): void {
  const { name, attributes } = cookieFor(request, basePath);
  response.cookie(name, String(secret), { ...attributes, maxAge: maxAge * 1000 });
}

/** Deletes the session cookie. */
export function clearSessionCookie(request: Request, response: Response, basePath: string): void {
  const { name, attributes } = cookieFor(request, basePath);
  response.clearCookie(name, attributes);
}

/**
 * Over HTTPS, browsers let no other host set a cookie with the prefix `__Host-`, which needs the path `/`. Below a base
 * path, other applications of the host would receive it: there, `__Secure-` keeps plain HTTP from setting it
 * (RFC 6265bis, section "Cookie Name Prefixes").
 */
function cookieFor(request: Request, basePath: string) {
  // The browser knows best whether it speaks HTTPS: a proxy may end TLS.
  const secure = ownOrigin(request)?.protocol === 'https:';
  const isForHost = secure && basePath === '';
  const prefix = isForHost ? '__Host-' : secure ? '__Secure-' : '';
  const path = isForHost ? '/' : `${basePath}/${RENEWAL_PATH}`;
  return {
    name: prefix + NAME,
    attributes: { httpOnly: true, sameSite: 'strict' as const, secure, path },
  };
}
