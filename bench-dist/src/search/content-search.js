import { isPublished, meantFor } from '../content/content-resource.js';
import { uriOf } from '../resources/uri.js';
import { displayDate, integer, made, other, quick, shown, } from './search-description.js';
/** Describes the search of one kind of content: published, within the caller's audience. */
export function contentSearch(search) {
    const { searchName, index, resource, pages, fields, published } = search;
    const { uri, table, labelColumn } = resource.ref;
    const page = (id, basePath) => `${basePath}/workplace/${pages}/${id}`;
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
//# sourceMappingURL=content-search.js.map