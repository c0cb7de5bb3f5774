import { ApiProblem, get, query } from '../../api-client/api.js';
import type { TextKey } from '../translations/en.js';
import type { SearchEnvelope, SearchRecord } from '../../api-client/types.js';

/** The five searches, and the fields that a result shows beside its title. */
export const SECTIONS: { id: string; searchName: string; title: TextKey; details: string[] }[] = [
  {
    id: 'users',
    searchName: 'workplace_searchUsers',
    title: 'search.users',
    details: ['userFunction', 'ORGANIZATION.LABEL'],
  },
  {
    id: 'documents',
    searchName: 'workplace_documents_search',
    title: 'search.documents',
    details: ['category', 'fileName'],
  },
  {
    id: 'news',
    searchName: 'workplace_news_search',
    title: 'search.news',
    details: ['publicationDate', 'summary'],
  },
  { id: 'faqs', searchName: 'workplace_faq_search', title: 'search.faqs', details: ['answer'] },
  {
    id: 'customers',
    searchName: 'workplace_customers_search',
    title: 'search.customers',
    details: ['city', 'country'],
  },
];

/** What a section shows first; the rest of its first page and the next pages come by "more". */
export const FIRST_SHOWN = 4;

/** A search gives twenty records a call; fewer are the last. */
const SEARCH_PAGE = 20;

/** The state of one search. */
export interface SectionState {
  records: SearchRecord[];
  shown: number;
  /** The marker of the next page; undefined when there is none. */
  next?: string;
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
  const envelope = await get<SearchEnvelope>(
    `/navigation/search/workplace${query(parameters)}`,
    signal,
  );
  if (envelope.type === 'error') {
    // A search answers errors with 200 (docs/api-contract.md#search-errors). The main API answers 401 when
    // the session has ended, which signs the person out.
    await get('/api/v2/authentication', signal);
    throw new ApiProblem(500, envelope.message ?? '');
  }
  const records = envelope.data ?? [];
  return { records, next: records.length === SEARCH_PAGE ? envelope.searchIndexTop : undefined };
}

/** Whether "more" has something to show. */
export const hasMore = ({ records, shown, next }: SectionState): boolean =>
  shown < records.length || next !== undefined;
