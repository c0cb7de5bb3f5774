import type { Response } from 'express';
import { answerList } from '../resources/http/answer-list.js';
import { type ListPlan, within } from '../resources/list/plan-list.js';
import type { Page } from '../resources/list/present-list.js';
import type { ResourceReader } from '../resources/resource-reader.js';
import { providers } from './provider.resource.js';

/**
 * Answers a list of what belongs to one provider: who sees the provider sees it.
 * @throws ApiError 404 for a provider that the caller does not see; as `ResourceReader.list` does
 */
export async function listOfProvider(
  reader: ResourceReader,
  plan: ListPlan,
  id: string,
  response: Response,
): Promise<Page['items']> {
  await reader.get(providers, plan.caller, id);
  return answerList(reader, within(plan, 't.provider_id = :provider', { provider: id }), response);
}
