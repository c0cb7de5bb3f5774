import { isPublished, addressedTo } from '../content/content-resource.js';
import type { Resource } from '../resources/resource.js';
import { uriOf } from '../resources/uri.js';
import {
  displayDate,
  integer,
  computed,
  extraText,
  pageLink,
  quickSearchText,
  type RecordField,
  type SearchDescription,
  displayOnly,
} from './search-description.js';

/**
 * What one search of content adds to the common part of its record (docs/api-contract.md#records).
 */
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
  const { uri, labelColumn } = resource.ref;
  const page = computed((id, { basePath }) => `${basePath}/workplace/${pages}/${id}`);
  return {
    searchName,
    index,
    resource,
    baseCondition: isPublished('t'),
    visibility: {
      columns: ['audience', ...(published?.columns ?? [])],
      condition: addressedTo(published?.condition),
    },
    record: {
      ID: displayOnly('t.id'),
      URI: computed((id) => uriOf(uri, id)),
      REFERENCE: extraText('t.reference'),
      TITLE: quickSearchText(`t.${labelColumn}`),
      DESCRIPTION: quickSearchText('t.description'),
      CREATIONDATE: displayDate('t.creation_date'),
      MODIFICATIONDATE: displayDate('t.modification_date'),
      LOCALE: displayOnly('t.locale'),
      AUTHOR: displayOnly('(SELECT u.title FROM users u WHERE u.id = t.author_id)'),
      quickSearch: displayOnly('t.quick_search'),
      HYPERLINK: page,
      status: integer('t.status'),
      link: pageLink(page),
      ...fields,
    },
  };
}
