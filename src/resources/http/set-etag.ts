import type { Response } from 'express';
import { etagOf } from '../write/preconditions.js';

/** Sets the ETag of an object: its row's revision (docs/api-contract.md#conditions). */
export const setETag = (response: Response, revision: number): void => {
  response.setHeader('ETag', etagOf(revision));
};
