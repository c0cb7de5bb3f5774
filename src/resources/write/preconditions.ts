import { excluded, noETag, stale } from '../../base/errors/api-errors.js';
import { namesTag } from '../../http/etag.js';

/** The ETag of an object: its row's revision (docs/api-contract.md#conditions). */
export const etagOf = (revision: number): string => `"${revision}"`;

/** The headers under which a change of an object is made. */
export interface Conditions {
  /** RFC 9110 section 13.1.1. */
  ifMatch?: string | undefined;
  /** RFC 9110 section 13.1.2. */
  ifNoneMatch?: string | undefined;
}

/**
 * Lets a change pass only while If-Match names the current ETag and If-None-Match does not, in the order of RFC 9110
 * section 13.2.2. A header without an ETag lets nothing pass.
 * @throws ApiError 412
 */
export function requireConditions({ ifMatch, ifNoneMatch }: Conditions, revision: number): void {
  const etag = etagOf(revision);
  if (ifMatch !== undefined && !matches(ifMatch, etag))
    throw ETAG.test(ifMatch) ? stale() : noETag('If-Match');
  if (namesTag(ifNoneMatch, etag)) throw excluded();
  if (ifNoneMatch !== undefined && !ETAG.test(ifNoneMatch)) throw noETag('If-None-Match');
}

/** An ETag anywhere in the header, weak ones included (RFC 9110 section 8.8.3). */
const ETAG = /"[^"]*"/;

/** Compares strongly (RFC 9110 section 13.1.1); `*` matches any current representation. */
const matches = (ifMatch: string, etag: string): boolean =>
  ifMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag);
