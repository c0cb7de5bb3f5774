import type { NextFunction, Request, Response } from 'express';
import {
  headersTooLarge,
  invalidField,
  type ApiError,
  unknownMethod,
} from '../base/errors/api-errors.js';
import { METHODS } from './request-route.js';
import { sendError } from './send-error.js';
import { reason } from '../base/errors/reason.js';

/** Most header lines of a request; more give 431. */
const MAX_HEADERS = 100;

/**
 * Most header lines that Node keeps; it silently drops further ones. It is one more than our own limit, which reveals
 * dropped lines: without X-Forwarded-For, the proxy would count as the caller.
 */
export const MAX_KEPT_HEADERS = MAX_HEADERS + 1;

/** Most bytes of a request line and its headers. */
export const MAX_HEAD = 16 * 1024;

/** Headers of which Node silently keeps only the first line. */
const SINGLE = ['host', 'content-type'];

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;

/**
 * Express middleware: rejects a request head that a proxy and this server could interpret differently
 * (RFC 9112), and reduces `request.url` to its path and query.
 */
export function checkHead(request: Request, response: Response, next: NextFunction): void {
  const fault = validateMethod(request) ?? validateHead(request) ?? validateTarget(request);
  if (fault) sendError(response, fault);
  else next();
}

/** Node's parser accepts more methods than this server, such as those of WebDAV. */
const validateMethod = ({ method }: Request): ApiError | undefined =>
  METHODS.includes(method) ? undefined : unknownMethod(METHODS);

function validateHead(request: Request): ApiError | undefined {
  if (request.rawHeaders.length / 2 > MAX_HEADERS)
    return headersTooLarge(`at most ${MAX_HEADERS} lines`);
  if (headSize(request) > MAX_HEAD) return headersTooLarge(`at most ${MAX_HEAD / 1024} KiB`);
  const repeated = SINGLE.find((name) => (request.headersDistinct[name]?.length ?? 0) > 1);
  if (repeated !== undefined) return invalidField(repeated, reason('given-twice'));
  if (request.headers.host === undefined && request.httpVersion !== '1.0')
    return invalidField('host', reason('required'));
  const coding = request.headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked'
    ? undefined
    : invalidField('transfer-encoding', reason('not-chunked'));
}

/** The size of the head in bytes: names and values are Latin-1, one byte per character, plus `: ` and CRLF. */
function headSize({ method = '', originalUrl, rawHeaders }: Request): number {
  let size = method.length + originalUrl.length + ' HTTP/1.1\r\n'.length;
  for (const part of rawHeaders) size += part.length + 2;
  return size;
}

/** Checks the host that a target in absolute form (RFC 9112 section 3.2.2) names a second time. */
function validateTarget(request: Request): ApiError | undefined {
  const [, authority, rest] = ABSOLUTE.exec(request.url) ?? [];
  if (authority === undefined || rest === undefined) return undefined;
  if (authority.toLowerCase() !== request.headers.host?.toLowerCase())
    return invalidField('host', reason('other-host'));
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return undefined;
}
