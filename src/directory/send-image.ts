import type { Request, Response } from 'express';
import type { Config } from '../base/config/config.js';
import { namesTag } from '../http/etag.js';
import { TOKEN_HEADERS } from '../http/token-headers.js';

/**
 * Sends a picture, or 304 to a client that has it. The server sets its type, never the uploader. With configured
 * CORS origins, pages of other sites may embed it, which is safe because the route needs a token.
 */
export function sendImage(
  request: Request,
  response: Response,
  { env }: Config,
  { content, mediaType, digest }: { content: Buffer | string; mediaType: string; digest: string },
): void {
  const etag = `"${digest.slice(0, 32)}"`;
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'private, no-cache');
  response.vary(TOKEN_HEADERS);
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'unsafe-inline'; sandbox`,
  );
  if (env.CORS_ORIGINS.length > 0)
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.setHeader('Content-Disposition', 'inline');
  if (namesTag(request.headers['if-none-match'], etag)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', mediaType);
  response.end(content);
}
