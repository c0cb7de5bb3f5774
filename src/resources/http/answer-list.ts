import type { Response } from 'express';
import type { ResourceReader } from '../resource-reader.js';
import { setPagingHeaders } from './paging-headers.js';
import type { ListPlan } from '../list/plan-list.js';
import type { Page } from '../list/present-list.js';

/**
 * Answers a list: returns the items of a page and sets its paging headers.
 * @throws ApiError as `ResourceReader.list` does
 */
export async function answerList(
  reader: ResourceReader,
  plan: ListPlan,
  response: Response,
): Promise<Page['items']> {
  const page = await reader.list(plan);
  setPagingHeaders(response.req, response, plan, page);
  return page.items;
}
