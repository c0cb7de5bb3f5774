import { documents } from '../content/document.resource.js';
import { contentSearch } from './content-search.js';
import { indexed, integer, text } from './search-description.js';

export const documentsSearch = contentSearch({
  searchName: 'workplace_documents_search',
  index: 'Documents',
  resource: documents,
  pages: 'documents',
  fields: {
    fileName: indexed('t.file_name'),
    mimeType: text('t.mime_type'),
    size: integer('t.size'),
    version: text('t.version'),
    category: indexed('t.category'),
    keywords: indexed('t.keywords'),
    downloadUrl: text('t.download_url'),
  },
});
