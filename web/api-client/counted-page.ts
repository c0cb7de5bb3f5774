import { bodyOf, send } from './api.js';

/** A page of a list, and how many items the list has in all. */
export interface CountedPage<T> {
  items: T[];
  /** Undefined where counting takes too long (docs/api-contract.md#lists). */
  total: number | undefined;
  hasNext: boolean;
}

/** Reads a page of a list with its count (docs/api-contract.md#lists). */
export async function getCountedPage<T>(
  path: string,
  signal?: AbortSignal,
): Promise<CountedPage<T>> {
  const answer = await send(path, { signal, headers: { Prefer: 'count=exact' } });
  const total = answer.headers.get('X-Total-Count');
  return {
    items: await bodyOf<T[]>(answer),
    total: total === null ? undefined : Number(total),
    hasNext: (answer.headers.get('Link') ?? '').includes('rel="next"'),
  };
}
