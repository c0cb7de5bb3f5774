import { METHODS } from './request-route.js';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const EXPOSED = [
  'Accept-Encoding',
  'Accept-Patch',
  'Allow',
  'Content-Disposition',
  'ETag',
  'Link',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'WWW-Authenticate',
  'X-Total-Count',
  'X-Warning',
  'X-Request-Id',
];

/** Seconds for which a browser may cache the answer to a preflight. */
const MAX_AGE = 600;

/**
 * The headers that let pages of a listed origin read an answer (Fetch Standard, section CORS protocol);
 * none when no origins are listed.
 */
export function corsHeaders(
  origins: readonly string[],
  origin: string | undefined,
): Record<string, string> {
  if (origins.length === 0) return {};
  if (origin === undefined || !origins.includes(origin)) return { Vary: 'Origin' };
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': EXPOSED.join(','),
    Vary: 'Origin',
  };
}

/** Sets those headers on every answer, errors included: without them a page sees neither status nor body. */
export const shareWith =
  (origins: readonly string[]) =>
  (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const headers = corsHeaders(origins, request.headers.origin);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    next();
  };

/**
 * Answers the preflight of a listed origin. It carries no token and reveals nothing, so it comes before
 * every step that can reject: a browser does not show its page why a preflight failed.
 */
export function answerPreflight(
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
): void {
  const isPreflight =
    request.method === 'OPTIONS' &&
    request.headers['access-control-request-method'] !== undefined &&
    response.hasHeader('Access-Control-Allow-Origin');
  if (!isPreflight) return next();
  response.setHeader('X-Request-Id', randomUUID());
  response.setHeader('Access-Control-Allow-Methods', METHODS.join(','));
  const headers = request.headers['access-control-request-headers'];
  if (headers !== undefined) response.setHeader('Access-Control-Allow-Headers', headers);
  response.setHeader('Access-Control-Max-Age', String(MAX_AGE));
  response.setHeader('Vary', 'Origin, Access-Control-Request-Headers');
  response.statusCode = 204;
  response.end();
}
