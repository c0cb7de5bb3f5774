import type { Request, Response } from 'express';
import type { Browser, SessionCookie } from '../credentials/new-browser-session.js';
import { prefers } from '../http/preferences.js';
import { ownOrigin } from '../http/same-origin.js';

/** The preference by which a page asks to stay signed in (RFC 7240). */
export const RENEWAL = 'renewal';

/** The path of the only route that reads the cookie, below the base path. */
export const RENEWAL_PATH = 'api/v2/authentication/renewal';

const NAME = 'session';

/** Its value in the Cookie header, which needs no decoding (RFC 6265 section 4.2). */
const VALUE = new RegExp(`(?:^|;)\\s*${NAME}=([^;\\s]*)`);

/** The browser of a sign-in that asks to stay signed in; undefined for every other client. */
export function browserOf(request: Request): Browser | undefined {
  if (!prefers(request.headers.prefer, RENEWAL) || !ownOrigin(request)) return undefined;
  return { userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT) };
}

/** Maximum length of a stored User-Agent in characters. */
const MAX_USER_AGENT = 400;

/** The value of the session cookie. */
export const cookieOf = ({ headers }: Request): string | undefined =>
  VALUE.exec(headers.cookie ?? '')?.[1];

/** Sets the session cookie, which no script reads and no other site or route receives. */
export function setSessionCookie(
  request: Request,
  response: Response,
  basePath: string,
  { secret, maxAge }: SessionCookie,
): void {
  const value = String(secret);
  response.cookie(NAME, value, { ...attributes(request, basePath), maxAge: maxAge * 1000 });
}

/** Deletes the session cookie. */
export function clearSessionCookie(request: Request, response: Response, basePath: string): void {
  response.clearCookie(NAME, attributes(request, basePath));
}

const attributes = (request: Request, basePath: string) => ({
  httpOnly: true,
  sameSite: 'strict' as const,
  // The browser knows best whether it speaks HTTPS: a proxy may end TLS.
  secure: ownOrigin(request)?.protocol === 'https:',
  path: `${basePath}/${RENEWAL_PATH}`,
});
