import { get, query } from '../../api-client/api.js';
import type { SearchRecord } from '../../api-client/types.js';

/** The searches whose records show a date, and the list of the main API with its timestamp. */
const DATED: Record<string, { list: string; date: string }> = {
  workplace_searchTasks: { list: '/api/v2/process/tasks', date: 'dueDate' },
  workplace_news_search: { list: '/api/v2/content/news', date: 'publicationDate' },
};

/**
 * Records with timestamps (ISO 8601) for dates, so that all pages show one time zone: that of the browser. A search
 * answers text in the time zone of the server, which the page cannot convert. Without an answer of the main API, the
 * dates are left out.
 */
export async function withTimestamps(
  searchName: string,
  records: SearchRecord[],
  signal: AbortSignal,
): Promise<SearchRecord[]> {
  const dated = DATED[searchName];
  if (!dated) return records;
  const { list, date } = dated;
  const ids = records.filter((record) => record[date] !== '').map(({ ID }) => ID);
  if (ids.length === 0) return records;
  const parameters = { range: `0-${ids.length}`, filters: `id:in:${ids.join(',')}` };
  const objects = await get<DatedObject[]>(list + query(parameters), signal).catch(() => []);
  const timestamps = new Map(objects.map((object) => [object.id, object[date]]));
  return records.map((record) => ({ ...record, [date]: timestamps.get(record.ID) ?? '' }));
}

type DatedObject = { id: string } & Record<string, unknown>;
