import type { Request } from 'express';
import { invalidField } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { portalQueryOf } from '../http/query-string.js';
import { MAX_QUERY, termsOf } from './search-text.js';

/**
 * The terms of the parameter `query`; without any, every record would be an equal match.
 * @throws ApiError naming `query`; on this path it becomes an error envelope
 */
export function requestedTerms(request: Request): string[] {
  const [text, ...others] = new Set(portalQueryOf(request, ['query'], ['query']).get('query'));
  if (text === undefined) throw invalidField('query', reason('required'));
  if (others.length > 0) throw invalidField('query', reason('given-twice'));
  if ([...text].length > MAX_QUERY)
    throw invalidField('query', reason('too-many-characters', { max: MAX_QUERY }));
  const terms = termsOf(text);
  if (terms.length === 0) throw invalidField('query', reason('required'));
  return terms;
}
