import { getPage, query } from './api.js';

/** The longest page of a list (docs/api-contract.md#range). */
const LARGEST = 500;

/**
 * Every item of a list, page by page.
 * @throws ApiProblem
 */
export async function getAll<T>(
  path: string,
  parameters: Record<string, string | string[]>,
  signal?: AbortSignal,
): Promise<T[]> {
  const all: T[] = [];
  for (let hasNext = true; hasNext;) {
    const range = `${all.length}-${LARGEST}`;
    const page = await getPage<T>(path + query({ ...parameters, range }), signal);
    all.push(...page.items);
    hasNext = page.hasNext;
  }
  return all;
}
