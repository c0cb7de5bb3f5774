import { hash } from 'node:crypto';
import { applyDecorators, Get, Header } from '@nestjs/common';
import type { Response } from 'express';
import { TOKEN_HEADERS } from './token-headers.js';

/** The client may cache the answer but must revalidate it each time (RFC 9111 section 5.2.2.4). */
export const REVALIDATED = 'private, no-cache';

/** Characters of a tag: 162 bits of the digest. */
const TAG_LENGTH = 27;

/** A GET that portals poll: its answer has an ETag, and is 304 for a client that has it already. */
export const GetRevalidated = (path = ''): MethodDecorator =>
  applyDecorators(Get(path), Header('Cache-Control', REVALIDATED));

/**
 * Sets the ETag of such an answer: a hash of the body, which changes exactly when the body does. A 304
 * saves sending the body, not computing it.
 * @param etagOfBody computes it
 */
export function tagRevalidated(response: Response, etagOfBody: () => string): void {
  if (response.getHeader('Cache-Control') !== REVALIDATED) return;
  response.setHeader('ETag', etagOfBody());
  response.vary(TOKEN_HEADERS);
}

/** The ETag of a body (RFC 9110 section 8.8.3). */
export const etagOf = (text: string): string =>
  `"${hash('sha256', text, 'base64url').slice(0, TAG_LENGTH)}"`;

/**
 * Whether the caller already has the answer to its GET or HEAD (RFC 9110 section 13.2.2). The ETag of an object is no
 * such answer: it names the row, and not the counts and the links that the body shows (docs/api-contract.md#conditions).
 */
export function isKnownToCaller(response: Response): boolean {
  const etag = response.getHeader('ETag');
  return (
    response.getHeader('Cache-Control') === REVALIDATED &&
    response.statusCode === 200 &&
    typeof etag === 'string' &&
    namesTag(response.req.headers['if-none-match'], etag)
  );
}

/**
 * Whether If-None-Match names a tag (RFC 9110 section 13.1.2): a list of tags, compared weakly, or `*`.
 * A `Cache-Control: no-cache` beside it, which browsers add for scripts, addresses caches, not this server.
 */
export function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}
