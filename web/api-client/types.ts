/** The bodies of the public API, whose types the build generates from its description, and how the pages see parts of them. */
export type * from '../../dist/openapi.js';
import type * as described from '../../dist/openapi.js';

export type Locale = described.User['locale'];

/** A way to close a task. */
export type Outcome = NonNullable<described.Task['outcomes']>[number];

/** The attributes that documents, news, faqs and customers share, and those that each kind adds. */
export type Content = (described.Document | described.News | described.Faq | described.Customer) &
  Record<string, unknown>;

/** A record of any search: texts except for its status and link. */
export type SearchRecord = Pick<described.UserRecord, 'ID' | 'TITLE' | 'HYPERLINK'> &
  Record<string, unknown>;

/** The results of one search within the search of everything. */
export type SearchSection = Omit<described.SearchSection, 'data'> & { data: SearchRecord[] };

/** The answer of a search: records, or sections of them. */
export interface Found<T> {
  type: 'success';
  data: T[];
  searchIndexTop?: string;
}
