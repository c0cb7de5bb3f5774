import { type Reason, reason } from '../../base/errors/reason.js';

/**
 * The fault of an address that pages link to, or undefined. An address is a path that begins with one slash, or an
 * http(s) URL. It must contain nothing that a browser could read as a script or as another host (backslashes, control
 * characters, spaces; `//host`).
 */
export function validateWebAddress(text: string): Reason | undefined {
  const isPlain = !/[\p{C}\p{Z}\\]/u.test(text);
  const isPath = /^\/(?![/\\])/.test(text);
  const isHttp = /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text) && !hasCredentials(text);
  return text === '' || (isPlain && (isPath || isHttp)) ? undefined : reason('not-a-link-target');
}

/** Credentials mislead readers: https://portal.example@evil.example/ shows one host and opens another. */
function hasCredentials(text: string): boolean {
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}
