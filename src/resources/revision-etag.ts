import type { Response } from 'express';
import { noETag, stale } from '../errors/api-errors.js';

/** The ETag of an object: its row's revision (docs/api-contract.md#concurrent-changes). */
export const etagOf = (revision: number): string => `"${revision}"`;

export const setETag = (response: Response, revision: number): void => {
  response.setHeader('ETag', etagOf(revision));
};

/**
 * Lets a change with If-Match pass only while the header names the current ETag.
 * @throws ApiError 412
 */
export function requireCurrent(ifMatch: string | undefined, revision: number): void {
  if (ifMatch === undefined || matches(ifMatch, etagOf(revision))) return;
  throw ETAG.test(ifMatch) ? stale() : noETag();
}

/** An ETag anywhere in the header, weak ones included (RFC 9110 section 8.8.3). */
const ETAG = /"[^"]*"/;

/** Compares strongly (RFC 9110 section 13.1.1); `*` matches any current representation. */
const matches = (ifMatch: string, etag: string): boolean =>
  ifMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag);
