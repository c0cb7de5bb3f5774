import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { invalid } from '../../base/errors/api-errors.js';
import { prefers } from '../../http/preferences.js';
import { parameterFaults, queryOf, singleValue } from '../../http/query-string.js';
import { setPagingHeaders } from './paging-headers.js';
import { rangeOf } from '../list/parse-list-request.js';
import type { Range } from '../list/range.js';

/**
 * Injects the range of a list that the server reads as a whole, without sorter or filters (docs/api-contract.md#range).
 * @throws ApiError 400 naming each bad parameter
 */
export const PageRange = createParamDecorator((_: unknown, context: ExecutionContext): Range => {
  const query = queryOf(context.switchToHttp().getRequest<Request>());
  const bad = parameterFaults(query, ['range'], []);
  const range = rangeOf(singleValue(query, 'range'), bad);
  if (bad.length > 0) throw invalid(bad);
  return range;
});

/** Answers a page of such a list, and sets the paging headers of every list. */
export function answerWhole<T>(items: T[], range: Range, response: Response): T[] {
  const { req: request } = response;
  const end = range.start + range.count;
  const exactCount = prefers(request.headers.prefer, 'count=exact');
  const page = { hasNext: items.length > end, total: items.length };
  setPagingHeaders(request, response, { range, exactCount }, page);
  return items.slice(range.start, end);
}
