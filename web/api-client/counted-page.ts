import { send } from './api.js';

/** A page of a list, and how many items the list has in all (docs/api-contract.md#lists). */
export async function getCountedPage<T>(
  path: string,
  signal?: AbortSignal,
): Promise<{ items: T[]; total: number }> {
  const answer = await send(path, { signal, headers: { Prefer: 'count=exact' } });
  return {
    items: (await answer.json()) as T[],
    total: Number(answer.headers.get('X-Total-Count')),
  };
}
