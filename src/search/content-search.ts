import { isPublished, meantFor } from '../content/content-resource.js';
import type { Resource } from '../resources/resource.js';
import { uriOf } from '../resources/uri.js';
import {
  displayDate,
  integer,
  made,
  other,
  quick,
  type RecordField,
  type SearchDescription,
  shown,
} from './search-description.js';

/** What one search of content adds to the common part of its record (decisions: Search). */
interface ContentSearch {
  searchName: string;
  index: string;
  resource: Resource;
  /** The last folder of its pages, e.g. `documents`. */
  pages: string;
  fields: Record<string, RecordField>;
  published?: { columns: string[]; condition: (alias: string) => string };
}

/** Describes the search of one kind of content: published, within the caller's audience. */
export function contentSearch(search: ContentSearch): SearchDescription {
  const { searchName, index, resource, pages, fields, published } = search;
  const { uri, table, labelColumn } = resource.ref;
  const page = (id: string, basePath: string): string => `${basePath}/workplace/${pages}/${id}`;
  return {
    searchName,
    index,
    table,
    found: isPublished('t'),
    deciding: {
      columns: ['audience', ...(published?.columns ?? [])],
      condition: meantFor(published?.condition),
    },
    record: {
      ID: shown('t.id'),
      URI: made((id) => uriOf(uri, id)),
      REFERENCE: other('t.reference'),
      TITLE: quick(`t.${labelColumn}`),
      DESCRIPTION: quick('t.description'),
      CREATIONDATE: displayDate('t.creation_date'),
      MODIFICATIONDATE: displayDate('t.modification_date'),
      LOCALE: shown('t.locale'),
      AUTHOR: shown('(SELECT u.title FROM users u WHERE u.id = t.author_id)'),
      quickSearch: shown('t.quick_search'),
      HYPERLINK: made((id, { basePath }) => page(id, basePath)),
      status: integer('t.status'),
      link: made((id, { basePath }) => ({ href: page(id, basePath) })),
      ...fields,
    },
  };
}
