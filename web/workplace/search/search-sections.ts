import { ApiProblem, get, query } from '../../api-client/api.js';
import type { Found, SearchFailure, SearchRecord, SearchSection } from '../../api-client/types.js';
import type { TextKey } from '../translations/en.js';
import { withTimestamps } from './exact-dates.js';

/** Each search: the name of its section, and the fields that a result shows beside its title. */
const SECTIONS: Record<string, { title: TextKey; details: string[] }> = {
  workplace_searchApplications: { title: 'search.applications', details: [] },
  workplace_searchUsers: { title: 'search.users', details: ['userFunction', 'ORGANIZATION.LABEL'] },
  workplace_searchTasks: { title: 'search.tasks', details: ['applicationTitle', 'dueDate'] },
  workplace_documents_search: { title: 'search.documents', details: ['category', 'fileName'] },
  workplace_news_search: { title: 'search.news', details: ['publicationDate', 'summary'] },
  workplace_faq_search: { title: 'search.faqs', details: ['answer'] },
  workplace_customers_search: { title: 'search.customers', details: ['city', 'country'] },
};

/** A search returns twenty records per call; fewer are the last ones. */
const SEARCH_PAGE = 20;

/** The results of one search so far. */
export interface FoundSection {
  searchName: string;
  title: TextKey;
  details: string[];
  records: SearchRecord[];
  /** The marker of the next page; undefined at the end. */
  next?: string;
}

/**
 * The results of all searches, the section with the best match first.
 * @throws ApiProblem
 */
export async function searchEverything(text: string, signal: AbortSignal): Promise<FoundSection[]> {
  const sections = await ask<SearchSection>(`/all${query({ query: text })}`, signal);
  return Promise.all(
    sections.data.map(async ({ searchName, data, searchIndexTop }) => ({
      searchName,
      ...SECTIONS[searchName]!,
      records: await withTimestamps(searchName, data, signal),
      next: data.length >= SEARCH_PAGE ? searchIndexTop : undefined,
    })),
  );
}

/**
 * A page of one search.
 * @param marker searchIndexTop of the page before
 * @throws ApiProblem
 */
export async function searchPage(
  searchName: string,
  text: string,
  signal: AbortSignal,
  marker?: string,
): Promise<{ records: SearchRecord[]; next?: string }> {
  const parameters = {
    searchName,
    searchField: 'quickSearch',
    query: text,
    searchIndexTop: marker,
  };
  const { data, searchIndexTop } = await ask<SearchRecord>(query(parameters), signal);
  const records = await withTimestamps(searchName, data, signal);
  return { records, next: records.length === SEARCH_PAGE ? searchIndexTop : undefined };
}

/**
 * Names near a text that finds nobody.
 * @throws ApiProblem
 */
export const suggestNames = async (text: string, signal: AbortSignal): Promise<string[]> =>
  (await ask<string>(`/suggestions${query({ query: text })}`, signal)).data;

async function ask<T>(rest: string, signal: AbortSignal): Promise<Found<T>> {
  const envelope = await get<Found<T> | SearchFailure>(
    `/navigation/search/workplace${rest}`,
    signal,
  );
  if (envelope.type !== 'error') return envelope;
  // A search answers errors with 200 (docs/api-contract.md#search-errors). The main API answers 401 when
  // the session has ended, which signs the person out.
  await get('/api/v2/authentication', signal);
  throw new ApiProblem(500, envelope.message);
}
