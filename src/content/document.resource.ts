import { byBeginning, contentText, number, text } from '../resources/attributes/attributes.js';
import { ngramsOf } from '../resources/attributes/folded-text.js';
import { validateWebAddress } from '../resources/attributes/web-address.js';
import { contentResource } from './content-resource.js';
import { Document } from './document.entity.js';

const searched = { searched: true };

/** The texts of the second n-gram index (migrations/1795400006000-create-content.ts). */
const ngrams = ngramsOf(['reference', 'mime_type', 'version', 'download_url']);

export const documents = contentResource({
  name: 'documents',
  uri: '/content/documents',
  singular: 'document',
  entity: Document,
  labelColumn: 'title',
  referenceNgrams: ngrams,
  attributes: {
    title: text({ required: true, max: 200, ...searched }),
    fileName: text(searched),
    mimeType: text({ max: 100, ngrams }),
    size: number({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    version: text({ max: 50, ngrams }),
    category: text({ max: 100, ...searched }),
    keywords: contentText({ max: 500 }),
    downloadUrl: byBeginning({ max: 2000, fault: validateWebAddress }),
  },
});
