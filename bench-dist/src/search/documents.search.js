import { documents } from '../content/document.resource.js';
import { contentSearch } from './content-search.js';
import { integer, other, quick } from './search-description.js';
export const documentsSearch = contentSearch({
    searchName: 'workplace_documents_search',
    index: 'Documents',
    resource: documents,
    pages: 'documents',
    fields: {
        fileName: quick('t.file_name'),
        mimeType: other('t.mime_type'),
        size: integer('t.size'),
        version: other('t.version'),
        category: quick('t.category'),
        keywords: quick('t.keywords'),
        downloadUrl: other('t.download_url'),
    },
});
//# sourceMappingURL=documents.search.js.map