import { applicationsSearch } from './applications.search.js';
import { customersSearch } from './customers.search.js';
import { documentsSearch } from './documents.search.js';
import { faqsSearch } from './faqs.search.js';
import { newsSearch } from './news.search.js';
import type { SearchDescription } from './search-description.js';
import { tasksSearch } from './tasks.search.js';
import { usersSearch } from './users.search.js';

/** The named searches (docs/api-contract.md#search-names). Adding one is one line. */
export const SEARCHES: ReadonlyMap<string, SearchDescription> = new Map(
  [
    usersSearch,
    documentsSearch,
    newsSearch,
    faqsSearch,
    customersSearch,
    applicationsSearch,
    tasksSearch,
  ].map((description) => [description.searchName, description]),
);
