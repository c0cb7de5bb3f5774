import type { Response } from 'express';

/**
 * The ETag follows what was written (docs/api-contract.md#concurrent-changes), so it is the row's
 * revision.
 */
export const etagOf = (revision: number): string => `"${revision}"`;

export const setETag = (response: Response, revision: number): void => {
  response.setHeader('ETag', etagOf(revision));
};
