import { documents } from '../content/document.resource.js';
import { contentSearch } from './content-search.js';
import { integerOrNull, extraText, quickSearchText } from './search-description.js';

export const documentsSearch = contentSearch({
  searchName: 'workplace_documents_search',
  index: 'Documents',
  resource: documents,
  pages: 'documents',
  fields: {
    fileName: quickSearchText('t.file_name'),
    mimeType: extraText('t.mime_type'),
    size: integerOrNull('t.size'),
    version: extraText('t.version'),
    category: quickSearchText('t.category'),
    keywords: quickSearchText('t.keywords'),
    downloadUrl: extraText('t.download_url'),
  },
});
