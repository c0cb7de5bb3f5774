import type { Response } from 'express';

/** The ETag of an object: its row's revision (docs/api-contract.md#concurrent-changes). */
export const etagOf = (revision: number): string => `"${revision}"`;

export const setETag = (response: Response, revision: number): void => {
  response.setHeader('ETag', etagOf(revision));
};

/** Compares strongly (RFC 9110 section 13.1.1); `*` matches any current representation. */
export const matchesETag = (ifMatch: string, etag: string): boolean =>
  ifMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag);
