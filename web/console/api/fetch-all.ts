import { query } from '../../api-client/api.js';
import { getCountedPage } from '../../api-client/counted-page.js';
import { MAX_RANGE, toHttpError } from './data-provider.js';
import { resourceOf } from '../resources.js';

/** Most records on one page of the console. */
export const MOST_RECORDS = 20_000;

interface Fetching {
  most?: number;
  /** Called with the loaded fraction, from 0 to 1. */
  onProgress?: (part: number) => void;
}

/**
 * Every record of a list, page after page; the id as the last key keeps pages from overlapping.
 * @param most the number at which to stop
 */
export async function fetchAll<T>(
  resource: string,
  parameters: Record<string, string | string[] | undefined>,
  { most = MOST_RECORDS, onProgress = () => undefined }: Fetching = {},
): Promise<T[]> {
  const records: T[] = [];
  for (;;) {
    const search = query({ range: `${records.length}-${MAX_RANGE}`, ...parameters });
    const path = `${resourceOf(resource).path}${search}`;
    const { items, total = most, hasNext } = await getCountedPage<T>(path).catch(toHttpError);
    records.push(...items);
    onProgress(hasNext ? Math.min(1, records.length / total) : 1);
    if (items.length === 0 || !hasNext || records.length >= most) return records;
  }
}
