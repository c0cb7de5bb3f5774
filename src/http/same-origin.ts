import type { Request } from 'express';

/**
 * The origin of the page that sent a request, if it is this server's own. Browsers send both headers, and no page
 * can forge them. `Sec-Fetch-Site` also holds behind a proxy that changes `Host`; browsers leave it out over plain
 * HTTP, where the host decides (Fetch Metadata; Fetch Standard, section "Origin header").
 * @returns undefined for another origin, and for a client that is no page
 */
export function ownOrigin({ headers }: Request): URL | undefined {
  const { origin, host } = headers;
  if (origin === undefined || !URL.canParse(origin)) return undefined;
  const url = new URL(origin);
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? url.host === host?.toLowerCase() : site === 'same-origin';
  return isOwn ? url : undefined;
}
